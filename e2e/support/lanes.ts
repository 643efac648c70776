/*
 * Lanes as the tests compute them: the engine's choice is held against a murmur3 that was written for these tests
 * alone, so a fault in the engine's hash cannot prove itself right.
 */

/** MurmurHash3, x86, 32 bits, seed 0, over whole numbers of unlimited size. */
export function murmur3(bytes: Uint8Array): number {
  const mask = 0xffffffffn
  const rotate = (value: bigint, by: bigint) => ((value << by) | (value >> (32n - by))) & mask
  const mix = (block: bigint) => (rotate((block * 0xcc9e2d51n) & mask, 15n) * 0x1b873593n) & mask
  const little = (part: Uint8Array) => part.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n)

  let hash = 0n
  const whole = bytes.length - (bytes.length % 4)
  for (let at = 0; at < whole; at += 4) {
    hash = rotate(hash ^ mix(little(bytes.subarray(at, at + 4))), 13n)
    hash = (hash * 5n + 0xe6546b64n) & mask
  }
  if (whole < bytes.length) hash ^= mix(little(bytes.subarray(whole)))
  hash ^= BigInt(bytes.length)
  hash = ((hash ^ (hash >> 16n)) * 0x85ebca6bn) & mask
  hash = ((hash ^ (hash >> 13n)) * 0xc2b2ae35n) & mask
  return Number(hash ^ (hash >> 16n))
}

export function laneOf(bytes: Uint8Array, lanes: number): number {
  return (murmur3(bytes) & 0x7fffffff) % lanes
}

/** A key's bytes as its producer writes them, quotes included, and as a plain string serde writes them. */
export function bothEncodings(key: string): { readonly quoted: Uint8Array; readonly plain: Uint8Array } {
  const encoder = new TextEncoder()
  return { quoted: encoder.encode(JSON.stringify(key)), plain: encoder.encode(key) }
}

export function hex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join(' ')
}

/** The first keys `prefix0`, `prefix1`, … for which the two encodings choose the same lane, or different ones. */
export function keysThat(choose: 'agree' | 'split', prefix: string, lanes: number, count: number): readonly string[] {
  const keys: string[] = []
  for (let n = 0; keys.length < count; n++) {
    const key = `${prefix}${n}`
    const { quoted, plain } = bothEncodings(key)
    if ((laneOf(quoted, lanes) === laneOf(plain, lanes)) === (choose === 'agree')) keys.push(key)
  }
  return keys
}
