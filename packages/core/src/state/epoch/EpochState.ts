import type { ChangelogMarks, StateBackend, StoreChanges } from '../StateBackend.js'
import { EpochByteStore } from './EpochByteStore.js'

/**
 * All byte stores of one incarnation, with the writes of its live epochs above a backend (E2).
 * At most two epochs are alive: one that is cut and committing, and the open one.
 */
export class EpochState {
  readonly #stores = new Map<string, EpochByteStore>()
  #open: number
  #committing: number | undefined
  #liveBytes = 0

  constructor(
    private readonly backend: StateBackend,
    firstEpoch: number,
  ) {
    this.#open = firstEpoch
  }

  /** The number of the open epoch. */
  get open(): number {
    return this.#open
  }

  /** Bytes of keys and values that the live epochs have written: they are in memory until they are committed (E3). */
  get liveBytes(): number {
    return this.#liveBytes
  }

  /** The byte store of this name; the same one at every call. */
  store(name: string): EpochByteStore {
    const known = this.#stores.get(name)
    if (known !== undefined) return known
    const open = () => this.#open
    const grown = (bytes: number) => {
      this.#liveBytes += bytes
    }
    const committed = () => this.backend.committedEpoch
    const created = new EpochByteStore(name, this.backend.open(name), open, grown, committed)
    this.#stores.set(name, created)
    return created
  }

  /** Names of all byte stores with this prefix that hold entries, the live epochs' included, in order. */
  names(prefix: string): readonly string[] {
    const names = new Set(this.backend.names(prefix))
    for (const [name, store] of this.#stores) {
      if (!name.startsWith(prefix)) continue
      if (store.size > 0) names.add(name)
      else names.delete(name)
    }
    return [...names].sort()
  }

  /**
   * Ends the open epoch; the next one is open when it returns.
   *
   * @returns the number of the epoch that was cut
   * @throws RangeError when the last one that was cut is neither committed nor aborted: three would be alive
   */
  cut(): number {
    if (this.#committing !== undefined) {
      throw new RangeError(
        `Epoch ${this.#committing} is still committing; epoch ${this.#open} cannot be cut before it is known`,
      )
    }
    this.#committing = this.#open
    this.#open++
    return this.#committing
  }

  /** What an epoch that is cut has changed, store by store in the order of their names: for the changelog and the backend. */
  changes(epoch: number): StoreChanges[] {
    const changes: StoreChanges[] = []
    for (const [store, bytes] of [...this.#stores].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const layer = bytes.layerOf(epoch)
      if (layer === undefined) continue
      changes.push({ store, cleared: layer.cleared, entries: layer })
    }
    return changes
  }

  /** The epoch is known to be committed: its writes go to the backend, over all stores at once (E2). */
  async commit(epoch: number, marks?: ChangelogMarks, changes = this.changes(epoch)): Promise<void> {
    if (epoch !== this.#committing) throw new RangeError(`Epoch ${epoch} is not the one that is committing`)
    await this.backend.commit(epoch, changes, marks)
    for (const store of this.#stores.values()) store.settle(epoch)
    this.#committing = undefined
  }

  /** Throws both live epochs away. The incarnation is over with it. */
  abort(): void {
    for (const store of this.#stores.values()) store.abort()
    this.#committing = undefined
  }
}
