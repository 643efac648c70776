/** Something that sleeps until woken. A call while nobody sleeps is remembered, so none is lost. */
export class Wakeable {
  #called = false
  #resume: (() => void) | undefined

  wake(): void {
    this.#called = true
    this.#resume?.()
  }

  /** Resolves at the next `wake`, or at once when there has been one since the last wait. */
  async wait(): Promise<void> {
    if (!this.#called) {
      await new Promise<void>((resolve) => {
        this.#resume = resolve
      })
      this.#resume = undefined
    }
    this.#called = false
  }
}
