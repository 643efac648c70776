/** A first-in-first-out queue over a growing ring: no shifting, no allocation at a steady length. */
export class RingQueue<T> {
  #slots: (T | undefined)[]
  #head = 0
  #length = 0

  constructor(initialCapacity = 16) {
    let capacity = 2
    while (capacity < initialCapacity) capacity *= 2
    this.#slots = new Array<T | undefined>(capacity)
  }

  get length(): number {
    return this.#length
  }

  push(value: T): void {
    if (this.#length === this.#slots.length) this.#grow()
    this.#slots[(this.#head + this.#length) & (this.#slots.length - 1)] = value
    this.#length++
  }

  peek(): T | undefined {
    return this.#length === 0 ? undefined : this.#slots[this.#head]
  }

  shift(): T | undefined {
    if (this.#length === 0) return undefined
    const value = this.#slots[this.#head]
    this.#slots[this.#head] = undefined
    this.#head = (this.#head + 1) & (this.#slots.length - 1)
    this.#length--
    return value
  }

  #grow(): void {
    const slots = new Array<T | undefined>(this.#slots.length * 2)
    for (let i = 0; i < this.#length; i++) slots[i] = this.#slots[(this.#head + i) & (this.#slots.length - 1)]
    this.#slots = slots
    this.#head = 0
  }
}
