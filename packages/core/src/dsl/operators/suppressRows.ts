import { StreamError } from '../../errors/StreamError.js'
import type { Record } from '../../model/Record.js'
import type { ProcessorContext } from '../../processor/contexts.js'
import type { OperatorContext, OperatorInit } from '../../processor/OperatorContext.js'
import type { Processor, ProcessorSupplier } from '../../processor/Processor.js'
import type {
  ReadOnlyRowBuffer,
  ReleasedRow,
  RowBuffer,
  SuppressBufferBuilder,
} from '../../state/builders/SuppressBufferBuilder.js'
import type { BufferConfig } from '../BufferConfig.js'
import { Change } from '../Change.js'

/** What a suppress is told. Times in ms. */
export interface SuppressSettings<K, V> {
  readonly node: string
  readonly store: SuppressBufferBuilder<K, V>
  /** How long after its time a row may go. */
  readonly waitMs: number
  /** Of final results: a row's time is the end of its window, and deletions never come out. */
  readonly windows: { readonly endInclusive: boolean } | undefined
  readonly limits: BufferConfig['options']
}

type Context<K, V> = OperatorContext<K, K, Change<V>>

/** So many rows at a time, so that lanes, sockets and clocks live while a great many are due (L12). */
const atOnce = 1000

/**
 * Holds rows of a table back until their window closes, or for a time (`kafka-streams.md` B.6). In the test driver under
 * `stream-time` rows go within the record that moves the node's clock, as in Kafka Streams; elsewhere by a scan of the
 * whole node (W5, W7).
 */
export function suppressRows<K, V>(settings: SuppressSettings<K, V>): ProcessorSupplier<K, Change<V>, K, Change<V>> {
  return { sync: true, stores: [settings.store], get: () => new SuppressRows(settings) }
}

class SuppressRows<K, V> implements Processor<K, Change<V>, K, Change<V>> {
  #inRecords = false

  constructor(private readonly settings: SuppressSettings<K, V>) {}

  init(context: ProcessorContext): void {
    const operator = context as OperatorInit
    this.#inRecords = operator.clocksFollowRecords
    if (this.#inRecords) return
    const reader = context.store(this.settings.store)
    operator.schedule(1, 'stream-time', (at, ctx) => this.#release(at, ctx as Context<K, V>, atOnce), {
      scope: 'node',
      when: (now) => this.#isDue(reader, now),
    })
  }

  process({ key, value, timestamp, headers }: Record<K, Change<V>>, ctx: Context<K, V>): void {
    const clock = ctx.observe(timestamp)
    const { newValue, oldValue } = value
    const buffer = ctx.store(this.settings.store)
    buffer.hold(this.#timeOf(key, timestamp), { key, newValue, oldValue, timestamp, headers }, ctx.coordinates)
    if (this.#inRecords) this.#release(clock, ctx, Number.POSITIVE_INFINITY)
    this.#enforceLimits(buffer, ctx)
  }

  #timeOf(key: K, timestamp: number): number {
    if (this.settings.windows === undefined) return timestamp
    return (key as { readonly window: { readonly end: number } }).window.end
  }

  /** A window whose end is in it takes records at equality: it closes a millisecond later (H-4). */
  #isDue(buffer: ReadOnlyRowBuffer<K, V>, clock: number): boolean {
    const { windows, waitMs } = this.settings
    const later = windows?.endInclusive === true && !buffer.doublesFinalResults ? 1 : 0
    return buffer.oldest <= clock - waitMs - later
  }

  #release(clock: number, ctx: Context<K, V>, limit: number): void {
    const buffer = ctx.store(this.settings.store)
    for (let released = 0; released < limit && this.#isDue(buffer, clock); released++) {
      this.#letGo(buffer, ctx)
    }
  }

  #enforceLimits(buffer: RowBuffer<K, V>, ctx: Context<K, V>): void {
    const { maxRecords, maxBytes, whenFull } = this.settings.limits
    const isFull = () => buffer.records > maxRecords || buffer.bytes > maxBytes
    if (!isFull()) return
    if (whenFull === 'shut-down') throw this.#overflow(buffer)
    while (buffer.records > 0 && isFull()) this.#letGo(buffer, ctx)
  }

  /** Kafka Streams takes a row out once it has gone on: whoever reads the table on its way still sees it as it was. */
  #letGo(buffer: RowBuffer<K, V>, ctx: Context<K, V>): void {
    if (ctx.emulatesKafka) this.#forward(buffer.peek() as ReleasedRow<K, V>, ctx)
    const row = buffer.release() as ReleasedRow<K, V>
    if (!ctx.emulatesKafka) this.#forward(row, ctx)
  }

  #forward({ key, newValue, oldValue, timestamp, headers, laneBytes }: ReleasedRow<K, V>, ctx: Context<K, V>): void {
    if (newValue === null && this.settings.windows !== undefined) return
    const record = { key, value: new Change(newValue, oldValue), timestamp, headers }
    void ctx.forwardOnLaneOf(laneBytes, record)
  }

  #overflow({ records, bytes }: RowBuffer<K, V>): StreamError {
    const { node, limits } = this.settings
    return new StreamError(
      `${node} buffer exceeded its max capacity. Currently [${records}/${limits.maxRecords}] records and ` +
        `[${bytes}/${limits.maxBytes}] bytes. Raise the limit, or let rows go early: emitEarlyWhenFull().`,
      { code: 'PROCESSING_FAILED', kind: 'user', retriable: false, context: { node } },
    )
  }
}
