import type { RestoreAmount, RestoreFacts } from '@lanescope/core'
import type { WireRestore, WireRestoreAmount } from '@lanescope/shared'

type Part = WireRestore['parts'][number]

/** Puts together what the engine tells of one store at a time. A restart in place begins another restore. */
export class RestoreTally {
  readonly #parts = new Map<string, Part>()
  #offsets = 0
  #elapsedMs = 0

  /** @param at wall clock in ms */
  take(facts: RestoreFacts, at: number): WireRestore {
    const { owner, total } = facts
    if (total.elapsedMs < this.#elapsedMs) this.#beginAnew()
    this.#elapsedMs = total.elapsedMs
    // The first one of a store, and of all, is told before anything was read.
    this.#offsets = Math.max(this.#offsets, total.left)
    const offsets = Math.max(this.#parts.get(owner)?.offsets ?? 0, facts.left)
    this.#parts.set(owner, { ...amountOf(facts, offsets), store: owner })
    return {
      ...amountOf(total, this.#offsets),
      at,
      elapsedMs: total.elapsedMs,
      stores: total.stores,
      storesLeft: total.storesLeft,
      parts: [...this.#parts.values()],
    }
  }

  #beginAnew(): void {
    this.#parts.clear()
    this.#offsets = 0
  }
}

function amountOf({ records, bytes, left, leftMs }: RestoreAmount, offsets: number): WireRestoreAmount {
  return { records, bytes, offsets, left, ...(leftMs === undefined ? {} : { leftMs }) }
}
