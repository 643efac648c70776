import type { Headers } from '../model/Headers.js'
import type { Record } from '../model/Record.js'
import type { StoreBuilder } from '../state/StoreBuilder.js'
import type { Cancellable } from '../time/Clock.js'
import type { TimerRegistration, TimerTarget } from '../timers/Timer.js'

/** What a processor instance knows for its whole life. From `init`; it reads stores, never writes (L10). */
export interface ProcessorContext {
  readonly applicationId: string
  readonly node: string
  readonly subTopology: number
  readonly lane: number
  readonly laneCount: number
  /** A read-only handle of a connected store. */
  store<S, R>(builder: StoreBuilder<S, R>): R
  /**
   * Plans a callback that comes again and again (W5), until it is cancelled or this instance ends; also from a callback.
   * It is an item of this instance's lane, never at the same time as one of its records, and not state: a restart
   * plans anew.
   *
   * `stream-time` goes by the event clock of the node: due with the first record, then whenever the clock reaches or
   * passes a multiple of the interval; it is called with the clock. `wall-clock-time` is due an interval after it was
   * planned, and so on; it is called with the wall clock. Firings that were missed collapse into one.
   *
   * @param intervalMs an integer of at least 1
   * @returns a handle to cancel it, also from within the callback
   * @throws StreamError PUNCTUATION_INVALID for an interval, clock or start that cannot be
   * @example
   * context.schedule(seconds(10), 'stream-time', (at, ctx) => ctx.forward({ key: 'all', value: at }))
   */
  schedule(intervalMs: number, type: PunctuationType, callback: Punctuator, options?: PunctuationOptions): Cancellable
}

/** Which clock a punctuator goes by. */
export type PunctuationType = 'stream-time' | 'wall-clock-time'

/**
 * What a schedule calls. `at` is the current stream time or wall-clock time in ms, not the one it was due at. What it
 * forwards without a timestamp is stamped with `at`; there is no record metadata. In it `get` and `put` reach any
 * key, while `all`, `range` and `fetchAll` yield the keys of its lane only, so that over all lanes each comes once.
 * What it throws goes to the processing handler.
 */
export type Punctuator = (at: number, ctx: CallbackContext<any, any, any>) => void | Promise<void>

export interface PunctuationOptions {
  /**
   * `lane` (default): on each lane's instance. `node`: once for the node, on the lane that planned it first, with all
   * lanes of the node at rest, and its scans see every key. The n-th such call of each instance is the same schedule.
   */
  readonly scope?: 'lane' | 'node'
  /**
   * Fires at this time in ms, and every interval from there on, instead of at multiples since 0 or since the call.
   * Lies it behind: with the first record (stream time), at the next such multiple after now (wall clock).
   */
  readonly startMs?: number
}

/** Where the source record of this callback was read. Absent for timers. */
export interface RecordMetadata {
  readonly topic: string
  readonly partition: number
  readonly offset: number
}

/** A record to forward; what is left out is taken from the callback (T12). */
export interface ForwardedRecord<K, V> {
  readonly key: K
  readonly value: V
  /** Ms. Default: the processed record's; in `onTimer` the timer's time (event time) or the event clock (processing time). */
  readonly timestamp?: number
  /** Default: the processed record's; empty in `onTimer`. */
  readonly headers?: Headers
}

/** Keyed timers of this processor (T1 to T7). */
export interface Timers<K> {
  /**
   * Plans a callback for a key at a time. Unnamed: one per key and time. Named: one per key and name;
   * registering again moves it (T2). The key may be any key; its timer fires on that key's lane (T7).
   *
   * @throws StreamError TIMER_INVALID for a null key, a time that is no integer in 0 … 2^53−1, or an undeclared domain
   * @throws TimerLaneAffinityException when the guard proves a split (A2)
   */
  register(timer: TimerRegistration<K>): void
  /** Takes a timer back. Deleting one that does not exist does nothing. */
  delete(timer: TimerTarget<K>): void
}

/**
 * What one callback may do. It belongs to that callback: once the callback has settled, every use throws
 * CALLBACK_SETTLED (L10), so that a floating promise cannot write into the next record's work.
 */
export interface CallbackContext<KI, KO, VO> {
  /**
   * Hands a record to one child, or to all in the order in which they were added.
   * Children of one record never overlap: a later `forward` queues behind a pending one, awaited or not.
   *
   * @returns a promise only when a child is asynchronous
   */
  forward(record: ForwardedRecord<KO, VO>, child?: string): void | Promise<void>
  /** This callback's handle of a connected store: reads and writes. */
  store<S, R>(builder: StoreBuilder<S, R>): S
  readonly timers: Timers<NonNullable<KI>>
  /** Wall-clock time in ms, from the injected clock. */
  readonly now: number
  /** The event clock of this node in ms (W7); −1 while unknown. */
  readonly eventTime: number
  /** A number in [0, 1) from the injected randomness. */
  random(): number
  /** Waits by the injected clock. The lane stays taken. */
  sleep(ms: number): Promise<void>
  /** Runs I/O under a name, so that a recorded run can replay its result. */
  call<T>(name: string, fn: () => Promise<T> | T): Promise<T>
  /** Aborts when this incarnation of the engine ends (E7). */
  readonly signal: AbortSignal
  readonly recordMetadata: RecordMetadata | undefined
}

export type { Record }
