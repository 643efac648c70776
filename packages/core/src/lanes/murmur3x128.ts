const c1 = 0x239b961b
const c2 = 0xab0e9789
const c3 = 0x38b34ae5
const c4 = 0xa1e38b93

/** MurmurHash3 x86 128-bit with seed 0: 16 bytes that tell values apart, little-endian. Not the lane hash. */
export function murmur3x128(bytes: Uint8Array): Uint8Array {
  const { length } = bytes
  const whole = length & ~15
  let h1 = 0
  let h2 = 0
  let h3 = 0
  let h4 = 0
  for (let at = 0; at < whole; at += 16) {
    h1 = Math.imul((rotate(h1 ^ mixed(word(bytes, at), c1, 15, c2), 19) + h2) | 0, 5) + 0x561ccd1b
    h2 = Math.imul((rotate(h2 ^ mixed(word(bytes, at + 4), c2, 16, c3), 17) + h3) | 0, 5) + 0x0bcaa747
    h3 = Math.imul((rotate(h3 ^ mixed(word(bytes, at + 8), c3, 17, c4), 15) + h4) | 0, 5) + 0x96cd1c35
    h4 = Math.imul((rotate(h4 ^ mixed(word(bytes, at + 12), c4, 18, c1), 13) + h1) | 0, 5) + 0x32ac3b17
  }
  h4 ^= mixed(tail(bytes, whole + 12), c4, 18, c1)
  h3 ^= mixed(tail(bytes, whole + 8), c3, 17, c4)
  h2 ^= mixed(tail(bytes, whole + 4), c2, 16, c3)
  h1 ^= mixed(tail(bytes, whole), c1, 15, c2)
  return combined(h1 ^ length, h2 ^ length, h3 ^ length, h4 ^ length)
}

/** The last step: every word is mixed into every other one. */
function combined(a: number, b: number, c: number, d: number): Uint8Array {
  const h1 = (a + b + c + d) | 0
  const mixes = [h1, h1 + b, h1 + c, h1 + d].map(finished)
  const first = mixes.reduce((sum, mix) => (sum + mix) | 0, 0)
  const result = new Uint8Array(16)
  const view = new DataView(result.buffer)
  mixes.forEach((mix, at) => {
    view.setInt32(at * 4, at === 0 ? first : first + mix, true)
  })
  return result
}

function finished(word: number): number {
  let h = word
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return h ^ (h >>> 16)
}

function word(bytes: Uint8Array, at: number): number {
  return (
    (bytes[at] as number) |
    ((bytes[at + 1] as number) << 8) |
    ((bytes[at + 2] as number) << 16) |
    ((bytes[at + 3] as number) << 24)
  )
}

/** The bytes from here on, as one word; those past the end are zero. */
function tail(bytes: Uint8Array, at: number): number {
  return (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 3] ?? 0) << 24)
}

function mixed(k: number, first: number, by: number, second: number): number {
  return Math.imul(rotate(Math.imul(k, first), by), second)
}

function rotate(k: number, by: number): number {
  return (k << by) | (k >>> (32 - by))
}
