import type { Record } from '../../model/Record.js'
import type { CallbackContext, ProcessorContext } from '../../processor/contexts.js'
import type { OperatorContext, OperatorInit } from '../../processor/OperatorContext.js'
import type { Processor, ProcessorSupplier } from '../../processor/Processor.js'
import type { StoreBuilder } from '../../state/StoreBuilder.js'
import type { WindowStore } from '../../state/stores.js'
import type { JoinWindows } from '../JoinWindows.js'
import type { Side } from '../joins/waitingKey.js'
import { lastPartner, partners } from './partners.js'
import { recordPlace } from './recordPlace.js'
import type { ClosedRecord, Unjoined } from './Unjoined.js'

type Context = OperatorContext<any, any, any>

/** What the two sides of a join of streams share. */
export interface StreamJoin {
  readonly windows: JoinWindows
  /** What has no partner yet. Absent in an inner join, and where it is sent on at once. */
  readonly unjoined: Unjoined | undefined
  join(key: any, left: any, right: any): unknown
}

/** One side of it. */
export interface JoinSide {
  readonly side: Side
  /** The buffer of the other side. */
  readonly other: StoreBuilder<WindowStore<any, any>, any>
  /** Whether a record of this side comes out even when it meets none. */
  readonly outer: boolean
}

/**
 * Joins each record of one side with those that the other has kept (`kafka-streams.md` B.7). What has closed without a
 * partner comes first, then the record's own results, each with the greater of the two times.
 */
export function streamJoin(join: StreamJoin, side: JoinSide): ProcessorSupplier<any, any, any, any> {
  const stores = join.unjoined === undefined ? [side.other] : [side.other, join.unjoined.store]
  return { sync: true, stores, get: () => new StreamJoinSide(join, side) }
}

class StreamJoinSide implements Processor<any, any, any, any> {
  /** How far before and after a record of this side its partners lie. */
  readonly #beforeMs: number
  readonly #afterMs: number
  #scansHere = false

  constructor(
    private readonly join: StreamJoin,
    private readonly side: JoinSide,
  ) {
    const { beforeMs, afterMs } = join.windows
    this.#beforeMs = side.side === 'left' ? beforeMs : afterMs
    this.#afterMs = side.side === 'left' ? afterMs : beforeMs
  }

  init(context: ProcessorContext): void {
    const operator = context as OperatorInit
    const { unjoined } = this.join
    this.#scansHere = operator.clocksFollowRecords
    // One of the two sides looks after what they share.
    if (this.#scansHere || unjoined === undefined || this.side.side === 'right') return
    const waiting = operator.store(unjoined.store)
    operator.schedule(1, 'stream-time', (now, ctx) => this.#sendClosed(unjoined.takeClosed(ctx, now), ctx), {
      scope: 'node',
      when: (now) => unjoined.hasClosed(waiting, now),
    })
  }

  process(record: Record<any, any>, ctx: Context): void {
    const { key, value, timestamp } = record
    const clock = ctx.observe(timestamp)
    if (value === null || value === undefined) this.#skip('null_value', ctx)
    else if (key !== null && key !== undefined) this.#meet(record, clock, ctx)
    else if (this.side.outer) this.#send(record, null, timestamp, ctx)
    else this.#skip('null_key', ctx)
  }

  #meet(record: Record<any, any>, clock: number, ctx: Context): void {
    const { key, timestamp } = record
    const { unjoined } = this.join
    // As in Kafka Streams, a record that comes late sends nothing of others on, though the clock may have gone on.
    if (this.#scansHere && timestamp === clock && unjoined !== undefined) {
      this.#sendClosed(unjoined.takeClosedAsKafka(ctx, clock, this.#afterMs), ctx)
    }
    let met = false
    const [from, to] = [timestamp - this.#beforeMs, timestamp + this.#afterMs]
    for (const [time, other] of partners(ctx, this.side.other, key, from, to)) {
      met = true
      unjoined?.remove(ctx, { side: otherSide(this.side.side), timestamp: time, key })
      this.#send(record, other, Math.max(timestamp, time), ctx)
    }
    if (this.side.outer && !met) this.#wait(record, clock, ctx)
  }

  /** It has no partner yet. When none can come in time any more it goes on at once, whatever the grace (H-8). */
  #wait(record: Record<any, any>, clock: number, ctx: Context): void {
    const { key, value, timestamp } = record
    const { unjoined } = this.join
    const none = lastPartner(timestamp + this.#afterMs, ctx) < clock
    if (unjoined === undefined || none) this.#send(record, null, timestamp, ctx)
    else unjoined.add(ctx, { side: this.side.side, timestamp, key }, value)
  }

  #send(record: Record<any, any>, other: any, timestamp: number, ctx: Context): void {
    const { key, value, headers } = record
    const [left, right] = this.side.side === 'left' ? [value, other] : [other, value]
    void ctx.forward({ key, value: this.join.join(key, left, right), timestamp, headers })
  }

  #sendClosed(closed: Iterable<ClosedRecord>, ctx: CallbackContext<any, any, any>): void {
    for (const { side, key, value, timestamp, laneBytes } of closed) {
      const [left, right] = side === 'left' ? [value, null] : [null, value]
      const sent = { key, value: this.join.join(key, left, right), timestamp }
      if (this.#scansHere) void ctx.forward(sent)
      else void (ctx as Context).forwardOnLaneOf(laneBytes, sent)
    }
  }

  #skip(reason: 'null_key' | 'null_value', ctx: Context): void {
    ctx.drop(reason, `Skipping record due to null key or value. ${recordPlace(ctx)}`)
  }
}

function otherSide(side: Side): Side {
  return side === 'left' ? 'right' : 'left'
}
