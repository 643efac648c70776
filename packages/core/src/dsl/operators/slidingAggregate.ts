import { StreamError } from '../../errors/StreamError.js'
import type { Record } from '../../model/Record.js'
import type { Window, Windowed } from '../../model/Windowed.js'
import type { ProcessorContext } from '../../processor/contexts.js'
import type { OperatorContext, OperatorInit } from '../../processor/OperatorContext.js'
import type { Processor, ProcessorSupplier } from '../../processor/Processor.js'
import { type WindowAccess, windowAccess } from '../../state/WindowHandle.js'
import { Change } from '../Change.js'
import type { SlidingWindows } from '../SlidingWindows.js'
import type { ValueAndTimestamp } from '../valueAndTimestamp.js'
import type { Closing, WindowClosing } from './closeWindows.js'
import { wrapsAround } from './endOfTime.js'
import { recordPlace } from './recordPlace.js'
import { storedWith } from './storedWith.js'
import { closingOf, type WindowedSettings } from './windowedAggregate.js'

type Context<K, A> = OperatorContext<K | null, Windowed<K>, Change<A>>

/** One record on its way through the windows of its key. */
interface Adding<K, V, A> {
  readonly record: Record<K, V>
  readonly keyBytes: Uint8Array
  readonly clock: number
  readonly closeTime: number
  readonly store: WindowAccess<K, ValueAndTimestamp<A>>
  readonly ctx: Context<K, A>
}

/** What the windows around a record's time say, as far as they exist already. */
interface Around<A> {
  /** Starts that were seen. */
  readonly starts: Set<number>
  /** The newest time of the key before the record's own. */
  previous: number | undefined
  /** Of the window that holds the previous record, when that is all of the new left window but the record. */
  left: ValueAndTimestamp<A> | undefined
  /** Of the latest window that holds the record's time and ends behind it: what the record's right window holds too. */
  right: ValueAndTimestamp<A> | undefined
  hasLeft: boolean
  hasRight: boolean
}

/**
 * Aggregates per key and sliding window, in Kafka's order: windows that hold the record from the latest to the earliest,
 * then those that the record calls into being (`kafka-streams.md` C.7).
 */
export function slidingAggregate<K, V, A>(
  windows: SlidingWindows,
  settings: WindowedSettings<K, V, A>,
): ProcessorSupplier<K | null, V | null, Windowed<K>, Change<A>> {
  return { sync: true, stores: [settings.store], get: () => new SlidingAggregate(windows, settings) }
}

class SlidingAggregate<K, V, A> implements Processor<K | null, V | null, Windowed<K>, Change<A>> {
  readonly #closing: WindowClosing<ValueAndTimestamp<A>, A> | undefined
  readonly #stored: (value: A, timestamp: number) => ValueAndTimestamp<A>
  readonly #difference: number

  constructor(
    private readonly windows: SlidingWindows,
    private readonly settings: WindowedSettings<K, V, A>,
  ) {
    this.#difference = windows.timeDifferenceMs
    this.#stored = storedWith(settings.store)
    this.#closing = settings.onClose ? closingOf(closingWindows(windows), settings.store) : undefined
  }

  init(context: ProcessorContext): void {
    this.#closing?.init(context as OperatorInit, windowAccess(context.store(this.settings.store)).closer as never)
  }

  process(record: Record<K | null, V | null>, ctx: Context<K, A>): void {
    const { key, value, timestamp } = record
    if (key === null || key === undefined || value === null || value === undefined) {
      const missing = key === null || key === undefined ? 'null_key' : 'null_value'
      ctx.drop(missing, `Skipping record due to null key or value. ${recordPlace(ctx)}`)
      return
    }
    const clock = ctx.observe(timestamp)
    const closeTime = clock - this.windows.graceMs
    this.#closing?.beforeAdding(clock, record, ctx)
    if (timestamp + this.#difference < closeTime || wrapsAround(timestamp + this.#difference, ctx)) {
      this.#late({ start: timestamp, end: timestamp + this.#difference }, timestamp, closeTime, clock, ctx)
    } else {
      const store = windowAccess<K, ValueAndTimestamp<A>>(ctx.store(this.settings.store))
      const keyBytes = store.keyBytes(key)
      this.#add({ record: record as Record<K, V>, keyBytes, clock, closeTime, store, ctx })
    }
    this.#closing?.afterAdding(clock, record, ctx)
  }

  #add(adding: Adding<K, V, A>): void {
    if (adding.record.timestamp < this.#difference) this.#addEarly(adding)
    else this.#addAmong(adding)
  }

  #addAmong(adding: Adding<K, V, A>): void {
    const { timestamp } = adding.record
    const around = this.#updateAround(adding)
    const { previous, left, right, starts } = around
    if (previous !== undefined && !starts.has(previous + 1) && previous + 1 + this.#difference >= timestamp) {
      this.#create(adding, previous + 1)
    }
    if (!around.hasLeft) {
      const start = timestamp - this.#difference
      if (previous !== undefined && start <= previous && left !== undefined)
        this.#update(adding, start, left, timestamp)
      else this.#create(adding, start)
    }
    if (!around.hasRight && right !== undefined && right.timestamp > timestamp) this.#createRight(adding, right)
  }

  /** Adds the record to the windows that hold it and are there, the latest first, and looks at the next one before them. */
  #updateAround(adding: Adding<K, V, A>): Around<A> {
    const { timestamp } = adding.record
    const around: Around<A> = {
      starts: new Set(),
      previous: undefined,
      left: undefined,
      right: undefined,
      hasLeft: false,
      hasRight: false,
    }
    for (const [start, stored] of this.#around(adding)) {
      around.starts.add(start)
      const end = start + this.#difference
      if (start === timestamp + 1) {
        around.hasRight = true
      } else if (end > timestamp) {
        around.right ??= stored
        this.#update(adding, start, stored, stored.timestamp)
      } else if (end === timestamp) {
        around.hasLeft = true
        if (stored.timestamp < timestamp) around.previous = stored.timestamp
        this.#update(adding, start, stored, stored.timestamp)
      } else {
        around.left = stored
        around.previous = stored.timestamp
        break
      }
    }
    return around
  }

  /** A record of before the difference: all of those share the window from 0 on. */
  #addEarly(adding: Adding<K, V, A>): void {
    const { timestamp } = adding.record
    const starts = new Set<number>()
    let combined: ValueAndTimestamp<A> | undefined
    let right: ValueAndTimestamp<A> | undefined
    let hasRight = false
    let previous: number | undefined
    for (const [start, stored] of [...this.#around(adding)].reverse()) {
      starts.add(start)
      if (start === 0) {
        combined = stored
        if (stored.timestamp < timestamp) previous = stored.timestamp
      } else if (start <= timestamp) {
        right = stored
        this.#update(adding, start, stored, stored.timestamp)
      } else {
        hasRight = true
      }
    }
    // No window starts behind an earlier record: so all that the combined one holds lies behind this one.
    right ??= combined
    if (!hasRight && right !== undefined && right.timestamp > timestamp) this.#createRight(adding, right)
    if (previous !== undefined && !starts.has(previous + 1)) this.#create(adding, previous + 1)
    if (combined === undefined) this.#create(adding, 0)
    else this.#update(adding, 0, combined, combined.timestamp)
  }

  /** Windows of the key that a record of this time may belong to, the latest first. */
  #around({ record: { timestamp }, keyBytes, store }: Adding<K, V, A>) {
    return store.latestFirst(keyBytes, Math.max(0, timestamp - 2 * this.#difference), timestamp + 1)
  }

  #create(adding: Adding<K, V, A>, start: number): void {
    this.#put(adding, start, this.settings.aggregation.initial(), adding.record.timestamp)
  }

  #update(adding: Adding<K, V, A>, start: number, stored: ValueAndTimestamp<A>, timestamp: number): void {
    this.#put(adding, start, stored.value, Math.max(adding.record.timestamp, timestamp))
  }

  #put(adding: Adding<K, V, A>, start: number, old: A | null, timestamp: number): void {
    const { record, keyBytes, closeTime, clock, store, ctx } = adding
    const window = { start, end: start + this.#difference }
    if (this.#difference === 0) throw emptyWindow(start)
    if (window.end < closeTime) {
      this.#late(window, record.timestamp, closeTime, clock, ctx)
      return
    }
    const result = this.settings.aggregation.add(record.key, record.value, old) ?? null
    store.putAt(record.key, keyBytes, result === null ? undefined : this.#stored(result, timestamp), start)
    this.#forward(adding, window, result, old, timestamp)
  }

  /** What lies behind the record in its own reach: the record is not in it. */
  #createRight(adding: Adding<K, V, A>, right: ValueAndTimestamp<A>): void {
    const { record, keyBytes, store } = adding
    const start = record.timestamp + 1
    store.putAt(record.key, keyBytes, this.#stored(right.value, right.timestamp), start)
    this.#forward(adding, { start, end: start + this.#difference }, right.value, null, right.timestamp)
  }

  #forward({ record, ctx }: Adding<K, V, A>, window: Window, result: A | null, old: A | null, timestamp: number): void {
    if (this.settings.onClose) return
    const value = new Change(result, this.settings.sendsOldValues ? old : null)
    void ctx.forward({ key: { key: record.key, window }, value, timestamp, headers: record.headers })
  }

  #late({ start, end }: Window, timestamp: number, closeTime: number, clock: number, ctx: Context<K, A>): void {
    ctx.drop(
      'late_window',
      `Skipping record for expired window. ${recordPlace(ctx)} timestamp=[${timestamp}] ` +
        `window=[${start},${end}] expiration=[${closeTime}] streamTime=[${clock}]`,
    )
  }
}

/** Kafka Streams takes a difference of 0 and fails on the first record: its windows have a length. */
function emptyWindow(start: number): StreamError {
  return new StreamError(
    `Window endMs must be greater than window startMs. Sliding windows of difference 0 end where they start, at ${start}. ` +
      'Use a difference of at least 1 ms, or tumbling windows of 1 ms.',
    { code: 'PROCESSING_FAILED', kind: 'user', retriable: false },
  )
}

/** A window closes once the clock is past its inclusive end by more than the grace. */
function closingWindows({ timeDifferenceMs, graceMs }: SlidingWindows): Closing {
  return {
    closeTime: (clock) => clock - graceMs,
    span: (closedUpTo, closeTime) => ({
      from: closedUpTo < 0 ? 0 : Math.max(0, closedUpTo - timeDifferenceMs),
      to: closeTime - timeDifferenceMs - 1,
    }),
  }
}
