/** A number read, and where the next one begins. */
export interface Read {
  readonly value: number
  readonly next: number
}

/** Kafka's varint: zigzag, so that small numbers of either sign are short, then seven bits a byte, the low ones first. */
export function writeVarint(bytes: Uint8Array, offset: number, value: number): number {
  let rest = ((value << 1) ^ (value >> 31)) >>> 0
  let at = offset
  while (rest > 0x7f) {
    bytes[at++] = (rest & 0x7f) | 0x80
    rest >>>= 7
  }
  bytes[at++] = rest
  return at
}

/** How many bytes a varint takes: 1 to 5. */
export function varintLength(value: number): number {
  let rest = ((value << 1) ^ (value >> 31)) >>> 0
  let length = 1
  while (rest > 0x7f) {
    rest >>>= 7
    length++
  }
  return length
}

/** @throws RangeError where the bytes end before the number does */
export function readVarint(bytes: Uint8Array, offset: number): Read {
  let zigzag = 0
  for (let at = offset, shift = 0; shift < 35; at++, shift += 7) {
    const byte = bytes[at]
    if (byte === undefined)
      throw new RangeError(`A varint begins at byte ${offset} of ${bytes.length} and does not end`)
    zigzag |= (byte & 0x7f) << shift
    if (byte < 0x80) return { value: (zigzag >>> 1) ^ -(zigzag & 1), next: at + 1 }
  }
  throw new RangeError(`A varint at byte ${offset} is longer than five bytes`)
}
