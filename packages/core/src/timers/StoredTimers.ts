import type { TimerDomain } from '../events/EngineEvent.js'
import type { OrderedByteStore } from '../state/OrderedByteStore.js'
import { StoredLaneTimers } from './StoredLaneTimers.js'

/**
 * All timers of one processor in a byte store of their own, shared by its lanes (T8). Changes are held back in memory
 * until `flush`, which is due before each cut: with an `EpochByteStore` they commit and abort with the epoch, and what
 * an epoch both makes and fires costs the store nothing (E8). `openTimers` makes one.
 */
export class StoredTimers {
  readonly #lanes = new Map<string, { readonly domain: TimerDomain; readonly timers: StoredLaneTimers }>()

  constructor(
    private readonly store: OrderedByteStore,
    /** Tells what this run registers from what it found (T5). */
    private readonly run: number,
  ) {}

  /** The timers of a domain and lane; the same object at each call. */
  lane(domain: TimerDomain, lane: number): StoredLaneTimers {
    const id = `${domain} ${lane}`
    const known = this.#lanes.get(id)
    if (known !== undefined) return known.timers
    const made = new StoredLaneTimers(this.store, domain, lane, this.run)
    this.#lanes.set(id, { domain, timers: made })
    return made
  }

  /**
   * Writes what has changed since the last flush into the open epoch: call it before the epoch is cut.
   *
   * @param clockOf the clocks by which timers of each domain fire: what is near stays in memory (T10)
   */
  flush(clockOf?: (domain: TimerDomain) => number): void {
    for (const { domain, timers } of this.#lanes.values()) timers.flush(clockOf?.(domain))
  }

  /** How many timers are pending in the lanes that have been asked for. */
  get size(): number {
    let size = 0
    for (const { timers } of this.#lanes.values()) size += timers.size
    return size
  }
}
