import type { OperatorContext } from '../../processor/OperatorContext.js'
import type { StoreBuilder } from '../../state/StoreBuilder.js'
import type { WindowStore } from '../../state/stores.js'
import { wrapsAround } from './endOfTime.js'

type Buffer = StoreBuilder<WindowStore<any, any>, any>

/** What a buffer holds of a key in from ≤ time ≤ to, by time, then as it came. Times below 0 count as 0, as in Kafka. */
export function partners(
  ctx: OperatorContext<any, any, any>,
  buffer: Buffer,
  key: unknown,
  from: number,
  to: number,
): Iterable<readonly [number, any]> {
  const found = ctx.store(buffer).fetchRange(key, Math.max(0, from), lastPartner(to, ctx))
  // In memory a store answers at once (L8).
  return found as unknown as Iterable<readonly [number, any]>
}

/** The time of the last record that can be a partner. Kafka Streams' own wraps around near the last time there is. */
export function lastPartner(to: number, ctx: OperatorContext<any, any, any>): number {
  return wrapsAround(to, ctx) ? 0 : Math.max(0, to)
}
