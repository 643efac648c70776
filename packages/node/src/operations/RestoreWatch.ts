import type { RestoreFacts } from '@lanescope/core'

/** What is told of the rebuilding of one store. */
export interface StoreRestoring {
  readonly store: string
  readonly records: number
  readonly bytes: number
  /** Offsets that are still to be read. */
  readonly left: number
  /** About, in ms; absent while nothing has come. */
  readonly leftMs?: number
}

/** What `/ready` tells of a start that restores. */
export interface Restoring extends Omit<StoreRestoring, 'store'> {
  readonly storesLeft: number
  /** Those that have had their turn. */
  readonly stores: readonly StoreRestoring[]
}

/** How far the rebuilding of state is, from what the engine tells. */
export class RestoreWatch {
  readonly #stores = new Map<string, RestoreFacts>()
  /** What earlier restores in this process have read, so that counters never go back. */
  readonly #before = new Map<string, { records: number; bytes: number }>()
  #last: RestoreFacts | undefined

  take(facts: RestoreFacts): void {
    const known = this.#stores.get(facts.owner)
    if (known !== undefined && facts.records < known.records) {
      const { records, bytes } = this.#before.get(facts.owner) ?? { records: 0, bytes: 0 }
      this.#before.set(facts.owner, { records: records + known.records, bytes: bytes + known.bytes })
    }
    this.#stores.set(facts.owner, facts)
    this.#last = facts
  }

  /** Undefined where nothing is left to be read. */
  get now(): Restoring | undefined {
    if (this.#last === undefined || this.#last.total.storesLeft === 0) return undefined
    const { records, bytes, left, leftMs, storesLeft } = this.#last.total
    return { records, bytes, left, ...timeLeft(leftMs), storesLeft, stores: [...this.#stores.values()].map(toStore) }
  }

  /** Of each store that has been rebuilt, or is being: with what was read in this process. */
  get stores(): readonly StoreRestoring[] {
    return [...this.#stores.values()].map((facts) => {
      const { records, bytes } = this.#before.get(facts.owner) ?? { records: 0, bytes: 0 }
      return { ...toStore(facts), records: records + facts.records, bytes: bytes + facts.bytes }
    })
  }
}

function toStore({ owner, records, bytes, left, leftMs }: RestoreFacts): StoreRestoring {
  return { store: owner, records, bytes, left, ...timeLeft(leftMs) }
}

function timeLeft(leftMs: number | undefined): { readonly leftMs?: number } {
  return leftMs === undefined ? {} : { leftMs }
}
