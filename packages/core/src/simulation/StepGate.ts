/** Holds a run behind a step until somebody wants it to go on. */
export class StepGate {
  /** How far the run has come. */
  step = 0
  #target = -1
  #goOn: (() => void) | undefined
  #arrived: (() => void) | undefined

  /** Lets the run go on. Resolves when it stands behind this step. */
  to(step: number): Promise<void> {
    if (this.#goOn !== undefined && this.step === step) return Promise.resolve()
    this.#target = step
    return new Promise((resolve) => {
      this.#arrived = resolve
      const goOn = this.#goOn
      this.#goOn = undefined
      goOn?.()
    })
  }

  /** The run has come to this step. @returns what it has to wait for */
  reached(step: number): Promise<void> | undefined {
    this.step = step
    if (step < this.#target) return undefined
    const waits = new Promise<void>((resolve) => {
      this.#goOn = resolve
    })
    this.#arrived?.()
    return waits
  }
}
