import { RingQueue } from '../../lanes/RingQueue.js'

/**
 * The greatest timestamp below an offset that only grows, for records noted in the order of their offsets (W6).
 * Holds nothing but the maxima between that offset and the newest one.
 */
export class TimesByOffset {
  readonly #offsets = new RingQueue<number>()
  readonly #times = new RingQueue<number>()
  /** The greatest time noted. */
  #greatest: number

  constructor(
    /** The greatest time below the first offset, in ms; −1 while unknown. */
    private maximum: number,
  ) {
    this.#greatest = maximum
  }

  note(offset: number, timestamp: number): void {
    if (timestamp <= this.#greatest) return
    this.#greatest = timestamp
    this.#offsets.push(offset)
    this.#times.push(timestamp)
  }

  below(offset: number): number {
    for (let next = this.#offsets.peek(); next !== undefined && next < offset; next = this.#offsets.peek()) {
      this.#offsets.shift()
      this.maximum = this.#times.shift() as number
    }
    return this.maximum
  }
}
