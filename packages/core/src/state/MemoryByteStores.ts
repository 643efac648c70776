import { MemoryByteStore } from './MemoryByteStore.js'
import type { OrderedByteStore } from './OrderedByteStore.js'
import type { ByteStores } from './StoreBuilder.js'

/** Byte stores in memory that belong to no epoch: for the test driver, which commits after every record. */
export class MemoryByteStores implements ByteStores {
  readonly #stores = new Map<string, MemoryByteStore>()

  store(name: string): OrderedByteStore {
    const known = this.#stores.get(name)
    if (known !== undefined) return known
    const created = new MemoryByteStore()
    this.#stores.set(name, created)
    return created
  }

  names(prefix: string): readonly string[] {
    return [...this.#stores]
      .filter(([name, store]) => name.startsWith(prefix) && store.size > 0)
      .map(([name]) => name)
      .sort()
  }
}
