import { Headers } from '../../model/Headers.js'
import type { StoreBuilder } from '../../state/StoreBuilder.js'
import type { ValueAndTimestamp } from '../valueAndTimestamp.js'

/** What a store keeps of a value and its time. Where it has room for headers, those of a table are empty (A.9). */
export function storedWith<A>({
  format,
}: Pick<StoreBuilder<any, any>, 'format'>): (value: A, timestamp: number) => ValueAndTimestamp<A> {
  if (format !== 'headers') return (value, timestamp) => ({ value, timestamp })
  return (value, timestamp) => ({ value, timestamp, headers: Headers.empty }) as ValueAndTimestamp<A>
}
