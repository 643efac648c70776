/** Lets records be moved in files that others read: whoever read meanwhile reads again where they are by then. */
export class Moves {
  #count = 0
  #underWay: Promise<unknown> | undefined

  /** Never two at once. */
  async moving<T>(move: () => Promise<T>): Promise<T> {
    this.#count++
    const work = move()
    this.#underWay = work.catch(() => undefined)
    try {
      return await work
    } finally {
      this.#underWay = undefined
    }
  }

  /** @param read looks up where to read each time */
  async reading<T>(read: () => Promise<T>): Promise<T> {
    for (;;) {
      if (this.#underWay !== undefined) await this.#underWay
      const count = this.#count
      try {
        const result = await read()
        if (count === this.#count) return result
      } catch (error) {
        if (count === this.#count) throw error
      }
    }
  }
}
