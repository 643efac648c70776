import { arePacked, newChangeView, type PackedChanges } from './epoch/PackedChanges.js'
import { MemoryByteStores } from './MemoryByteStores.js'
import type { OrderedByteStore } from './OrderedByteStore.js'
import type { ChangelogMarks, StateBackend, StoreChanges } from './StateBackend.js'

/** Shorter arrays are copied by a loop: a call costs more. */
const SHORT = 64

/** Committed state in memory: it outlives a restart in place, not the process. */
export class MemoryStateBackend implements StateBackend {
  readonly #stores = new MemoryByteStores()
  #committedEpoch: number | undefined
  #marks: ChangelogMarks = new Map()

  get committedEpoch(): number | undefined {
    return this.#committedEpoch
  }

  get changelogMarks(): ChangelogMarks {
    return this.#marks
  }

  get damaged(): readonly string[] {
    return []
  }

  open(store: string): OrderedByteStore {
    return this.#stores.store(store)
  }

  names(prefix: string): readonly string[] {
    return this.#stores.names(prefix)
  }

  async commit(epoch: number, changes: readonly StoreChanges[], marks: ChangelogMarks = this.#marks): Promise<void> {
    this.#apply(changes)
    this.#committedEpoch = epoch
    this.#marks = marks
  }

  async restore(changes: readonly StoreChanges[], marks: ChangelogMarks = new Map()): Promise<void> {
    this.#committedEpoch = undefined
    this.#marks = marks
    for (const { store, cleared, entries } of changes) {
      const target = this.open(store)
      if (cleared) target.clear()
      for (const [key, value] of entries) {
        // A deletion may be of something that came and went before what is replayed.
        if (value === undefined) target.delete(key)
        else target.set(key, value)
      }
    }
  }

  async reset(): Promise<void> {
    this.#committedEpoch = undefined
    this.#marks = new Map()
    for (const name of this.names('')) this.open(name).clear()
  }

  async close(): Promise<void> {
    // What is in memory goes with its last reader.
  }

  #apply(changes: readonly StoreChanges[]): void {
    for (const { store, cleared, entries } of changes) {
      const target = this.open(store)
      if (cleared) target.clear()
      if (arePacked(entries)) applyPacked(target, entries)
      else {
        for (const [key, value] of entries) {
          if (value === undefined) target.remove(key)
          else target.set(key, value)
        }
      }
    }
  }
}

/** A store in memory copies what it is given, so one array does for many keys, and one for many values. */
function applyPacked(target: OrderedByteStore, changes: PackedChanges): void {
  const view = newChangeView()
  let keyBytes = new Uint8Array(0)
  let valueBytes = new Uint8Array(0)
  for (let index = 0; index < changes.size; index++) {
    changes.look(index, view)
    const { key, keyFrom, keyTo, value, valueFrom, valueTo } = view
    keyBytes = copyInto(keyBytes, key, keyFrom, keyTo)
    if (value === undefined) {
      target.remove(keyBytes)
      continue
    }
    valueBytes = copyInto(valueBytes, value, valueFrom, valueTo)
    target.set(keyBytes, valueBytes)
  }
}

/** @returns an array of that length, the same one if it has it */
function copyInto(
  array: Uint8Array<ArrayBuffer>,
  bytes: Uint8Array,
  from: number,
  to: number,
): Uint8Array<ArrayBuffer> {
  const length = to - from
  const copy = array.length === length ? array : new Uint8Array(length)
  if (length > SHORT) copy.set(bytes.subarray(from, to))
  else for (let i = 0; i < length; i++) copy[i] = bytes[from + i] as number
  return copy
}
