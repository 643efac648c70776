import { type Headers, toHex } from '@lanescope/core'

export type Side = 'key' | 'value'

/** What bytes say of the schema that wrote them, and where its payload begins. */
export type SchemaTag =
  | { readonly by: 'id'; readonly id: number; readonly payload: Uint8Array }
  | { readonly by: 'guid'; readonly guid: string; readonly payload: Uint8Array }

const magic = 0
const guidMagic = 1
const prefixLength = 5
const guidLength = 16

/** `00` ∥ id int32 ∥ payload (`kafka-streams.md` F.4). */
export function withId(id: number, payload: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(prefixLength + payload.length)
  bytes[0] = magic
  new DataView(bytes.buffer).setInt32(1, id)
  bytes.set(payload, prefixLength)
  return bytes
}

/**
 * Reads either form: the header `__key_schema_id` or `__value_schema_id`, `01` ∥ a GUID, first; else the prefix of
 * the bytes.
 *
 * @throws TypeError when there is neither
 */
export function readTag(side: Side, headers: Headers, bytes: Uint8Array): SchemaTag {
  const header = headers.last(`__${side}_schema_id`)
  if (header?.[0] === guidMagic && header.length === 1 + guidLength) {
    return { by: 'guid', guid: guidOf(header), payload: bytes }
  }
  if (header?.[0] === magic && header.length === prefixLength) {
    return { by: 'id', id: idIn(header), payload: bytes }
  }
  if (bytes[0] !== magic || bytes.length < prefixLength) {
    throw new TypeError(
      `Unknown magic byte! ${bytes.length} bytes that begin with ${toHex(bytes.subarray(0, 8))} carry no schema id. ` +
        'Was this topic written without a Schema Registry? Then declare the serde that wrote it.',
    )
  }
  return { by: 'id', id: idIn(bytes), payload: bytes.subarray(prefixLength) }
}

function idIn(bytes: Uint8Array): number {
  return new DataView(bytes.buffer, bytes.byteOffset).getInt32(1)
}

function guidOf(header: Uint8Array): string {
  const hex = toHex(header.subarray(1))
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
