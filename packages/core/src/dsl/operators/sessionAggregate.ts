import { Headers } from '../../model/Headers.js'
import type { Record } from '../../model/Record.js'
import type { Window, Windowed } from '../../model/Windowed.js'
import type { ProcessorContext } from '../../processor/contexts.js'
import type { OperatorContext, OperatorInit } from '../../processor/OperatorContext.js'
import type { Processor, ProcessorSupplier } from '../../processor/Processor.js'
import { sessionAccess } from '../../state/SessionHandle.js'
import type { StoreBuilder } from '../../state/StoreBuilder.js'
import type { SessionStore } from '../../state/stores.js'
import { Change } from '../Change.js'
import type { SessionWindows } from '../SessionWindows.js'
import type { Aggregation } from '../windows/Aggregation.js'
import { type Closing, WindowClosing } from './closeWindows.js'
import { noSuchWindow, wrapsAround } from './endOfTime.js'
import { recordPlace } from './recordPlace.js'
import { type SessionForm, sessionForm } from './sessionForm.js'

/** What an aggregation per session is told apart from its windows. */
export interface SessionSettings<K, V, A> {
  readonly aggregation: Aggregation<K, V, A>
  readonly store: StoreBuilder<SessionStore<K, any>, any>
  readonly sendsOldValues: boolean
  readonly onClose: boolean
}

type Context<K, A> = OperatorContext<K | null, Windowed<K>, Change<A>>

/**
 * Aggregates per key and session. A record that joins sessions sends a deletion for each of them, then the one that
 * they have become; the time of a result is the session's end, and it has no headers (`kafka-streams.md` A.7, A.8).
 */
export function sessionAggregate<K, V, A>(
  windows: SessionWindows,
  settings: SessionSettings<K, V, A>,
): ProcessorSupplier<K | null, V, Windowed<K>, Change<A>> {
  return { sync: true, stores: [settings.store], get: () => new SessionAggregate(windows, settings) }
}

class SessionAggregate<K, V, A> implements Processor<K | null, V, Windowed<K>, Change<A>> {
  readonly #closing: WindowClosing<any, A> | undefined
  readonly #form: SessionForm<A>

  constructor(
    private readonly windows: SessionWindows,
    private readonly settings: SessionSettings<K, V, A>,
  ) {
    const { store, onClose } = settings
    this.#form = sessionForm(store)
    if (!onClose) return
    const result = { valueOf: this.#form.valueOf, timestampOf: (_stored: unknown, end: number) => end }
    this.#closing = new WindowClosing(closingSessions(windows), result, (ctx) => sessionAccess(ctx.store(store)).closer)
  }

  init(context: ProcessorContext): void {
    this.#closing?.init(context as OperatorInit, sessionAccess(context.store(this.settings.store)).closer as never)
  }

  process(record: Record<K | null, V>, ctx: Context<K, A>): void {
    if (record.key === null || record.key === undefined) {
      ctx.drop('null_key', `Skipping record due to null key. ${recordPlace(ctx)}`)
      return
    }
    const clock = ctx.observe(record.timestamp)
    this.#closing?.beforeAdding(clock, record, ctx)
    this.#add(record as Record<K, V>, clock, ctx)
    this.#closing?.afterAdding(clock, record, ctx)
  }

  #add({ key, value, timestamp }: Record<K, V>, clock: number, ctx: Context<K, A>): void {
    const { aggregation } = this.settings
    const { inactivityGapMs, graceMs } = this.windows
    const closeTime = clock - graceMs - inactivityGapMs
    if (wrapsAround(timestamp + inactivityGapMs, ctx)) {
      throw noSuchWindow('Window startMs time cannot be negative.', timestamp)
    }
    const store = sessionAccess(ctx.store(this.settings.store))
    const keyBytes = store.keyBytes(key)
    const joined = [...store.meeting(keyBytes, timestamp - inactivityGapMs, timestamp + inactivityGapMs)]
    let merged: Window = { start: timestamp, end: timestamp }
    let aggregate = aggregation.initial()
    for (const [window, stored] of joined) {
      aggregate = aggregation.merge(key, aggregate, this.#form.valueOf(stored)) ?? null
      merged = { start: Math.min(merged.start, window.start), end: Math.max(merged.end, window.end) }
    }
    // The test is on what the record's session has become: at equality it is kept.
    if (merged.end < closeTime) {
      this.#late(merged, timestamp, closeTime, clock, ctx)
      return
    }
    if (merged.start !== timestamp || merged.end !== timestamp) {
      for (const [window, stored] of joined) {
        store.removeAt(keyBytes, window)
        this.#forward(key, window, null, this.#form.valueOf(stored), ctx)
      }
    }
    const result = aggregation.add(key, value, aggregate) ?? null
    store.putAt(key, keyBytes, merged, result === null ? undefined : this.#form.stored(result))
    this.#forward(key, merged, result, null, ctx)
  }

  #forward(key: K, window: Window, result: A | null, old: A | null, ctx: Context<K, A>): void {
    const { onClose, sendsOldValues } = this.settings
    if (onClose) return
    const value = new Change(result, sendsOldValues ? old : null)
    void ctx.forward({ key: { key, window }, value, timestamp: window.end, headers: Headers.empty })
  }

  #late({ start, end }: Window, timestamp: number, closeTime: number, clock: number, ctx: Context<K, A>): void {
    ctx.drop(
      'late_session',
      `Skipping record for expired window. ${recordPlace(ctx)} timestamp=[${timestamp}] ` +
        `window=[${start},${end}] expiration=[${closeTime}] streamTime=[${clock}]`,
    )
  }
}

/** A session closes once the clock is past its inclusive end by more than gap + grace. */
function closingSessions({ inactivityGapMs, graceMs }: SessionWindows): Closing {
  return {
    closeTime: (clock) => clock - graceMs - inactivityGapMs,
    span: (closedUpTo, closeTime) => ({ from: Math.max(0, closedUpTo), to: closeTime - 1 }),
  }
}
