/** Keeps the first few of what comes in a frame, fairly over the places it comes from, and counts the rest. */
export class Sampler<T> {
  readonly #most: number
  readonly #mostPerPlace: number
  #kept: T[] = []
  #perPlace = new Map<string, number>()
  #leftOut = 0

  constructor(most: number, mostPerPlace: number) {
    this.#most = most
    this.#mostPerPlace = mostPerPlace
  }

  /** `make` is called only for what is kept. */
  offer(place: string, make: () => T): void {
    const here = this.#perPlace.get(place) ?? 0
    if (this.#kept.length >= this.#most || here >= this.#mostPerPlace) {
      this.#leftOut++
      return
    }
    this.#perPlace.set(place, here + 1)
    this.#kept.push(make())
  }

  take(): { readonly kept: readonly T[]; readonly leftOut: number } {
    const taken = { kept: this.#kept, leftOut: this.#leftOut }
    this.#kept = []
    this.#perPlace = new Map()
    this.#leftOut = 0
    return taken
  }
}
