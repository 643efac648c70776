import { isPromise, LaneKeySerializationException, refusedPromise, StreamError } from '../../errors/index.js'
import { laneOf } from '../../lanes/murmur3.js'
import { Headers } from '../../model/Headers.js'
import { keyText } from '../../model/keyText.js'
import type { Record } from '../../model/Record.js'
import type { CompiledSchedule } from '../../topology/CompiledTopology.js'
import type { ScheduledRecord } from '../../topology/schedule/ScheduledSource.js'
import { scheduledTimestamp } from '../../topology/schedule/scheduledTimestamp.js'
import type { FutureJudge } from '../guards/FutureJudge.js'
import type { NodeRuntime } from '../nodes/NodeRuntime.js'
import { WorkItem } from '../nodes/WorkItem.js'
import { SourceRecord } from '../reading/SourceRecord.js'
import type { TopologyRunner } from '../TopologyRunner.js'
import type { Schedules } from './Schedules.js'

/** A scheduled source of this incarnation. */
interface TickSource {
  readonly node: NodeRuntime
  readonly schedule: CompiledSchedule
  /** Nodes whose event clocks stamp its records (T12). */
  readonly clockNodes: readonly NodeRuntime[]
  readonly future: FutureJudge | undefined
}

/**
 * Makes the records of ticks that are due and hands them to their lanes (P1). All records of a tick belong to the epoch
 * that it starts in: like what crosses a boundary they drain in its cut (E8), so that a tick is committed as a whole.
 */
export class TickSources {
  readonly #sources = new Map<string, TickSource>()

  /** @param judge what guards the times of a source's records (F3); undefined where F is off */
  constructor(
    private readonly runner: TopologyRunner,
    private readonly schedules: Schedules,
    judge: (node: NodeRuntime) => FutureJudge | undefined,
  ) {
    for (const node of runner.nodes.values()) {
      const schedule = node.compiled.source?.schedule
      if (schedule === undefined) continue
      const clockNodes = schedule.clockNodes.map((name) => runner.nodes.get(name) as NodeRuntime)
      this.#sources.set(node.name, { node, schedule, clockNodes, future: judge(node) })
    }
  }

  /** Whether a tick is due at this wall-clock time, and its lanes have room. */
  isDue(now: number): boolean {
    return (this.#next()?.at ?? Number.POSITIVE_INFINITY) <= now
  }

  /**
   * Starts the tick that is due first, if one is.
   *
   * @returns whether there was one
   * @throws StreamError when its `emit` fails and the handler of gate 2 says so, or FutureTimestampException
   */
  startNext(now: number): boolean {
    const next = this.#next()
    const at = next === undefined ? undefined : this.schedules.take(next.source, now)
    if (next === undefined || at === undefined) return false
    this.#start(this.#sources.get(next.source) as TickSource, at)
    return true
  }

  #next() {
    // What is over capacity drains first (L7): a tick adds as many records as it likes.
    return this.schedules.next((source) => this.#sources.get(source)?.node.subTopology.overCapacity === 0)
  }

  #start(source: TickSource, at: number): void {
    const { runner } = this
    const { name } = source.node
    // Also a tick without records has been: its time goes into the epoch record.
    runner.epoch.touch()
    runner.count(`ticks_total{source="${name}"}`)
    const items = this.#items(source, at)
    runner.epoch.records += items.length
    if (runner.events.listening('tick-emitted')) {
      runner.events.emit<'tick-emitted'>({ type: 'tick-emitted', source: name, at, records: items.length })
    }
    for (const item of items) runner.enqueue(item, source.node.subTopology, true)
    runner.drain()
    // After that: now the items hold their stamp, and what was on time when they were made stays so (W3).
    let moved = false
    for (const group of runner.tickedGroups.get(name) ?? []) if (runner.clocks.advance(group, at)) moved = true
    if (moved) runner.clocksMoved(null)
  }

  /** The records of a tick, judged and with their lanes. What `emit` made before it threw stays, as with a processor (G4). */
  #items(source: TickSource, at: number): readonly WorkItem[] {
    const items: WorkItem[] = []
    const { node } = source
    try {
      for (const made of this.#made(source, at)) {
        const item = this.#item(source, made, at)
        if (item !== undefined) items.push(item)
      }
    } catch (error) {
      const where = `in its tick of ${at}`
      const gated = this.runner.gates.ask('processing', error, node.name, null, undefined, undefined, where)
      if (gated !== undefined) throw gated
    }
    return items
  }

  #made({ node, schedule }: TickSource, at: number): Iterable<ScheduledRecord<unknown, unknown>> {
    const made = schedule.emit({ at })
    if (!isPromise(made)) return made
    throw refusedPromise(
      made,
      `The emit function of "${node.name}" returned a promise. It must return its records at once: await in a processor behind it.`,
      { node: node.name },
    )
  }

  /** @returns undefined when the future-timestamp guard keeps the record out */
  #item(source: TickSource, made: ScheduledRecord<unknown, unknown>, at: number): WorkItem | undefined {
    const { node, future } = source
    const record = this.#record(source, made, at)
    const keyBytes = this.#keyBytes(source, record)
    if (future?.isAhead(record.timestamp) && !future.admits(asSourceRecord(source, record, keyBytes), record.key)) {
      return undefined
    }
    const sub = node.subTopology
    const lane = keyBytes === null ? sub.nextLane() : laneOf(this.#laneBytes(source, keyBytes), sub.laneCount)
    const stamp = this.runner.clocks.current
    return new WorkItem(node, record, keyBytes, keyBytes !== null, lane, stamp, null, null, undefined)
  }

  #record(source: TickSource, made: ScheduledRecord<unknown, unknown>, at: number): Record<unknown, unknown> {
    const timestamp = made.timestamp ?? scheduledTimestamp(at, this.#clocks(source))
    if (!Number.isSafeInteger(timestamp) || timestamp < 0) {
      throw new StreamError(
        `The scheduled source "${source.node.name}" made a record with the timestamp ${timestamp}. It must be an integer of 0 … 2^53−1 ms.`,
        { code: 'TIMESTAMP_INVALID', kind: 'user', retriable: false, context: { node: source.node.name } },
      )
    }
    return { key: made.key, value: made.value, timestamp, headers: made.headers ?? Headers.empty }
  }

  *#clocks({ clockNodes }: TickSource): Generator<number> {
    for (const node of clockNodes) yield this.runner.clocks.eventClock(node.clockGroup, node.subTopology.index)
  }

  #keyBytes({ node, schedule }: TickSource, { key, headers }: Record<unknown, unknown>): Uint8Array | null {
    if (key === null || key === undefined) return null
    try {
      // A copy, because a serde may use its buffer again for the tick's next record.
      return new Uint8Array(schedule.keySerde.serialize(node.name, headers, key))
    } catch (cause) {
      throw new LaneKeySerializationException(
        `The scheduled source "${node.name}" made the key ${keyText(key)}, which its key serde "${schedule.keySerde.id}" cannot write: ` +
          `${(cause instanceof Error ? cause.message : String(cause)).replace(/\.$/, '')}.`,
        { node: node.name },
        cause,
      )
    }
  }

  /** L4: what the key serde writes; of a windowed key the inner key's. */
  #laneBytes({ schedule: { keySerde } }: TickSource, keyBytes: Uint8Array): Uint8Array {
    return keySerde.laneBytes ? keySerde.laneBytes(keyBytes) : keyBytes
  }
}

/** What a dead letter and an event say of a record that no topic holds: its source, partition −1, offset −1. */
function asSourceRecord(
  { node }: TickSource,
  { value, timestamp, headers }: Record<unknown, unknown>,
  key: Uint8Array | null,
): SourceRecord {
  const serde = node.compiled.value.serde
  const bytes = value === null || value === undefined ? undefined : serde?.serialize(node.name, headers, value)
  const raw = { offset: -1, timestamp, key, value: bytes ?? null, headers: headers.toArray() }
  return new SourceRecord(node.name, -1, -1, timestamp, raw)
}
