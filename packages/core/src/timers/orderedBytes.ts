/*
 * Byte strings and texts as parts of a longer key whose unsigned order is the order of its parts.
 *
 * Bytes: a zero is written as 00 FF, and what follows the string begins with 00 and something less than FF. So no
 * string is the beginning of another, and a string comes before those that it begins.
 *
 * Text: every UTF-16 code unit by itself, in one to three bytes in the manner of UTF-8. Then the order is that of
 * JavaScript's `<`, which UTF-8 does not keep beyond the basic plane, and half a surrogate pair survives.
 */

const escape = 0xff

/** How many bytes `writeEscaped` writes. */
export function escapedLength(bytes: Uint8Array): number {
  let length = bytes.length
  for (let i = 0; i < bytes.length; i++) if (bytes[i] === 0) length++
  return length
}

/** @returns the offset behind what was written */
export function writeEscaped(target: Uint8Array, offset: number, bytes: Uint8Array): number {
  let at = offset
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i] as number
    target[at++] = byte
    if (byte === 0) target[at++] = escape
  }
  return at
}

/** The offset of the first zero that is not escaped. @param to where the source ends */
export function endOfEscaped(source: Uint8Array, offset: number, to = source.length): number {
  let end = offset
  for (;;) {
    if (end >= to) throw new RangeError('An escaped byte string has no end')
    if (source[end] !== 0) end++
    else if (source[end + 1] === escape) end += 2
    else return end
  }
}

/** Reads up to the end that `endOfEscaped` has told. @returns a copy */
export function readEscaped(source: Uint8Array, offset: number, end: number): Uint8Array {
  let zeros = 0
  for (let i = offset; i < end; i++) if (source[i] === 0) zeros++
  const bytes = new Uint8Array(end - offset - zeros)
  for (let from = offset, to = 0; from < end; from++, to++) {
    bytes[to] = source[from] as number
    if (bytes[to] === 0) from++
  }
  return bytes
}

/** How many bytes `writeText` writes. */
export function textLength(text: string): number {
  let length = 0
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    length += unit < 0x80 ? 1 : unit < 0x800 ? 2 : 3
  }
  return length
}

/** @returns the offset behind what was written */
export function writeText(target: Uint8Array, offset: number, text: string): number {
  let at = offset
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit < 0x80) {
      target[at++] = unit
    } else if (unit < 0x800) {
      target[at++] = 0xc0 | (unit >> 6)
      target[at++] = 0x80 | (unit & 0x3f)
    } else {
      target[at++] = 0xe0 | (unit >> 12)
      target[at++] = 0x80 | ((unit >> 6) & 0x3f)
      target[at++] = 0x80 | (unit & 0x3f)
    }
  }
  return at
}

/** Reads a text from `offset` to the end. @param to where the source ends */
export function readText(source: Uint8Array, offset: number, to = source.length): string {
  let text = ''
  for (let at = offset; at < to; ) {
    const lead = source[at++] as number
    let unit = lead
    if (lead >= 0xe0) unit = ((lead & 0x0f) << 12) | (continued(source, at++) << 6) | continued(source, at++)
    else if (lead >= 0x80) unit = ((lead & 0x1f) << 6) | continued(source, at++)
    text += String.fromCharCode(unit)
  }
  return text
}

function continued(source: Uint8Array, at: number): number {
  return (source[at] as number) & 0x3f
}
