import { SeededRandom } from '../time/Random.js'

/** Whoever decides when an `await` that has its value goes on. */
export interface AwaitHost {
  /**
   * Waits for a value, or a promise or thenable of one, then calls one of the two, once, when the host sees fit.
   *
   * @param label what waits, for people
   */
  await(value: unknown, resume: (value: any) => void, fail: (error: unknown) => void, label?: string): void
}

/** What a simulation lends to compiled user code: its scheduler, and its own clock and chance. */
export interface SimulatedHost extends AwaitHost {
  /** Wall-clock ms. */
  now(): number
  /** Ms since the start of the run. */
  monotonic(): number
  /** In [0, 1). */
  random(): number
}

/**
 * Stands where a simulation will be: user code is linked once and run under one simulation after the other. Between
 * them time is 0, chance is that of seed 0, and an `await` goes on in the order of the JavaScript host.
 */
export class HostSlot implements SimulatedHost {
  #host: SimulatedHost | undefined
  readonly #idle = new SeededRandom(0)

  /** From now on this simulation decides; undefined: none does. */
  use(host: SimulatedHost | undefined): void {
    this.#host = host
  }

  await(value: unknown, resume: (value: any) => void, fail: (error: unknown) => void, label?: string): void {
    if (this.#host === undefined) Promise.resolve(value).then(resume, fail)
    else this.#host.await(value, resume, fail, label)
  }

  now(): number {
    return this.#host?.now() ?? 0
  }

  monotonic(): number {
    return this.#host?.monotonic() ?? 0
  }

  random(): number {
    return (this.#host ?? { random: () => this.#idle.next() }).random()
  }
}
