import type { Record, RecordCoordinates } from '../../model/Record.js'
import type { Serde } from '../../serde/Serde.js'
import type { Timer } from '../../timers/Timer.js'
import type { ClockStamp } from '../clocks/ClockBoard.js'
import type { PartitionProgress } from '../epoch/PartitionProgress.js'
import type { Punctuation } from '../firing/Punctuation.js'
import { SourceRecord } from '../reading/SourceRecord.js'
import type { NodeRuntime } from './NodeRuntime.js'

/** What an item takes in memory besides its record's bytes, about. */
const ITEM_BYTES = 200

/** One turn of a lane: a source record, a record that crossed a boundary, a timer that fires, or a schedule. */
export class WorkItem {
  /** A fatal error that user code may have caught; thrown again when the callback returns (A3). */
  fatal: unknown
  /** When it was queued, in its sub-topology. */
  order = 0
  /** Whether this item's callbacks are timed for the busy shares. */
  timed = false
  /** Time spent in children of the callback now running, while `timed`. */
  childMs = 0
  /** Nodes whose callbacks wait for a promise. */
  #pending: NodeRuntime[] | undefined
  #last: NodeRuntime | undefined
  /**
   * Behind a boundary the serde that wrote `keyBytes` from the record's key, where it has written all of them; of a source
   * record the one that has read the key from them.
   */
  keySerde: Serde<any> | undefined
  /** Of what a schedule does (W5): which, and the time it is given. */
  punctuation: { readonly punctuation: Punctuation; readonly at: number } | undefined

  constructor(
    /** Where it enters: a source, the child behind a boundary, or the processor whose timer it is. */
    public entry: NodeRuntime,
    public record: Record<unknown, unknown> | undefined,
    /** The bytes that picked the lane; null for a null key. */
    public keyBytes: Uint8Array | null,
    /** False when no hash picked the lane: null keys (L3), a custom partitioner (L9). */
    public hashed: boolean,
    /** The lane as the topology counts them. In the test driver it is computed, not run (A6). */
    public lane: number,
    /** The clocks as they were when it was read (W3); of a source record settled when it is dispatched. */
    public stamp: ClockStamp,
    public coordinates: RecordCoordinates | null,
    /** Of a source record: where its completion is noted. */
    readonly progress: PartitionProgress | null,
    public timer: Timer<NonNullable<unknown>> | undefined,
  ) {}

  /** What it has added to `TopologyRunner.waitingBytes`. */
  waitingBytes = 0

  /** The same item for another record, once nobody holds it: it has run to its end without a promise. */
  again(
    entry: NodeRuntime,
    record: Record<unknown, unknown>,
    keyBytes: Uint8Array | null,
    hashed: boolean,
    lane: number,
    stamp: ClockStamp,
    coordinates: RecordCoordinates | null,
  ): this {
    this.entry = entry
    this.record = record
    this.keyBytes = keyBytes
    this.hashed = hashed
    this.lane = lane
    this.stamp = stamp
    this.coordinates = coordinates
    this.childMs = 0
    return this
  }

  /** As `again`, for the next timer that fires. */
  firesAgain(
    entry: NodeRuntime,
    keyBytes: Uint8Array,
    lane: number,
    stamp: ClockStamp,
    timer: Timer<NonNullable<unknown>>,
  ): this {
    this.entry = entry
    this.keyBytes = keyBytes
    this.lane = lane
    this.stamp = stamp
    this.timer = timer
    this.childMs = 0
    return this
  }

  /** A callback of this node waits for a promise, until `left`. */
  entered(node: NodeRuntime): void {
    if (this.#pending === undefined) this.#pending = [node]
    else this.#pending.push(node)
  }

  left(node: NodeRuntime): void {
    this.#pending?.splice(this.#pending.indexOf(node), 1)
    this.#last = node
  }

  /**
   * The node it is at: of those whose callbacks wait, the one furthest down; once none does, the one that has waited
   * last, for what is below it; else where it has entered.
   */
  get at(): NodeRuntime {
    const depth = (node: NodeRuntime) => node.subTopology.nodes.indexOf(node)
    const waiting = this.#pending ?? []
    if (waiting.length > 0) return waiting.reduce((a, b) => (depth(b) > depth(a) ? b : a))
    return this.#last ?? this.entry
  }

  /** About what it takes in memory while it waits, in bytes: itself, and as much as the record that it comes from (E3). */
  get weight(): number {
    const { coordinates, keyBytes } = this
    return ITEM_BYTES + (coordinates instanceof SourceRecord ? coordinates.size : (keyBytes?.length ?? 0))
  }
}
