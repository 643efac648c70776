import type { Record } from '../../model/Record.js'
import type { Windowed } from '../../model/Windowed.js'
import type { OperatorContext } from '../../processor/OperatorContext.js'
import type { Processor, ProcessorSupplier } from '../../processor/Processor.js'
import type { StoreBuilder } from '../../state/StoreBuilder.js'
import type { WindowStore } from '../../state/stores.js'
import { Change } from '../Change.js'
import type { TimeWindows } from '../TimeWindows.js'
import type { ValueAndTimestamp } from '../valueAndTimestamp.js'
import { recordPlace } from './recordPlace.js'

type CountStore<K> = StoreBuilder<WindowStore<K, ValueAndTimestamp<number>>, any>
type CountContext<K> = OperatorContext<K | null, Windowed<K>, Change<number>>

/** Counts records per key and window; sends each new count on (`kafka-streams.md` A.7). */
export function windowedCount<K>(
  windows: TimeWindows,
  store: CountStore<K>,
  sendsOldValues: boolean,
): ProcessorSupplier<K | null, unknown, Windowed<K>, Change<number>> {
  return { sync: true, stores: [store], get: () => new WindowedCount(windows, store, sendsOldValues) }
}

class WindowedCount<K> implements Processor<K | null, unknown, Windowed<K>, Change<number>> {
  constructor(
    private readonly windows: TimeWindows,
    private readonly store: CountStore<K>,
    private readonly sendsOldValues: boolean,
  ) {}

  process(record: Record<K | null, unknown>, ctx: CountContext<K>): void {
    if (record.key === null || record.key === undefined) {
      ctx.drop('null_key', `Skipping record due to null key. ${recordPlace(ctx)}`)
      return
    }
    const clock = ctx.observe(record.timestamp)
    for (const start of this.windows.startsFor(record.timestamp)) {
      this.count(record as Record<K, unknown>, start, clock, ctx)
    }
  }

  /** A window is late once its end is at or below the close time: at equality it is dropped. */
  private count(record: Record<K, unknown>, start: number, clock: number, ctx: CountContext<K>): void {
    const end = this.windows.endOf(start)
    const closeTime = clock - this.windows.graceMs
    if (end <= closeTime) {
      ctx.drop(
        'late_window',
        `Skipping record for expired window. ${recordPlace(ctx)} timestamp=[${record.timestamp}] ` +
          `window=[${start},${end}) expiration=[${closeTime}] streamTime=[${clock}]`,
      )
      return
    }
    const counts = ctx.store(this.store)
    const old = counts.fetch(record.key, start)
    const timestamp = Math.max(record.timestamp, old?.timestamp ?? -1)
    const count = (old?.value ?? 0) + 1
    counts.put(record.key, { value: count, timestamp }, start)
    const key = { key: record.key, window: { start, end } }
    const value = new Change(count, this.sendsOldValues ? (old?.value ?? null) : null)
    void ctx.forward({ key, value, timestamp, headers: record.headers })
  }
}
