import { MemoryByteStores } from './MemoryByteStores.js'
import type { OrderedByteStore } from './OrderedByteStore.js'
import type { StateBackend, StoreChanges } from './StateBackend.js'

/** Committed state in memory: it outlives a restart in place, not the process. */
export class MemoryStateBackend implements StateBackend {
  readonly #stores = new MemoryByteStores()
  #committedEpoch: number | undefined

  get committedEpoch(): number | undefined {
    return this.#committedEpoch
  }

  open(store: string): OrderedByteStore {
    return this.#stores.store(store)
  }

  names(prefix: string): readonly string[] {
    return this.#stores.names(prefix)
  }

  async commit(epoch: number, changes: readonly StoreChanges[]): Promise<void> {
    for (const { store, cleared, entries } of changes) {
      const target = this.open(store)
      if (cleared) target.clear()
      for (const [key, value] of entries) {
        if (value === undefined) target.remove(key)
        else target.set(key, value)
      }
    }
    this.#committedEpoch = epoch
  }

  async close(): Promise<void> {
    // What is in memory goes with its last reader.
  }
}
