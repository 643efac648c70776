import type { Serde } from './Serde.js'
import { describeBytes, describeValue, unreadable, unwritable } from './serdeErrors.js'
import { encodeText, string } from './string.js'

const form = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/**
 * A UUID as its 36-character text, as Kafka's UUIDSerde: not 16 bytes.
 * Hex digits become lower-case in both directions, as in Java, so that one UUID has one key.
 */
export const uuid: Serde<string> = {
  id: 'uuid',
  serialize(topic, _headers, value) {
    if (typeof value !== 'string' || !form.test(value)) {
      throw unwritable(
        topic,
        `The serde "uuid" writes texts like 123e4567-e89b-12d3-a456-426614174000, not ${describeValue(value)}.`,
      )
    }
    return encodeText(value.toLowerCase())
  },
  deserialize(topic, headers, bytes) {
    const text = string.deserialize(topic, headers, bytes)
    if (!form.test(text)) {
      throw unreadable(
        topic,
        `Error parsing data into UUID: got ${describeBytes(bytes)}, where the 36 characters of a UUID's text are ` +
          'expected. If it was written as 16 bytes, read it with "byteArray".',
      )
    }
    return text.toLowerCase()
  },
}
