import type { ProcessorSupplier } from '../../processor/Processor.js'
import type { StoreBuilder } from '../../state/StoreBuilder.js'
import type { WindowStore } from '../../state/stores.js'
import type { JoinWindows } from '../JoinWindows.js'
import { operator } from './operator.js'
import { partners } from './partners.js'
import { recordPlace } from './recordPlace.js'

/**
 * A stream joined with itself over one buffer (C.2). It gives what a join over two gives, in that order: the record as
 * the left one, then as the right one, among these itself.
 */
export function selfJoin(
  buffer: StoreBuilder<WindowStore<any, any>, any>,
  { beforeMs, afterMs, retentionMs }: JoinWindows,
  join: (key: any, left: any, right: any) => unknown,
): ProcessorSupplier<any, any, any, any> {
  const supplier = operator((record, ctx) => {
    const { key, value, timestamp } = record
    if (key === null || key === undefined || value === null || value === undefined) {
      const reason = value === null || value === undefined ? 'null_value' : 'null_key'
      ctx.drop(reason, `Skipping record due to null key or value. ${recordPlace(ctx)}`)
      return
    }
    const send = (left: any, right: any, time: number) =>
      void ctx.forward({ ...record, value: join(key, left, right), timestamp: Math.max(timestamp, time) })
    for (const [time, other] of partners(ctx, buffer, key, timestamp - beforeMs, timestamp + afterMs)) {
      send(value, other, time)
    }
    // Whatever the window says of a difference of 0, a record meets itself, unless its buffer would soon forget it.
    let meetsItself = timestamp > ctx.observe(timestamp) - retentionMs + 1
    for (const [time, other] of partners(ctx, buffer, key, timestamp - afterMs, timestamp + beforeMs)) {
      // It is kept only after this, but it has its place among those of its time: the last.
      if (time > timestamp && meetsItself) {
        meetsItself = false
        send(value, value, timestamp)
      }
      send(other, value, time)
    }
    if (meetsItself) send(value, value, timestamp)
  })
  return { ...supplier, stores: [buffer] }
}
