/** Time that has passed, and time of the processor that this process took, both in ms. */
export interface Times {
  readonly ms: number
  readonly cpuMs: number
}

/** Starts when it is made. */
export class Stopwatch {
  readonly #started = performance.now()
  readonly #cpu = process.cpuUsage()

  read(): Times {
    const ms = performance.now() - this.#started
    const { user, system } = process.cpuUsage(this.#cpu)
    return { ms, cpuMs: (user + system) / 1000 }
  }
}
