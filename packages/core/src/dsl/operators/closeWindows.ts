import { Headers } from '../../model/Headers.js'
import type { Record } from '../../model/Record.js'
import type { OperatorContext, OperatorInit } from '../../processor/OperatorContext.js'
import type { ClosingSpan, ClosingStore } from '../../state/closeWindows.js'
import { Change } from '../Change.js'

/** How an aggregation that emits on close knows what has closed. Times in ms. */
export interface Closing {
  /** Windows that end at or before this are closed by the clock (sessions and sliding windows: before it). */
  closeTime(clock: number): number
  /** Times of what closes between two close times, the later one included; of windows their starts, of sessions their ends. */
  span(closedUpTo: number, closeTime: number): { readonly from: number; readonly to: number } | undefined
}

/** What a store's value gives to be sent on, and with which time. */
export interface FinalResult<S, A> {
  valueOf(stored: S): A
  timestampOf(stored: S, end: number): number
}

/** So many results at a time, so that lanes, sockets and clocks live while a great many windows close (L12). */
const atOnce = 1000

/**
 * Sends each window on once, when it has closed (`kafka-streams.md` A.8). In the test driver under `stream-time` that
 * is within the record that moves the node's clock, as in Kafka Streams; elsewhere a scan of the whole node by its event
 * clock (W5, W7).
 */
export class WindowClosing<S, A> {
  #inRecords = false

  constructor(
    private readonly closing: Closing,
    private readonly result: FinalResult<S, A>,
    private readonly storeOf: (ctx: OperatorContext<any, any, any>) => ClosingStore<any, S>,
  ) {}

  init(context: OperatorInit, reader: ClosingStore<any, S>): void {
    this.#inRecords = context.clocksFollowRecords
    if (this.#inRecords) return
    context.schedule(1, 'stream-time', (at, ctx) => this.#scan(at, ctx as OperatorContext<any, any, any>), {
      scope: 'node',
      when: (now) => {
        const span = this.#span(now, reader.closedUpTo)
        return span !== undefined && reader.hasClosing(span)
      },
    })
  }

  /** Before a record is added: so nothing that it expires is lost. */
  beforeAdding(clock: number, record: Record<any, any>, ctx: OperatorContext<any, any, any>): void {
    if (this.#inRecords && !this.storeOf(ctx).losesUnreadable) this.#within(clock, record, ctx)
  }

  /** Behind a record: what it has expired by then is lost (H-2). */
  afterAdding(clock: number, record: Record<any, any>, ctx: OperatorContext<any, any, any>): void {
    if (this.#inRecords && this.storeOf(ctx).losesUnreadable) this.#within(clock, record, ctx)
  }

  #within(clock: number, { headers }: Record<any, any>, ctx: OperatorContext<any, any, any>): void {
    const store = this.storeOf(ctx)
    const span = this.#span(clock, store.closedUpTo)
    if (span === undefined) return
    store.close(
      span,
      (key, stored) => void ctx.forward(this.#record(key, stored, headers)),
      Number.POSITIVE_INFINITY,
      ctx.coordinates,
    )
  }

  #scan(clock: number, ctx: OperatorContext<any, any, any>): void {
    const store = this.storeOf(ctx)
    const span = this.#span(clock, store.closedUpTo)
    if (span === undefined) return
    store.close(
      span,
      (key, stored, laneBytes) => void ctx.forwardOnLaneOf(laneBytes, this.#record(key, stored, Headers.empty)),
      atOnce,
      null,
    )
  }

  #span(clock: number, closedUpTo: number): ClosingSpan | undefined {
    const closeTime = this.closing.closeTime(clock)
    if (closeTime <= closedUpTo) return undefined
    const span = this.closing.span(closedUpTo, closeTime)
    return span === undefined || span.to < span.from ? undefined : { clock, closeTime, ...span }
  }

  #record(key: { readonly window: { readonly end: number } }, stored: S, headers: Headers) {
    const value = new Change(this.result.valueOf(stored), null)
    return { key, value, timestamp: this.result.timestampOf(stored, key.window.end), headers }
  }
}
