import { OwnRecord } from '../../model/OwnRecord.js'
import type { Record } from '../../model/Record.js'
import type { Windowed } from '../../model/Windowed.js'
import type { ProcessorContext } from '../../processor/contexts.js'
import type { OperatorContext, OperatorInit } from '../../processor/OperatorContext.js'
import type { Processor, ProcessorSupplier } from '../../processor/Processor.js'
import type { StoreBuilder } from '../../state/StoreBuilder.js'
import type { WindowStore } from '../../state/stores.js'
import { type WindowAccess, windowAccess } from '../../state/WindowHandle.js'
import { Change } from '../Change.js'
import { TimeWindows } from '../TimeWindows.js'
import type { ValueAndTimestamp } from '../valueAndTimestamp.js'
import type { Windows } from '../Windows.js'
import type { Aggregation } from '../windows/Aggregation.js'
import { type Closing, WindowClosing } from './closeWindows.js'
import { noSuchWindow, wrapsAround } from './endOfTime.js'
import { recordPlace } from './recordPlace.js'
import { storedWith } from './storedWith.js'

/** What an aggregation per window is told apart from its windows. */
export interface WindowedSettings<K, V, A> {
  readonly aggregation: Aggregation<K, V, A>
  readonly store: StoreBuilder<WindowStore<K, ValueAndTimestamp<A>>, any>
  readonly sendsOldValues: boolean
  readonly onClose: boolean
}

type Context<K, A> = OperatorContext<K | null, Windowed<K>, Change<A>>
type Access<K, A> = WindowAccess<K, ValueAndTimestamp<A>>

/** Aggregates per key and window; sends each new result on, or the last one when its window closes (`kafka-streams.md` A.7). */
export function windowedAggregate<K, V, A>(
  windows: Windows,
  settings: WindowedSettings<K, V, A>,
): ProcessorSupplier<K | null, V, Windowed<K>, Change<A>> {
  return { sync: true, stores: [settings.store], get: () => new WindowedAggregate(windows, settings) }
}

class WindowedAggregate<K, V, A> implements Processor<K | null, V, Windowed<K>, Change<A>> {
  readonly #closing: WindowClosing<ValueAndTimestamp<A>, A> | undefined
  readonly #stored: (value: A, timestamp: number) => ValueAndTimestamp<A>

  constructor(
    private readonly windows: Windows,
    private readonly settings: WindowedSettings<K, V, A>,
  ) {
    const { store, onClose } = settings
    this.#stored = storedWith(store)
    this.#closing = onClose ? closingOf(closingWindows(windows), store) : undefined
  }

  init(context: ProcessorContext): void {
    this.#closing?.init(context as OperatorInit, windowAccess(context.store(this.settings.store)).closer as never)
  }

  process(record: Record<K | null, V>, ctx: Context<K, A>): void {
    const { key, timestamp } = record
    if (key === null || key === undefined) {
      ctx.drop('null_key', `Skipping record due to null key. ${recordPlace(ctx)}`)
      return
    }
    const clock = ctx.observe(timestamp)
    this.#closing?.beforeAdding(clock, record, ctx)
    const starts = this.windows.startsFor(timestamp)
    this.#refuseWrapped(starts, timestamp, ctx)
    if (starts.length === 0) this.#beforeAll(timestamp, ctx)
    else this.#add(record as Record<K, V>, starts, clock, ctx)
    this.#closing?.afterAdding(clock, record, ctx)
  }

  /** As Kafka Streams, which makes all windows of a record before it adds it to any. */
  #refuseWrapped(starts: readonly number[], timestamp: number, ctx: Context<K, A>): void {
    const last = starts.at(-1)
    if (last === undefined || !(this.windows instanceof TimeWindows)) return
    if (!wrapsAround(last + this.windows.sizeMs, ctx)) return
    throw noSuchWindow('Window endMs time cannot be smaller than window startMs time.', timestamp)
  }

  #add(record: Record<K, V>, starts: readonly number[], clock: number, ctx: Context<K, A>): void {
    const store: Access<K, A> = windowAccess(ctx.store(this.settings.store))
    const keyBytes = store.keyBytes(record.key)
    // A window is late once its end is at or below the close time: at equality it is dropped.
    const closeTime = clock - this.windows.graceMs
    for (const start of starts) {
      const end = this.windows.endOf(start)
      if (end > closeTime) this.#update(record, { start, end }, keyBytes, store, ctx)
      else this.#late(record, start, end, closeTime, clock, ctx)
    }
  }

  #update(
    { key, value, timestamp, headers }: Record<K, V>,
    window: Windowed<K>['window'],
    keyBytes: Uint8Array,
    store: Access<K, A>,
    ctx: Context<K, A>,
  ): void {
    const { aggregation, sendsOldValues, onClose } = this.settings
    const stored = store.valueAt(keyBytes, window.start)
    const old = stored === undefined ? aggregation.initial() : stored.value
    const newest = stored === undefined ? timestamp : Math.max(timestamp, stored.timestamp)
    const result = aggregation.add(key, value, old) ?? null
    store.putAt(key, keyBytes, result === null ? undefined : this.#stored(result, newest), window.start)
    if (onClose) return
    const change = new Change(result, sendsOldValues ? old : null)
    void ctx.forward(new OwnRecord({ key, window }, change, newest, headers))
  }

  #late(
    { timestamp }: Record<K, V>,
    start: number,
    end: number,
    closeTime: number,
    clock: number,
    ctx: Context<K, A>,
  ): void {
    ctx.drop(
      'late_window',
      `Skipping record for expired window. ${recordPlace(ctx)} timestamp=[${timestamp}] ` +
        `window=[${start},${end}) expiration=[${closeTime}] streamTime=[${clock}]`,
    )
  }

  #beforeAll(timestamp: number, ctx: Context<K, A>): void {
    ctx.silentLoss(
      'before_unlimited_window',
      `Lost a record from before the first window. ${recordPlace(ctx)} timestamp=[${timestamp}]`,
    )
  }
}

/** By the windows that hold the close time: all that start before them have closed. */
function closingWindows(windows: Windows): Closing {
  const firstOpen = (closeTime: number) => windows.startsFor(closeTime)[0] ?? closeTime
  return {
    closeTime: (clock) => clock - windows.graceMs,
    span: (closedUpTo, closeTime) =>
      closeTime < 0 ? undefined : { from: closedUpTo < 0 ? 0 : firstOpen(closedUpTo), to: firstOpen(closeTime) - 1 },
  }
}

/** The closing of an aggregation that keeps each window's value with its time. */
export function closingOf<K, A>(
  closing: Closing,
  store: StoreBuilder<WindowStore<K, ValueAndTimestamp<A>>, any>,
): WindowClosing<ValueAndTimestamp<A>, A> {
  const result = {
    valueOf: ({ value }: ValueAndTimestamp<A>) => value,
    timestampOf: ({ timestamp }: ValueAndTimestamp<A>) => timestamp,
  }
  return new WindowClosing(closing, result, (ctx) => windowAccess(ctx.store(store)).closer)
}
