/** Runs asynchronous work on one thing in the order in which it was asked for, one at a time. */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>()

  /** Does `work` once all earlier work on `name` is over, whether that failed or not. */
  take<T>(name: string, work: () => Promise<T>): Promise<T> {
    const earlier = this.#last.get(name) ?? Promise.resolve()
    const mine = earlier.then(work, work)
    const settled = mine.then(
      () => undefined,
      () => undefined,
    )
    this.#last.set(name, settled)
    void settled.then(() => {
      if (this.#last.get(name) === settled) this.#last.delete(name)
    })
    return mine
  }
}
