import { StreamError } from '../errors/index.js'
import { EventHub } from '../events/EventHub.js'
import { ReferenceClock } from '../runtime/clocks/ReferenceClock.js'
import { noSuchStore } from '../runtime/engineErrors.js'
import type { OutputRecord, TopicInfo } from '../runtime/RecordLog.js'
import type { PartitionReader } from '../runtime/reading/PartitionReader.js'
import { SourceReaders } from '../runtime/reading/SourceReaders.js'
import { Wakeable } from '../runtime/scheduling/Wakeable.js'
import { TopologyRunner } from '../runtime/TopologyRunner.js'
import { Schedules } from '../runtime/ticks/Schedules.js'
import { TickSources } from '../runtime/ticks/TickSources.js'
import type { Deserializer, Serializer } from '../serde/Serde.js'
import type { StoreAccess } from '../state/StoreBuilder.js'
import { SeededRandom } from '../time/Random.js'
import type { CompiledTopology } from '../topology/CompiledTopology.js'
import { parseConfig } from '../topology/parseConfig.js'
import type { Topology } from '../topology/Topology.js'
import { ChangelogTopics } from './ChangelogTopics.js'
import { DriverClock } from './DriverClock.js'
import { RepartitionTopics } from './RepartitionTopics.js'
import { TestInputTopic } from './TestInputTopic.js'
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
  readonly #outputs = new Map<string, OutputRecord[]>()
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
    options: { readonly startMs?: number; readonly autoAdvanceMs?: number } = {},
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
    return new TestOutputTopic(topic, keyDeserializer, valueDeserializer, () => this.#take(topic))
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
    const store = this.#runner.stores.get(name)
    if (store === undefined) throw noSuchStore(name)
    return store.reader
  }

  /**
   * A store that reads and writes, as Kafka's driver gives it, to fill or change one between two steps. It is under
   * no callback, so what it writes belongs to none.
   *
   * @throws StreamError STORE_INVALID
   */
  getStateStore(name: string): unknown {
    const store = this.#runner.stores.get(name)
    if (store === undefined) throw noSuchStore(name)
    return store.open(outsideCallbacks)
  }

  /** All stores by name, in the order in which they were added. */
  getAllStateStores(): ReadonlyMap<string, unknown> {
    return new Map([...this.#runner.stores.keys()].map((name) => [name, this.getStateStore(name)]))
  }

  /** Resolves once the processors are ready. @throws what their `init` throws */
  started(): Promise<void> {
    return this.#started
  }

  /** Topics that have been sent to so far. */
  producedTopicNames(): ReadonlySet<string> {
    return new Set(this.#outputs.keys())
  }

  /** Counters by name, such as `dropped_records_total{reason="null_key"}`. */
  get counters(): { readonly [name: string]: number } {
    return this.#runner.counters.all()
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
    reader.add({ topic, partition: 0, records: [raw], nextOffset: offset + 1, lastStableOffset: offset + 1 })
    if (reader.peek() !== undefined) reader.dispatch()
    await this.#settle()
    this.#readers.clocks.emitWatermarks()
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

  /** Collects the outputs; one to a topic that a source reads is piped into it at once (`kafka-streams.md` C.8). */
  async #complete(): Promise<void> {
    await this.#settle()
    for (;;) {
      const { outputs } = this.#runner.epoch.take()
      if (outputs.length === 0) return
      for (const output of outputs) {
        const list = this.#outputs.get(output.topic)
        if (list) list.push(output)
        else this.#outputs.set(output.topic, [output])
      }
      for (const output of outputs) if (this.#reads(output.topic)) await this.#pipe(output.topic, output)
    }
  }

  async #settle(): Promise<void> {
    do {
      this.#runner.drain()
      while (!this.#runner.isIdle && this.#failures.length === 0) await this.#progress.wait()
      if (this.#failures.length > 0) throw this.#failures.splice(0)[0]
    } while (this.#runner.takeCrossing())
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

  #take(topic: string): OutputRecord[] {
    return this.#outputs.get(topic)?.splice(0) ?? []
  }
}

/** The access of a store that no callback has opened: it never ends, and goes back to no record. */
const outsideCallbacks: StoreAccess = { node: 'test driver', check: () => undefined, cause: () => null }

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
