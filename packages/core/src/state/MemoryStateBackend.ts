import { MemoryByteStore } from './MemoryByteStore.js'
import type { OrderedByteStore } from './OrderedByteStore.js'
import type { StateBackend, StoreChanges } from './StateBackend.js'

/** Committed state in memory: it outlives a restart in place, not the process. */
export class MemoryStateBackend implements StateBackend {
  readonly #stores = new Map<string, MemoryByteStore>()

  open(store: string): OrderedByteStore {
    const known = this.#stores.get(store)
    if (known !== undefined) return known
    const created = new MemoryByteStore()
    this.#stores.set(store, created)
    return created
  }

  names(prefix: string): readonly string[] {
    const names: string[] = []
    for (const [name, store] of this.#stores) if (name.startsWith(prefix) && store.size > 0) names.push(name)
    return names.sort()
  }

  async commit(_epoch: number, changes: readonly StoreChanges[]): Promise<void> {
    for (const { store, cleared, entries } of changes) {
      const target = this.open(store)
      if (cleared) target.clear()
      for (const [key, value] of entries) {
        if (value === undefined) target.delete(key)
        else target.put(key, value)
      }
    }
  }

  async close(): Promise<void> {
    this.#stores.clear()
  }
}
