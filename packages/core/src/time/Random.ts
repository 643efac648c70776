/** A source of numbers in [0, 1). Injected, so that a run can be repeated. */
export interface Random {
  next(): number
}

/** Mulberry32: small, fast and repeatable from its seed. Not for secrets. */
export class SeededRandom implements Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let t = this.#state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

export class SystemRandom implements Random {
  next(): number {
    return Math.random()
  }
}
