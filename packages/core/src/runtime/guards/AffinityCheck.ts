import { type LaneSplit, TimerLaneAffinityException } from '../../errors/index.js'
import { laneOf } from '../../lanes/murmur3.js'
import { toHex } from '../../model/bytes.js'
import { Headers } from '../../model/Headers.js'
import { keyText } from '../../model/keyText.js'
import type { ResolvedSerde } from '../../topology/CompiledTopology.js'
import type { Verdict } from '../../topology/EngineConfig.js'
import type { WorkItem } from '../nodes/WorkItem.js'

/** The first so many records of a processor and lane are all checked, then one in so many (A4). */
const CHECKED_FIRST = 64
const CHECKED_THEN = 4096

const LOG_EVERY_MS = 60_000

export interface AffinityHost {
  readonly now: () => number
  /** Counts on `timer_lane_mismatch_total`. */
  readonly countMismatch: () => void
  /** Counts a split that the guard has proven. */
  readonly countSplit: () => void
  readonly event: (type: 'lane-split-proven' | 'lane-split-sampled', split: LaneSplit, item: WorkItem) => void
  readonly log: (level: 'warn' | 'error', message: string) => void
}

export interface AffinitySettings {
  readonly node: string
  readonly laneCount: number
  /** What of the node's would be split from its records: timers (A1), or the entries of its stores (A9). */
  readonly keeps: 'timers' | 'stores'
  /** The serde whose bytes pick the timer's lane: the timer key serde (T4). */
  readonly serde: ResolvedSerde
  readonly topic: string
  readonly guard: Verdict
  readonly sampled: Verdict
  /** In the test driver every record is checked (A6). */
  readonly everyRecord: boolean
}

/**
 * Whether a processor's timers stay on the lanes of their keys' records: the guard (A2) and the sampled check (A4). On
 * a node that keeps stores and gets its lanes from several places, the sampled check alone (A9).
 */
export class AffinityCheck {
  readonly #seen: number[] = []
  #sampledLogged = false
  #guardLoggedAt: number | undefined
  #sinceLogged = 0

  constructor(
    private readonly settings: AffinitySettings,
    private readonly host: AffinityHost,
  ) {}

  /** The bytes that the timer key serde writes for a key, as stored; throws what the serde throws. */
  write(key: unknown): Uint8Array {
    const { serde, topic, node } = this.settings
    if (serde.serde === undefined) {
      throw new TypeError(
        `No serde can write the timer key of node "${node}". Declare the key serde on its source, or set default.key.serde.`,
      )
    }
    return serde.serde.serialize(topic, Headers.empty, key)
  }

  /** As `write`, but null for a key that the serde cannot write: a timer for another key may still be right (T7). */
  tryWrite(key: unknown): Uint8Array | null {
    try {
      return this.write(key)
    } catch {
      // Whoever registers a timer for this very key is told by `write`.
      return null
    }
  }

  read(bytes: Uint8Array): unknown {
    const { serde, topic } = this.settings
    return serde.serde?.deserialize(topic, Headers.empty, bytes)
  }

  /** The key of stored bytes for people; the bytes themselves where they cannot be read. */
  textOf(bytes: Uint8Array): string {
    try {
      return keyText(this.read(bytes))
    } catch {
      // Only shown here; the run stops when the timer is due (T9).
      return toHex(bytes, ' ')
    }
  }

  /** The lane that timer bytes pick: of a windowed key, the inner key's (T3). */
  laneOfTimer(bytes: Uint8Array): number {
    const serde = this.settings.serde.serde
    return laneOf(serde?.laneBytes ? serde.laneBytes(bytes) : bytes, this.settings.laneCount)
  }

  /**
   * A2: judges a register or delete for the key that is being processed. Compares lanes, not bytes.
   *
   * @throws TimerLaneAffinityException when the split is proven and the verdict is `error`
   */
  guard(item: WorkItem, key: unknown, timerBytes: Uint8Array): void {
    const { guard } = this.settings
    if (guard === 'off' || !this.#applies(item)) return
    const timerLane = this.laneOfTimer(timerBytes)
    if (timerLane === item.lane) return
    const split = this.#split(item, key, timerBytes, timerLane)
    this.host.countSplit()
    this.host.event('lane-split-proven', split, item)
    if (guard === 'error') {
      throw this.#fatal(split, item)
    }
    this.#logOnceAMinute(split)
  }

  /**
   * A4: before `process`, re-serialises the record's key now and then and compares lanes.
   *
   * @throws TimerLaneAffinityException when they differ and the verdict is `error`
   */
  sample(item: WorkItem, key: unknown): void {
    const { sampled, everyRecord } = this.settings
    if (sampled === 'off' || key === null || key === undefined || !this.#applies(item)) return
    if (!everyRecord && !this.#isDue(item.lane)) return
    const timerBytes = this.tryWrite(key)
    if (timerBytes === null) return
    const timerLane = this.laneOfTimer(timerBytes)
    if (timerLane === item.lane) return
    const split = this.#split(item, key, timerBytes, timerLane)
    this.host.countMismatch()
    this.host.event('lane-split-sampled', split, item)
    if (sampled === 'error') throw this.#fatal(split, item)
    if (this.#sampledLogged) return
    this.#sampledLogged = true
    this.host.log('warn', this.#message(split))
  }

  /** Noted on the item, so that it is thrown again by whoever catches it on the way (A3). */
  #fatal(split: LaneSplit, item: WorkItem): TimerLaneAffinityException {
    const message = this.#message(split)
    this.host.log('error', message)
    const { node, key } = split
    const fatal = new TimerLaneAffinityException(message, split, {
      node,
      lane: item.lane,
      key,
      ...(item.coordinates ?? {}),
    })
    item.fatal ??= fatal
    return fatal
  }

  /** A8: not with one lane, and not where no hash of the key picked the lane. */
  #applies(item: WorkItem): boolean {
    return this.settings.laneCount > 1 && item.hashed && item.keyBytes !== null
  }

  #isDue(lane: number): boolean {
    const seen = this.#seen[lane] ?? 0
    this.#seen[lane] = seen + 1
    return seen < CHECKED_FIRST || (seen - CHECKED_FIRST) % CHECKED_THEN === CHECKED_THEN - 1
  }

  #split(item: WorkItem, key: unknown, timerBytes: Uint8Array, timerLane: number): LaneSplit {
    return {
      node: this.settings.node,
      key: keyText(key),
      recordBytes: item.keyBytes as Uint8Array,
      timerBytes,
      recordLane: item.lane,
      timerLane,
      laneCount: this.settings.laneCount,
    }
  }

  #message(split: LaneSplit): string {
    const { serde } = this.settings
    const from =
      serde.by === undefined ? '' : ` (from ${serde.by}${serde.node === undefined ? '' : ` on "${serde.node}"`})`
    if (this.settings.keeps === 'stores') return this.#storeMessage(split, from)
    return (
      `A timer of node "${split.node}" for key ${split.key} would fire on lane ${split.timerLane}, but the key's records ` +
      `run on lane ${split.recordLane}, of ${split.laneCount}. The record was laned by the bytes ${toHex(split.recordBytes, ' ')}; ` +
      `the timer key serde "${serde.label}"${from} writes ${toHex(split.timerBytes, ' ')}. Declare the key serde on the source, ` +
      'Consumed.with(keySerde, valueSerde), so that both are the same bytes; or set timer.lane-affinity.guard to warn.'
    )
  }

  #storeMessage(split: LaneSplit, from: string): string {
    return (
      `Node "${split.node}" keeps a store and got the key ${split.key} on lane ${split.recordLane} of ${split.laneCount}, while the bytes that ` +
      `its key serde "${this.settings.serde.label}"${from} writes belong on lane ${split.timerLane}: from another way in the same key can run there at the same time. ` +
      `The record was laned by the bytes ${toHex(split.recordBytes, ' ')}; the serde writes ${toHex(split.timerBytes, ' ')}. ` +
      'Declare the key serde on every source, Consumed.with(keySerde, valueSerde), or call repartition() where the ways have met.'
    )
  }

  #logOnceAMinute(split: LaneSplit): void {
    this.#sinceLogged++
    const now = this.host.now()
    if (this.#guardLoggedAt !== undefined && now - this.#guardLoggedAt < LOG_EVERY_MS) return
    const count = this.#sinceLogged
    this.#guardLoggedAt = now
    this.#sinceLogged = 0
    this.host.log(
      'warn',
      `${this.#message(split)} ${count === 1 ? 'First such split' : `${count} splits since the last line`}.`,
    )
  }
}
