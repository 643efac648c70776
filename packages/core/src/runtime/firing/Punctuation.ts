import type { PunctuationType, Punctuator } from '../../processor/contexts.js'
import type { Cancellable } from '../../time/Clock.js'
import type { ClockStamp } from '../clocks/ClockBoard.js'
import type { NodeInstance } from '../nodes/NodeInstance.js'

/** One schedule of a processor (W5, `kafka-streams.md` B.4): a callback that comes again and again. */
export class Punctuation implements Cancellable {
  /** No time is due that an interval might wrap around to: past 2^53−1 it never fires again. */
  #next: number
  #cancelled = false
  /** Wall-clock ones only: a tick has found it due, so that a lane need not read the clock for each record. */
  marked = false
  /** Of a scan (`when`): the last clock at which there was nothing to do, in ms. What it sends on is stamped with it (W3). */
  seen = -1
  /** Of a scan that is due: since which clock, and the stamp that holds the clock of all behind it back until it is done. */
  pending: { readonly at: number; readonly stamp: ClockStamp } | undefined

  constructor(
    /** Whose lane it runs on. */
    readonly instance: NodeInstance,
    readonly type: PunctuationType,
    readonly intervalMs: number,
    readonly callback: Punctuator,
    firstMs: number,
    readonly wholeNode: boolean,
    /** Set on a scan by the event clock: whether there is anything to do at it. Else it fires whenever its time has come. */
    readonly when?: ((now: number) => boolean) | undefined,
  ) {
    this.#next = firstMs
  }

  /** The earliest time at which it fires next, in ms; infinite when it never does. */
  get next(): number {
    return this.#cancelled ? Number.POSITIVE_INFINITY : this.#next
  }

  cancel(): void {
    this.#cancelled = true
  }

  get cancelled(): boolean {
    return this.#cancelled
  }

  /** It fires now: those it has missed collapse into this one. @param now stream time or wall clock, at least `next` */
  fires(now: number): void {
    this.marked = false
    this.#next = nextMultiple(this.#next, this.intervalMs, now)
  }
}

/** The first of `start`, `start` + interval, … that is later than `now`; infinite beyond 2^53−1. `now` is not before `start`. */
export function nextMultiple(start: number, intervalMs: number, now: number): number {
  // By the remainder, because a product of large numbers would lose its last digits.
  const next = now - ((now - start) % intervalMs) + intervalMs
  return Number.isSafeInteger(next) ? next : Number.POSITIVE_INFINITY
}
