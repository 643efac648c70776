/** Unsigned lexicographic order of two byte strings; a prefix comes before what it is a prefix of. */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const difference = (a[i] as number) - (b[i] as number)
    if (difference !== 0) return difference
  }
  return a.length - b.length
}

export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false
  return true
}

/** Up to so many bytes V8 keeps in its own heap. */
const SHORT = 64

/**
 * The bytes from an index on, before another one, to be read only. Few are copied: the first view of a short array makes
 * V8 move it out of its heap, at ten times the price.
 */
export function bytesBetween(bytes: Uint8Array, start: number, end = bytes.length): Uint8Array {
  if (bytes.length > SHORT) return bytes.subarray(start, end)
  const part = new Uint8Array(Math.max(0, end - start))
  for (let i = 0; i < part.length; i++) part[i] = bytes[start + i] as number
  return part
}

/** A copy of the bytes from an index on, before another one. Few are copied by a loop: a call costs more. */
export function copyOfBytes(bytes: Uint8Array, start = 0, end = bytes.length): Uint8Array {
  if (end - start > SHORT) return bytes.slice(start, end)
  const copy = new Uint8Array(Math.max(0, end - start))
  for (let i = 0; i < copy.length; i++) copy[i] = bytes[start + i] as number
  return copy
}

/** Lower-case hex, two digits a byte, with an optional separator: `226b3022` or `22 6b 30 22`. */
export function toHex(bytes: Uint8Array, separator = ''): string {
  const digits = new Array<string>(bytes.length)
  for (let i = 0; i < bytes.length; i++) digits[i] = (bytes[i] as number).toString(16).padStart(2, '0')
  return digits.join(separator)
}

/**
 * Reads hex digits; blanks between bytes are allowed.
 *
 * @throws RangeError when the text is not an even number of hex digits
 */
export function fromHex(text: string): Uint8Array {
  const digits = text.replace(/\s+/g, '')
  if (digits.length % 2 !== 0 || /[^0-9a-f]/i.test(digits)) throw new RangeError(`Not hex bytes: "${text}"`)
  const bytes = new Uint8Array(digits.length / 2)
  for (let i = 0; i < bytes.length; i++) bytes[i] = Number.parseInt(digits.slice(2 * i, 2 * i + 2), 16)
  return bytes
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Text as UTF-8. */
export function bytesOfText(text: string): Uint8Array {
  return encoder.encode(text)
}

/** UTF-8 as text. */
export function textOfBytes(bytes: Uint8Array): string {
  return decoder.decode(bytes)
}

/** The least bytes above all that begin with a prefix; undefined where there are none. */
export function afterPrefix(prefix: Uint8Array): Uint8Array | undefined {
  for (let last = prefix.length - 1; last >= 0; last--) {
    if (prefix[last] === 0xff) continue
    const next = prefix.slice(0, last + 1)
    next[last] = (next[last] as number) + 1
    return next
  }
  return undefined
}
