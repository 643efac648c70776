import type { TimerDomain } from '../events/EngineEvent.js'
import type { OrderedByteStore } from '../state/OrderedByteStore.js'
import { StoredLaneTimers } from './StoredLaneTimers.js'

/**
 * All timers of one processor in a byte store of their own, shared by its lanes (T8). Every change is written to the
 * store at once; with an `EpochByteStore` it commits and aborts with the epoch. The numbers of timers are written by
 * `flush`, which is due before each cut. `openTimers` makes one.
 */
export class StoredTimers {
  readonly #lanes = new Map<string, StoredLaneTimers>()

  constructor(
    private readonly store: OrderedByteStore,
    /** Tells what this run registers from what it found (T5). */
    private readonly run: number,
  ) {}

  /** The timers of a domain and lane; the same object at each call. */
  lane(domain: TimerDomain, lane: number): StoredLaneTimers {
    const id = `${domain} ${lane}`
    const known = this.#lanes.get(id)
    if (known !== undefined) return known
    const made = new StoredLaneTimers(this.store, domain, lane, this.run)
    this.#lanes.set(id, made)
    return made
  }

  /** Writes how many timers each lane has, into the open epoch: call it before the epoch is cut. */
  flush(): void {
    for (const lane of this.#lanes.values()) lane.flush()
  }

  /** How many timers are pending in the lanes that have been asked for. */
  get size(): number {
    let size = 0
    for (const lane of this.#lanes.values()) size += lane.size
    return size
  }
}
