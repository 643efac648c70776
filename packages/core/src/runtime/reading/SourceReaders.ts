import { StreamError } from '../../errors/index.js'
import type { CompiledNode, CompiledSource } from '../../topology/CompiledTopology.js'
import { matches } from '../../topology/matches.js'
import { PartitionClock } from '../clocks/PartitionClock.js'
import type { ReferenceClock } from '../clocks/ReferenceClock.js'
import type { FuturePreview } from '../EngineApi.js'
import type { SavedClocks } from '../epoch/EpochRecord.js'
import { PartitionProgress } from '../epoch/PartitionProgress.js'
import { endangeredBelow } from '../guards/endangered.js'
import { FutureGuard } from '../guards/FutureGuard.js'
import { FutureJudge } from '../guards/FutureJudge.js'
import type { NodeRuntime } from '../nodes/NodeRuntime.js'
import type { FetchedBatch, Position } from '../RecordLog.js'
import type { TopologyRunner } from '../TopologyRunner.js'
import { PartitionReader } from './PartitionReader.js'
import { SourceClocks } from './SourceClocks.js'
import { SourceGate } from './SourceGate.js'

/** All that a topology reads: its partitions, in the order of their timestamps (W4). */
export class SourceReaders {
  readonly clocks: SourceClocks
  readonly #readers = new Map<string, PartitionReader>()
  /** The same readers, for what walks over all of them at each record. */
  readonly #list: PartitionReader[] = []
  /** Those of global stores, and all others, which are read in the order of their times. */
  readonly #globals: PartitionReader[] = []
  readonly #timed: PartitionReader[] = []
  readonly #maxIdleMs: number
  readonly #gates = new Map<string, SourceGate>()
  readonly #guard: FutureGuard

  constructor(
    private readonly runner: TopologyRunner,
    private readonly reference: ReferenceClock,
    private readonly guarded: boolean,
  ) {
    this.clocks = new SourceClocks(runner)
    this.#maxIdleMs = runner.config['max.task.idle.ms']
    this.#guard = new FutureGuard({
      mode: runner.config['time.mode'],
      guard: runner.config['future-timestamp.guard'],
      check: runner.config['future-timestamp.check'],
    })
  }

  /** Starts a partition at its committed position, with the clock that the last commit left (W6). */
  add(start: Position, saved?: SavedClocks): PartitionReader {
    const node = this.#sourceOf(start.topic)
    const source = node.source as CompiledSource
    const clock = new PartitionClock(node.name, start.topic, start.partition, this.#outOfOrderness(source))
    clock.restore(savedTime(start, saved))
    const progress = new PartitionProgress(start.topic, start.partition, start)
    const reader = new PartitionReader(this.#gate(node), clock, progress, this.runner, this.clocks)
    this.#readers.set(`${start.topic}-${start.partition}`, reader)
    this.#list.push(reader)
    if (source.feeds === 'global') this.#globals.push(reader)
    else this.#timed.push(reader)
    this.clocks.add(clock)
    return reader
  }

  get all(): readonly PartitionReader[] {
    return this.#list
  }

  /** What must be fetched before these batches can be read; undefined when nothing must. See `SourceGate.prepare`. */
  prepare(batches: readonly FetchedBatch[]): Promise<unknown> | undefined {
    const waits = batches.flatMap((batch) => {
      return this.#readers.get(`${batch.topic}-${batch.partition}`)?.gate.prepare(batch.records) ?? []
    })
    return waits.length === 0 ? undefined : Promise.all(waits)
  }

  receive(batch: FetchedBatch): void {
    const reader = this.#readers.get(`${batch.topic}-${batch.partition}`)
    if (reader === undefined) {
      throw new StreamError(
        `The log gave records of ${batch.topic}-${batch.partition}, which this run does not read.`,
        {
          code: 'ILLEGAL_STATE',
          kind: 'bug',
          retriable: false,
          context: { topic: batch.topic, partition: batch.partition },
        },
      )
    }
    if (batch.reread !== undefined) this.runner.counters.add('reread_records_total', batch.reread)
    reader.add(batch)
  }

  /**
   * The reader whose head has the smallest time among those whose lanes have room (W4, L7); undefined when there is
   * none, or when a partition without records must be waited for (`max.task.idle.ms`). Global topics go first, whatever
   * their times, and are read to their ends of the start before anything else is (P2).
   */
  next(): PartitionReader | undefined {
    for (const reader of this.#globals) if (reader.peek() !== undefined && reader.fits) return reader
    // Nothing is joined before all of the global tables is there.
    for (const reader of this.#globals) if (!reader.isLoaded) return undefined
    return this.#nextInTime()
  }

  #nextInTime(): PartitionReader | undefined {
    let best: PartitionReader | undefined
    let bestTime = Number.POSITIVE_INFINITY
    let held = false
    for (const reader of this.#timed) {
      const head = reader.peek()
      if (head === undefined) held ||= this.#isAwaited(reader)
      else if (head.timestamp < bestTime && reader.fits) {
        best = reader
        bestTime = head.timestamp
      }
    }
    return held ? undefined : best
  }

  /**
   * As Kafka Streams does: −1 never waits; else it waits while the log is known to have records of a partition that
   * has none here, and above 0 also so long for one that may get some.
   */
  #isAwaited(empty: PartitionReader): boolean {
    if (this.#maxIdleMs < 0) return false
    if (empty.isStarved) return true
    return this.#maxIdleMs > 0 && empty.emptyFor(this.runner.clock.monotonic()) < this.#maxIdleMs
  }

  /** Partitions that have enough records waiting here (L7). */
  full(records: number): PartitionReader[] {
    return this.#list.filter((reader) => reader.buffered >= records)
  }

  /** Tells each partition whether it has caught up, for idleness (W2). */
  report(): void {
    for (const reader of this.#list) this.clocks.report(reader.clock, reader.isCaughtUp)
  }

  /** Whether any record waits here for its turn or for room. */
  get hasBuffered(): boolean {
    for (const reader of this.#list) if (reader.hasBuffered) return true
    return false
  }

  /** What is committed. Global topics are not in it: each start reads them from their beginning (P2). */
  positions(): Position[] {
    return this.#timed.map((reader) => reader.progress.position())
  }

  /** F5. @throws StreamError ILLEGAL_STATE when there is no such source, or it does not read this partition */
  preview(timestamp: number, sourceName: string, partition?: number): FuturePreview {
    const node = this.runner.nodes.get(sourceName)?.compiled
    if (node?.source === undefined) {
      throw new StreamError(`There is no source "${sourceName}" in this topology.`, {
        code: 'ILLEGAL_STATE',
        kind: 'user',
        retriable: false,
        context: { node: sourceName },
      })
    }
    const isIt = (clock: PartitionClock) =>
      clock.source === sourceName && (partition === undefined || clock.partition === partition)
    if (partition !== undefined && !this.clocks.partitions.some(isIt)) {
      throw new StreamError(`The source "${sourceName}" does not read a partition ${partition}.`, {
        code: 'ILLEGAL_STATE',
        kind: 'user',
        retriable: false,
        context: { node: sourceName, partition },
      })
    }
    const reference = this.reference.now()
    const boundMs = this.#bound(node.source)
    const below = endangeredBelow(this.runner, sourceName)
    const outOfOrderness = this.#outOfOrderness(node.source)
    const { verdict } = this.#guard.judge(timestamp, boundMs, reference, outOfOrderness, below)
    return {
      blast: this.#guard.blast(timestamp, reference, outOfOrderness, below),
      atOnce: this.#guard.blast(timestamp, reference, outOfOrderness, below, ({ clockGroup }) =>
        this.clocks.watermarkIf(clockGroup, isIt, timestamp - outOfOrderness),
      ),
      wouldBe: verdict === 'checked' || verdict === 'pass' ? 'passed' : verdict,
      aheadMs: timestamp - reference,
      boundMs,
      referenceClock: reference,
    }
  }

  /** What judges the times of a source's records (F3); undefined where F is off. */
  futureJudge(node: NodeRuntime): FutureJudge | undefined {
    const { 'future-timestamp.guard': guard, 'future-timestamp.check': check } = this.runner.config
    if (!this.guarded || (guard === 'off' && check === 'off')) return undefined
    const source = node.compiled.source as CompiledSource
    return new FutureJudge(node, this.runner, {
      guard: this.#guard,
      boundMs: this.#bound(source),
      outOfOrdernessMs: this.#outOfOrderness(source),
      below: endangeredBelow(this.runner, node.name),
      reference: this.reference,
    })
  }

  #gate(node: CompiledNode): SourceGate {
    const known = this.#gates.get(node.name)
    if (known !== undefined) return known
    const runtime = this.runner.nodes.get(node.name)
    if (runtime === undefined) throw new RangeError(`No runtime for source ${node.name}`)
    const gate = new SourceGate(runtime, this.runner, this.futureJudge(runtime))
    this.#gates.set(node.name, gate)
    return gate
  }

  #bound(source: CompiledSource): number {
    return source.maxAheadMs ?? this.runner.config['future-timestamp.max-ahead-ms']
  }

  #outOfOrderness(source: CompiledSource): number {
    return source.watermark?.maxOutOfOrdernessMs ?? this.runner.config['time.max-out-of-orderness-ms']
  }

  #sourceOf(topic: string): CompiledNode {
    for (const { compiled } of this.runner.nodes.values()) {
      const source = compiled.source
      if (source === undefined) continue
      if (source.topics.includes(topic) || (source.pattern && matches(source.pattern, topic))) return compiled
    }
    throw new StreamError(`No source of the topology reads topic "${topic}".`, {
      code: 'ILLEGAL_STATE',
      kind: 'bug',
      retriable: false,
      context: { topic },
    })
  }
}

function savedTime({ topic, partition }: Position, saved: SavedClocks | undefined): number {
  const known = saved?.partitions.find((candidate) => candidate.topic === topic && candidate.partition === partition)
  return known?.maxTimestamp ?? -1
}
