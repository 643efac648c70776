import { StreamError } from '../../errors/StreamError.js'
import type { Record } from '../../model/Record.js'
import type { ProcessorContext } from '../../processor/contexts.js'
import type { OperatorContext, OperatorInit } from '../../processor/OperatorContext.js'
import type { Processor, ProcessorSupplier } from '../../processor/Processor.js'
import type { GraceBuffer, ReadOnlyBuffer } from '../joins/GraceBuffer.js'
import { firstWaiting, waitingBefore } from '../joins/waitingKey.js'
import { isJoinable, joined, type TableLookUp } from './lookUpInTable.js'

type Context = OperatorContext<any, any, any>

/**
 * Looks each record up in a versioned table once the clock has passed it by the grace, as of the record's own time
 * (`kafka-streams.md` B.8): rows of the table that come later than the records they are for still count. What is
 * already that old is looked up at once.
 */
export function graceJoin(
  join: TableLookUp,
  buffer: GraceBuffer,
  graceMs: number,
): ProcessorSupplier<any, any, any, any> {
  const stores = [...join.table.stores, buffer]
  return { sync: true, stores, get: () => new GraceJoin(join, buffer, graceMs) }
}

/** Kafka Streams cannot keep a record without a key until its time has come, and fails. */
function keyless(): StreamError {
  return new StreamError(
    'A record without a key cannot wait for its grace period, as in Kafka Streams. Drop such records before the join, ' +
      'or leave compat at repair: then they are joined at once.',
    { code: 'PROCESSING_FAILED', kind: 'user', retriable: false },
  )
}

class GraceJoin implements Processor<any, any, any, any> {
  #scansHere = false

  constructor(
    private readonly join: TableLookUp,
    private readonly buffer: GraceBuffer,
    private readonly graceMs: number,
  ) {}

  init(context: ProcessorContext): void {
    const operator = context as OperatorInit
    this.#scansHere = operator.clocksFollowRecords
    if (this.#scansHere) return
    const waiting = operator.store(this.buffer)
    operator.schedule(1, 'stream-time', (now, ctx) => this.#sendDue(now, ctx as Context), {
      scope: 'node',
      when: (now) => this.#isDue(waiting, now),
    })
  }

  process(record: Record<any, any>, ctx: Context): void {
    if (!isJoinable(this.join, record, ctx)) return
    const clock = ctx.observe(record.timestamp)
    const isKeyless = record.key === null || record.key === undefined
    const waits = record.timestamp >= clock - this.graceMs
    if (isKeyless && ctx.emulatesKafka) throw keyless()
    if (waits && !isKeyless) this.#keep(record, ctx)
    else this.#send(record, ctx)
    if (this.#scansHere) this.#sendDue(clock, ctx)
  }

  #keep({ key, value, timestamp, headers }: Record<any, any>, ctx: Context): void {
    const entries = ctx.store(this.buffer)
    const place = { side: 'left', timestamp, key } as const
    entries.put(place, [...(entries.get(place) ?? []), { value, timestamp, headers }])
  }

  #isDue(waiting: ReadOnlyBuffer, clock: number): boolean {
    const oldest = firstWaiting(waiting, 'left', 0)
    return oldest !== undefined && oldest.timestamp <= clock - this.graceMs
  }

  #sendDue(clock: number, ctx: Context): void {
    const entries = ctx.store(this.buffer)
    for (const [place, records] of waitingBefore(entries, 'left', clock - this.graceMs + 1)) {
      entries.delete(place)
      for (const record of records) this.#send({ key: place.key, ...(record as any) }, ctx, place.laneBytes)
    }
  }

  #send(record: Record<any, any>, ctx: Context, laneBytes?: Uint8Array): void {
    const sent = joined(this.join, record, ctx)
    if (sent === undefined) return
    if (laneBytes === undefined || this.#scansHere) void ctx.forward(sent)
    else void ctx.forwardOnLaneOf(laneBytes, sent)
  }
}
