import type { Serde } from './Serde.js'
import { describeBytes, describeValue, unreadable, unwritable } from './serdeErrors.js'
import { encodeText, string } from './string.js'

/** How many hex digits each part has. */
const widths = [8, 4, 4, 4, 12] as const
const part = /^\+?[0-9a-f]+$/i
const longest = 36
const greatestLong = 2n ** 63n - 1n

/**
 * A UUID as its 36-character text, as Kafka's UUIDSerde: not 16 bytes.
 * Hex digits become lower-case in both directions, as in Java, so that one UUID has one key. As there, parts may be
 * written short, `1-2-3-4-5`, and of one that is too long the last digits count.
 */
export const uuid: Serde<string> = {
  id: 'uuid',
  serialize(topic, _headers, value) {
    const text = typeof value === 'string' ? inFull(value) : undefined
    if (text === undefined) {
      throw unwritable(
        topic,
        `The serde "uuid" writes texts like 123e4567-e89b-12d3-a456-426614174000, not ${describeValue(value)}.`,
      )
    }
    return encodeText(text)
  },
  deserialize(topic, headers, bytes) {
    const text = inFull(string.deserialize(topic, headers, bytes))
    if (text === undefined) {
      throw unreadable(
        topic,
        `Error parsing data into UUID: got ${describeBytes(bytes)}, where the 36 characters of a UUID's text are ` +
          'expected. If it was written as 16 bytes, read it with "byteArray".',
      )
    }
    return text
  },
}

/** The text of 36 characters that Java's `UUID.fromString` makes of one; undefined where it makes none. */
function inFull(text: string): string | undefined {
  const parts = text.split('-')
  if (text.length > longest || parts.length !== widths.length || !parts.every(isPart)) return undefined
  return widths
    .map((width, index) => (parts[index] as string).replace('+', '').toLowerCase().padStart(width, '0').slice(-width))
    .join('-')
}

/** Whether Java reads it as a hex number of 64 bits. */
function isPart(text: string): boolean {
  return part.test(text) && BigInt(`0x${text.replace('+', '')}`) <= greatestLong
}
