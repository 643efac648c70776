/** Castagnoli's polynomial, reflected: the checksum of Kafka's record batches. */
const POLYNOMIAL = 0x82f63b78
const SLICES = 8

/** Eight tables, so that eight bytes are taken at a step. */
const tables = makeTables()

/** CRC-32C of a part of some bytes: from ≤ index < to. An unsigned 32-bit number. */
export function crc32c(bytes: Uint8Array, from = 0, to = bytes.length): number {
  let crc = 0xffffffff
  let at = from
  const t0 = tables[0] as Uint32Array
  const [, t1, t2, t3, t4, t5, t6, t7] = tables as unknown as readonly [Uint32Array, ...Tables]
  for (const last = to - SLICES; at <= last; at += SLICES) {
    const low =
      (crc ^
        ((bytes[at] as number) |
          ((bytes[at + 1] as number) << 8) |
          ((bytes[at + 2] as number) << 16) |
          ((bytes[at + 3] as number) << 24))) >>>
      0
    crc =
      (t7[low & 255] as number) ^
      (t6[(low >>> 8) & 255] as number) ^
      (t5[(low >>> 16) & 255] as number) ^
      (t4[low >>> 24] as number) ^
      (t3[bytes[at + 4] as number] as number) ^
      (t2[bytes[at + 5] as number] as number) ^
      (t1[bytes[at + 6] as number] as number) ^
      (t0[bytes[at + 7] as number] as number)
  }
  for (; at < to; at++) crc = (t0[(crc ^ (bytes[at] as number)) & 255] as number) ^ (crc >>> 8)
  return (crc ^ 0xffffffff) >>> 0
}

type Tables = readonly [Uint32Array, Uint32Array, Uint32Array, Uint32Array, Uint32Array, Uint32Array, Uint32Array]

function makeTables(): readonly Uint32Array[] {
  const first = new Uint32Array(256)
  for (let byte = 0; byte < 256; byte++) {
    let crc = byte
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ POLYNOMIAL : crc >>> 1
    first[byte] = crc
  }
  const all = [first]
  for (let slice = 1; slice < SLICES; slice++) {
    const before = all[slice - 1] as Uint32Array
    all.push(before.map((crc) => (first[crc & 255] as number) ^ (crc >>> 8)))
  }
  return all
}
