import { StreamError } from '../errors/index.js'
import { EventHub } from '../events/EventHub.js'
import { ReferenceClock } from '../runtime/clocks/ReferenceClock.js'
import type { OutputRecord, TopicInfo } from '../runtime/RecordLog.js'
import type { PartitionReader } from '../runtime/reading/PartitionReader.js'
import { SourceReaders } from '../runtime/reading/SourceReaders.js'
import { Wakeable } from '../runtime/scheduling/Wakeable.js'
import { TopologyRunner } from '../runtime/TopologyRunner.js'
import { Schedules } from '../runtime/ticks/Schedules.js'
import { TickSources } from '../runtime/ticks/TickSources.js'
import type { Deserializer, Serializer } from '../serde/Serde.js'
import type { ValueAndTimestamp } from '../serde/valueAndTimestamp.js'
import type { KeyValueStore, SessionStore, VersionedStore, WindowStore } from '../state/stores.js'
import { SeededRandom } from '../time/Random.js'
import type { CompiledTopology } from '../topology/CompiledTopology.js'
import { parseConfig } from '../topology/parseConfig.js'
import type { Topology } from '../topology/Topology.js'
import { CapturedOutputs } from './CapturedOutputs.js'
import { ChangelogTopics } from './ChangelogTopics.js'
import { DriverClock } from './DriverClock.js'
import { DriverStores } from './DriverStores.js'
import { RecordCaches } from './RecordCaches.js'
import { RepartitionTopics } from './RepartitionTopics.js'
import { type TestInputOptions, TestInputTopic } from './TestInputTopic.js'
import { TestOutputTopic } from './TestOutputTopic.js'

export interface TestDriverOptions {
  /** Ms. Given, the guards of future timestamps are on, with this as their reference clock (D1). Default: 0, guards off. */
  readonly initialWallClockMs?: number
}

/**
 * Runs a topology record by record, with a manual clock and without a log (D1). It is the real engine with one running
 * lane a sub-topology; the lanes of `lanes.count` are computed, so that every piped record is checked for a split (A6).
 *
 * `time.mode` is `stream-time`, and timers are on the heap alone (T10), unless the config says otherwise.
 *
 * @example
 * const driver = new TopologyTestDriver(topology, { 'application.id': 'test', 'lanes.count': 8 })
 * await driver.createInputTopic('orders', string, json<Order>()).pipeInput('k', order, 100)
 * driver.createOutputTopic('counts', string, long).readRecordsToList()
 */
export class TopologyTestDriver {
  readonly events = new EventHub()
  readonly topology: CompiledTopology
  readonly #clock: DriverClock
  readonly #runner: TopologyRunner
  readonly #readers: SourceReaders
  readonly #schedules: Schedules
  readonly #ticks: TickSources
  readonly #partitions = new Map<string, PartitionReader>()
  readonly #offsets = new Map<string, number>()
  readonly #outputs = new CapturedOutputs((topic) => this.#reads(topic))
  readonly #stores: DriverStores
  readonly #caches: RecordCaches
  readonly #progress = new Wakeable()
  readonly #failures: unknown[] = []
  readonly #started: Promise<void>
  #closed = false
  /** Steps run one after the other, even when the caller does not wait. */
  #last: Promise<void>

  constructor(topology: Topology, config: Readonly<{ [key: string]: unknown }> = {}, options: TestDriverOptions = {}) {
    const parsed = parseConfig({
      'application.id': 'test-driver',
      'time.mode': 'stream-time',
      'timers.backend': 'heap',
      ...config,
    })
    this.topology = topology.compile(parsed)
    this.#clock = new DriverClock(options.initialWallClockMs ?? 0)
    const emit = (output: OutputRecord) => this.#runner.epoch.output(output)
    const repartitions = new RepartitionTopics(parsed['application.id'], emit)
    const topics = new OnePartitionTopics()
    const emulates = parsed.compat === 'kafka-streams'
    const changelogs = new ChangelogTopics(this.topology, parsed, topics, emulates ? emit : () => undefined)
    this.#runner = new TopologyRunner({
      compiled: this.topology,
      config: parsed,
      clock: this.#clock,
      random: new SeededRandom(1),
      events: this.events,
      topics,
      byteStores: changelogs,
      driver: true,
      onFailed: (error) => {
        this.#failures.push(error)
        this.#progress.wake()
      },
      onProgress: () => this.#progress.wake(),
      onCrossing: (item, boundary) => repartitions.pass(item, boundary),
    })
    this.#runner.equip()
    for (const { instances } of this.#runner.nodes.values())
      for (const instance of instances) changelogs.timed(instance)
    for (const store of this.#runner.stores.values()) changelogs.versioned(store)
    this.#caches = new RecordCaches(this.#runner)
    this.#stores = new DriverStores(this.#runner.stores, this.topology.stores)
    const guarded = options.initialWallClockMs !== undefined && !emulates
    this.#readers = new SourceReaders(this.#runner, new ReferenceClock(this.#clock, () => undefined), guarded)
    this.#schedules = new Schedules(this.topology)
    this.#schedules.open(undefined, this.#clock.now())
    this.#ticks = new TickSources(this.#runner, this.#schedules, (node) => this.#readers.futureJudge(node))
    for (const node of this.topology.nodes) for (const topic of node.source?.topics ?? []) this.#open(topic)
    this.#started = this.#runner.init()
    // A failing init is told by each step: none may run on processors that are not ready.
    this.#last = this.#started.catch(() => undefined)
  }

  /** @throws StreamError TOPIC_MISSING when no source of the topology reads the topic */
  createInputTopic<K, V>(
    topic: string,
    keySerializer: Serializer<K>,
    valueSerializer: Serializer<V>,
    options: TestInputOptions = {},
  ): TestInputTopic<K, V> {
    if (!this.#reads(topic)) {
      throw new StreamError(`Unknown input topic "${topic}": no source of the topology reads it.`, {
        code: 'TOPIC_MISSING',
        kind: 'user',
        retriable: false,
        context: { topic },
      })
    }
    return new TestInputTopic(topic, keySerializer, valueSerializer, options, (record) => this.pipeRaw(topic, record))
  }

  createOutputTopic<K, V>(
    topic: string,
    keyDeserializer: Deserializer<K>,
    valueDeserializer: Deserializer<V>,
  ): TestOutputTopic<K, V> {
    return new TestOutputTopic(topic, keyDeserializer, valueDeserializer, () => this.#outputs.read(topic))
  }

  /**
   * Pipes raw bytes, as a foreign producer wrote them, and processes them to completion: the record, timers that it
   * makes due, what it sends to topics that the topology itself reads.
   */
  pipeRaw(topic: string, record: RawRecord): Promise<void> {
    return this.#step(async () => {
      await this.#pipe(topic, record)
      await this.#complete()
    })
  }

  /**
   * Moves the wall clock by `ms`. Every tick of a scheduled source that falls due on the way is emitted, one after the
   * other, in the order of their times (P1); then processing-time timers fire, and wall-clock punctuators once each. Event time stands, except where a node
   * goes by ticks alone (W2).
   */
  advanceWallClockTime(ms: number): Promise<void> {
    return this.#step(async () => {
      this.#clock.advance(ms)
      await this.#tick()
      this.#runner.wallClockMoved()
      await this.#complete()
    })
  }

  /** The read-only handle of a store. @throws StreamError STORE_INVALID */
  store(name: string): unknown {
    return this.#stores.reader(name)
  }

  /** A store of whatever kind, to read and write between two steps. @throws StreamError STORE_INVALID when there is none */
  getStateStore(name: string): unknown {
    return this.#stores.open(name)
  }

  /** All stores by name, in the order in which they were added. */
  getAllStateStores(): ReadonlyMap<string, unknown> {
    return this.#stores.all()
  }

  /**
   * A key-value store by its values alone, also one that keeps times, such as that of a table: what is put by it then
   * has the unknown time −1.
   *
   * @throws StreamError STORE_INVALID when there is no such store
   */
  getKeyValueStore<K, V>(name: string): KeyValueStore<K, V> {
    return this.#stores.keyValue(name)
  }

  /** The store of a table of the DSL, for one, with its times. @throws StreamError STORE_INVALID when there is no such store */
  getTimestampedKeyValueStore<K, V>(name: string): KeyValueStore<K, ValueAndTimestamp<V>> {
    return this.#stores.timestampedKeyValue(name)
  }

  /** A window store by its values alone, as `getKeyValueStore`. @throws StreamError STORE_INVALID when there is no such store */
  getWindowStore<K, V>(name: string): WindowStore<K, V> {
    return this.#stores.window(name)
  }

  /** The store of a windowed aggregation, for one, with its times. @throws StreamError STORE_INVALID when there is no such store */
  getTimestampedWindowStore<K, V>(name: string): WindowStore<K, ValueAndTimestamp<V>> {
    return this.#stores.timestampedWindow(name)
  }

  /** A session store by its values alone. @throws StreamError STORE_INVALID when there is no such store */
  getSessionStore<K, V>(name: string): SessionStore<K, V> {
    return this.#stores.session(name)
  }

  /** @throws StreamError STORE_INVALID when there is no such store */
  getVersionedKeyValueStore<K, V>(name: string): VersionedStore<K, V> {
    return this.#stores.versionedKeyValue(name)
  }

  /** Resolves once the processors are ready. @throws what their `init` throws */
  started(): Promise<void> {
    return this.#started
  }

  /** Topics that have been sent to so far. */
  producedTopicNames(): ReadonlySet<string> {
    return this.#outputs.topics
  }

  /** Counters by name, such as `dropped_records_total{reason="null_key"}`. */
  get counters(): { readonly [name: string]: number } {
    return this.#runner.counters.all()
  }

  /** The counters, and Kafka's `dropped-records-total`: all drops for the reasons that Kafka counts (G3). */
  metrics(): ReadonlyMap<string, number> {
    const { counters } = this
    return new Map([...Object.entries(counters), ['dropped-records-total', droppedAsKafkaCounts(counters)]])
  }

  /** How many keyed timers are pending at a processor. */
  pendingTimers(node: string): number {
    return this.#runner.nodes.get(node)?.timers?.pending ?? 0
  }

  /** Closes the processors. What was piped before is done by then; nothing can be piped after it. Closing twice does nothing. */
  close(): Promise<void> {
    return this.#inTurn(() => {
      this.#closed = true
      return this.#runner.close()
    })
  }

  #step(run: () => Promise<void>): Promise<void> {
    return this.#inTurn(async () => {
      await this.#started
      if (this.#closed) {
        throw new StreamError('The test driver is closed. Create a new one.', {
          code: 'ILLEGAL_STATE',
          kind: 'user',
          retriable: false,
        })
      }
      await run()
    })
  }

  #inTurn(run: () => Promise<void>): Promise<void> {
    const turn = this.#last.then(run)
    this.#last = turn.catch(() => undefined)
    return turn
  }

  async #pipe(topic: string, record: RawRecord): Promise<void> {
    const reader = this.#open(topic)
    const offset = this.#nextOffset(topic)
    const raw = {
      offset,
      headers: record.headers ?? [],
      key: record.key,
      value: record.value,
      timestamp: record.timestamp,
    }
    await reader.gate.prepare([raw])
    reader.add({ topic, partition: 0, records: [raw], nextOffset: offset + 1, lastStableOffset: offset + 1 })
    const isLetIn = reader.peek() !== undefined
    if (isLetIn) reader.dispatch()
    await this.#settle()
    this.#readers.clocks.emitWatermarks()
    if (isLetIn) this.#runner.punctuations.recordDone()
    await this.#settle()
  }

  /** Nobody was away, so no tick counts as missed: each is started at its own time. */
  async #tick(): Promise<void> {
    for (;;) {
      const { due } = this.#schedules
      if (due === undefined || due > this.#clock.now() || !this.#ticks.startNext(due)) return
      await this.#complete()
    }
  }

  /**
   * Does all that the step has led to. What is sent to a topic that a source reads is piped into it, and under `compat:
   * kafka-streams` what crosses boundaries is taken up in its turn, the earliest first (`kafka-streams.md` C.8). What
   * fails keeps its outputs until a later step collects them; what waits behind it is done then, too.
   */
  async #complete(): Promise<void> {
    for (;;) {
      await this.#settle()
      await this.#caches.flush()
      await this.#settle()
      this.#outputs.add(this.#runner.epoch.take().outputs)
      const { earliestReturn = Number.POSITIVE_INFINITY } = this.#outputs
      if ((this.#runner.crossings.earliest ?? Number.POSITIVE_INFINITY) <= earliestReturn) {
        if (!this.#runner.crossings.take()) return
        await this.#settle()
        this.#runner.punctuations.recordDone()
      } else {
        const output = this.#outputs.takeReturn() as OutputRecord
        await this.#pipe(output.topic, output)
      }
    }
  }

  async #settle(): Promise<void> {
    this.#runner.drain()
    while (!this.#runner.isIdle && this.#failures.length === 0) await this.#progress.wait()
    if (this.#failures.length > 0) throw this.#failures.splice(0)[0]
  }

  #reads(topic: string): boolean {
    return this.topology.nodes.some(
      (node) => node.source?.topics.includes(topic) || node.source?.pattern?.test(topic) === true,
    )
  }

  /** Topics that one pattern covers share their offsets, as they do in Kafka's driver: it has one partition for all of them. */
  #nextOffset(topic: string): number {
    const sources = this.topology.nodes.flatMap((node) => node.source ?? [])
    const named = sources.some((source) => source.topics.includes(topic))
    const pattern = named ? undefined : sources.find((source) => source.pattern?.test(topic) === true)?.pattern
    const counted = pattern === undefined ? topic : String(pattern)
    const offset = this.#offsets.get(counted) ?? 0
    this.#offsets.set(counted, offset + 1)
    return offset
  }

  #open(topic: string): PartitionReader {
    const known = this.#partitions.get(topic)
    if (known !== undefined) return known
    const reader = this.#readers.add({ topic, partition: 0, offset: 0, done: [] })
    this.#partitions.set(topic, reader)
    return reader
  }
}

/** A record as bytes, before a source has read it. */
export interface RawRecord {
  readonly key: Uint8Array | null
  readonly value: Uint8Array | null
  /** Ms. */
  readonly timestamp: number
  readonly headers?: readonly { readonly key: string; readonly value: Uint8Array | null }[]
}

/** In the driver every topic exists and has one partition. */
class OnePartitionTopics extends Map<string, TopicInfo> {
  override get(topic: string): TopicInfo {
    return { topic, partitions: 1 }
  }
}

/** Reasons of ours, which are none of Kafka's (G3). */
const ourDrops = ['future_timestamp', 'dropped_null']

function droppedAsKafkaCounts(counters: { readonly [name: string]: number }): number {
  return Object.entries(counters)
    .filter(([name]) => name.startsWith('dropped_records_total{'))
    .filter(([name]) => !ourDrops.some((reason) => name.includes(`"${reason}"`)))
    .reduce((sum, [, count]) => sum + count, 0)
}
