/** Named counters with labels, as a scrape shows them. */
export class Counters {
  readonly #values = new Map<string, number>()

  add(name: string, by = 1): void {
    this.#values.set(name, (this.#values.get(name) ?? 0) + by)
  }

  addAll(counts: ReadonlyMap<string, number>): void {
    for (const [name, by] of counts) this.add(name, by)
  }

  get(name: string): number {
    return this.#values.get(name) ?? 0
  }

  /** Makes it visible at 0, so that an alert on its increase sees the first hit (A4). */
  register(name: string): void {
    if (!this.#values.has(name)) this.#values.set(name, 0)
  }

  all(): { readonly [name: string]: number } {
    return Object.fromEntries(this.#values)
  }
}
