/** Bytes up to the length that is read at once, as the compiler can follow them. */
type Short = readonly [
  ...(readonly [number, number, number, number, number, number, number, number]),
  ...(readonly [number, number, number, number, number, number, number, number]),
]

/** Arrays of up to so many bytes need no memory of their own in V8; texts of up to so many characters are short. */
export const LONGEST_SHORT = 64

/**
 * Text of ASCII characters as bytes: the UTF-8 of most keys and values, in a tenth of the time that the host's encoder
 * takes for so few.
 *
 * @returns undefined for a text that is long or not ASCII
 */
export function encodeShortAscii(text: string): Uint8Array | undefined {
  const { length } = text
  if (length > LONGEST_SHORT) return undefined
  const bytes = new Uint8Array(length)
  return encodeShortAsciiInto(text, bytes, 0) < 0 ? undefined : bytes
}

/**
 * As `encodeShortAscii`, from an index of `target` on, which has room for it.
 *
 * @returns how many bytes; −1 for a text that is long or not ASCII
 */
export function encodeShortAsciiInto(text: string, target: Uint8Array, start: number): number {
  const { length } = text
  if (length > LONGEST_SHORT) return -1
  for (let i = 0; i < length; i++) {
    const code = text.charCodeAt(i)
    if (code > 0x7f) return -1
    target[start + i] = code
  }
  return length
}

export function isShortAscii(bytes: Uint8Array): boolean {
  if (bytes.length > LONGEST_SHORT) return false
  let all = 0
  for (let i = 0; i < bytes.length; i++) all |= bytes[i] as number
  return all <= 0x7f
}

/**
 * The text of up to 16 ASCII bytes, in half the time that the host's decoder takes to be called. One call a length: it
 * makes the text in one piece, where putting characters together would make one text for each.
 *
 * @returns undefined for bytes that are more or not ASCII
 */
export function decodeShortAscii(bytes: Uint8Array): string | undefined {
  const { length } = bytes
  if (length > 16) return undefined
  let all = 0
  for (let i = 0; i < length; i++) all |= bytes[i] as number
  if (all > 0x7f) return undefined
  return length > 8 ? nineAndMore(bytes as unknown as Short, length) : upToEight(bytes as unknown as Short, length)
}

const text = String.fromCharCode

function upToEight(b: Short, length: number): string {
  switch (length) {
    case 0:
      return ''
    case 1:
      return text(b[0])
    case 2:
      return text(b[0], b[1])
    case 3:
      return text(b[0], b[1], b[2])
    case 4:
      return text(b[0], b[1], b[2], b[3])
    case 5:
      return text(b[0], b[1], b[2], b[3], b[4])
    case 6:
      return text(b[0], b[1], b[2], b[3], b[4], b[5])
    case 7:
      return text(b[0], b[1], b[2], b[3], b[4], b[5], b[6])
    default:
      return text(b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7])
  }
}

function nineAndMore(b: Short, length: number): string {
  switch (length) {
    case 9:
      return text(b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8])
    case 10:
      return text(b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9])
    case 11:
      return text(b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10])
    case 12:
      return text(b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11])
    case 13:
      return text(b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12])
    case 14:
      return text(b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13])
    case 15:
      return text(b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13], b[14])
    default:
      return text(b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13], b[14], b[15])
  }
}
