import { StreamError } from '../../errors/index.js'
import type { CompiledNode, CompiledSource } from '../../topology/CompiledTopology.js'
import { PartitionClock } from '../clocks/PartitionClock.js'
import type { ReferenceClock } from '../clocks/ReferenceClock.js'
import type { FuturePreview } from '../EngineApi.js'
import { PartitionProgress } from '../epoch/PartitionProgress.js'
import { endangeredBelow } from '../guards/endangered.js'
import { FutureGuard } from '../guards/FutureGuard.js'
import type { FetchedBatch, Position } from '../RecordLog.js'
import type { TopologyRunner } from '../TopologyRunner.js'
import { PartitionReader } from './PartitionReader.js'
import { SourceClocks } from './SourceClocks.js'
import { SourceGate } from './SourceGate.js'

/** All that a topology reads: its partitions, in the order of their timestamps (W4). */
export class SourceReaders {
  readonly clocks: SourceClocks
  readonly #readers = new Map<string, PartitionReader>()
  readonly #gates = new Map<string, SourceGate>()
  readonly #guard: FutureGuard

  constructor(
    private readonly runner: TopologyRunner,
    private readonly reference: ReferenceClock,
    private readonly guarded: boolean,
  ) {
    this.clocks = new SourceClocks(runner)
    this.#guard = new FutureGuard({
      mode: runner.config['time.mode'],
      guard: runner.config['future-timestamp.guard'],
      check: runner.config['future-timestamp.check'],
    })
  }

  /** Starts a partition at its committed position. */
  add(start: Position): PartitionReader {
    const node = this.#sourceOf(start.topic)
    const source = node.source as CompiledSource
    const clock = new PartitionClock(node.name, start.topic, start.partition, this.#outOfOrderness(source))
    const progress = new PartitionProgress(start.topic, start.partition, start)
    const reader = new PartitionReader(this.#gate(node), clock, progress, this.runner, this.clocks)
    this.#readers.set(`${start.topic}-${start.partition}`, reader)
    this.clocks.add(clock)
    return reader
  }

  get all(): Iterable<PartitionReader> {
    return this.#readers.values()
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
    reader.add(batch)
  }

  /** The reader whose head has the smallest time among those whose lanes have room (W4, L7). */
  next(): PartitionReader | undefined {
    let best: PartitionReader | undefined
    let bestTime = Number.POSITIVE_INFINITY
    for (const reader of this.#readers.values()) {
      const head = reader.peek()
      if (head === undefined || head.source.timestamp >= bestTime || !reader.fits) continue
      best = reader
      bestTime = head.source.timestamp
    }
    return best
  }

  /** Tells each partition whether it has caught up, for idleness (W2). */
  report(): void {
    for (const reader of this.#readers.values()) this.clocks.report(reader.clock, reader.isCaughtUp)
  }

  get buffered(): number {
    let sum = 0
    for (const reader of this.#readers.values()) sum += reader.buffered
    return sum
  }

  positions(): Position[] {
    return [...this.#readers.values()].map((reader) => reader.progress.position())
  }

  /** F5. @throws StreamError ILLEGAL_STATE when there is no such source */
  preview(timestamp: number, sourceName: string): FuturePreview {
    const node = this.runner.nodes.get(sourceName)?.compiled
    if (node?.source === undefined) {
      throw new StreamError(`There is no source "${sourceName}" in this topology.`, {
        code: 'ILLEGAL_STATE',
        kind: 'user',
        retriable: false,
        context: { node: sourceName },
      })
    }
    const reference = this.reference.now()
    const boundMs = this.#bound(node.source)
    const below = endangeredBelow(this.runner, sourceName)
    const outOfOrderness = this.#outOfOrderness(node.source)
    const { verdict } = this.#guard.judge(timestamp, boundMs, reference, outOfOrderness, below)
    return {
      blast: this.#guard.blast(timestamp, reference, outOfOrderness, below),
      wouldBe: verdict === 'checked' || verdict === 'pass' ? 'passed' : verdict,
      aheadMs: timestamp - reference,
      boundMs,
      referenceClock: reference,
    }
  }

  #gate(node: CompiledNode): SourceGate {
    const known = this.#gates.get(node.name)
    if (known !== undefined) return known
    const runtime = this.runner.nodes.get(node.name)
    if (runtime === undefined) throw new RangeError(`No runtime for source ${node.name}`)
    const source = node.source as CompiledSource
    const gate = new SourceGate(
      runtime,
      this.runner,
      this.guarded
        ? {
            guard: this.#guard,
            boundMs: this.#bound(source),
            outOfOrdernessMs: this.#outOfOrderness(source),
            below: endangeredBelow(this.runner, node.name),
            reference: () => this.reference.now(),
          }
        : undefined,
    )
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
      if (source.topics.includes(topic) || source.pattern?.test(topic)) return compiled
    }
    throw new StreamError(`No source of the topology reads topic "${topic}".`, {
      code: 'ILLEGAL_STATE',
      kind: 'bug',
      retriable: false,
      context: { topic },
    })
  }
}
