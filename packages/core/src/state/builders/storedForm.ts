import type { Serde } from '../../serde/Serde.js'
import { valueAndTimestamp, valueWithoutTimestamp } from '../../serde/valueAndTimestamp.js'
import { valueTimestampHeaders, withoutHeaders } from '../../serde/valueTimestampHeaders.js'
import type { ValueFormat } from '../StoreBuilder.js'

/**
 * How a value is written by a store whose handles give one format and whose bytes hold another, from the serde of the
 * value alone. What there is no room for is lost (`kafka-streams.md` A.9).
 */
export function storedForm(value: Serde<any>, format: ValueFormat, stored: ValueFormat): Serde<any> {
  if (format === 'plain') return value
  if (format === 'timestamped') return stored === 'plain' ? valueWithoutTimestamp(value) : valueAndTimestamp(value)
  return stored === 'headers' ? valueTimestampHeaders(value) : withoutHeaders(value, stored)
}
