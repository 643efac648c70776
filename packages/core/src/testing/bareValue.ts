import type { Headers } from '../model/Headers.js'
import { int64Length, readInt64 } from '../serde/int64.js'
import { readHeaders } from '../serde/valueTimestampHeaders.js'
import { readVarint } from '../serde/varint.js'

interface BareValue {
  readonly bytes: Uint8Array
  /** Ms. Absent where the store keeps none. */
  readonly timestamp?: number
  readonly headers?: Headers
}

/**
 * What a changelog holds of a stored value: the value alone. Its time and headers are those of the record
 * (`kafka-streams.md` A.9).
 *
 * @param form the id of the serde that wrote the value
 */
export function bareValue(form: string, stored: Uint8Array): BareValue {
  if (form.startsWith('valueAndTimestamp(')) return timed(stored)
  if (!/^value(Timestamp)?Headers\(/.test(form)) return { bytes: stored }
  const { value: size, next } = readVarint(stored, 0)
  const headers = readHeaders(stored.subarray(next, next + size))
  const rest = stored.subarray(next + size)
  return form.startsWith('valueTimestampHeaders(') ? { ...timed(rest), headers } : { bytes: rest, headers }
}

function timed(stored: Uint8Array): BareValue {
  return { bytes: stored.subarray(int64Length), timestamp: readInt64(stored, 0) }
}
