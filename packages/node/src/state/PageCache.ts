/** What a page costs beside its bytes. */
const PAGE_OVERHEAD = 150

/**
 * Pages that were used lately, within a budget of bytes. Two generations instead of a list by use: a page that is used
 * is in the young one; when that has filled half of the budget it becomes the old one, and what the old one had left
 * is forgotten. A page that is used is so never the one to go.
 */
export class PageCache {
  #young = new Map<number, Uint8Array>()
  #old = new Map<number, Uint8Array>()
  #youngBytes = 0

  /** @param budget in bytes */
  constructor(private readonly budget: number) {}

  /** How many pages are in it. One may count twice. */
  get pages(): number {
    return this.#young.size + this.#old.size
  }

  get(id: number): Uint8Array | undefined {
    const page = this.#young.get(id)
    if (page !== undefined) return page
    const old = this.#old.get(id)
    if (old !== undefined) this.put(id, old)
    return old
  }

  put(id: number, page: Uint8Array): void {
    this.delete(id)
    this.#young.set(id, page)
    this.#youngBytes += page.length + PAGE_OVERHEAD
    if (2 * this.#youngBytes <= this.budget) return
    this.#old = this.#young
    this.#young = new Map()
    this.#youngBytes = 0
  }

  delete(id: number): void {
    const young = this.#young.get(id)
    if (young !== undefined) {
      this.#young.delete(id)
      this.#youngBytes -= young.length + PAGE_OVERHEAD
    }
    this.#old.delete(id)
  }

  clear(): void {
    this.#young.clear()
    this.#old.clear()
    this.#youngBytes = 0
  }
}
