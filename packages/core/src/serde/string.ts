import { withDirectWriter } from './DirectWriter.js'
import type { Serde } from './Serde.js'
import { describeValue, unwritable } from './serdeErrors.js'
import { decodeShortAscii, encodeShortAscii, encodeShortAsciiInto, LONGEST_SHORT } from './shortAscii.js'

const encoder = new TextEncoder()
// Java keeps a byte order mark as text; so do we.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
const loneSurrogate = /\p{Surrogate}/gu

/**
 * The UTF-8 bytes of a text, as the JVM writes them: `3f` ("?") for each lone surrogate,
 * where TextEncoder alone would write U+FFFD and so pick another partition (G-75).
 */
export function encodeText(text: string): Uint8Array {
  return encodeShortAscii(text) ?? encoder.encode(text.replace(loneSurrogate, '?'))
}

/** Text in UTF-8, as Kafka's StringSerde. Bytes that are not UTF-8 are read as U+FFFD, without an error. */
export const string: Serde<string> = withDirectWriter(
  {
    id: 'string',
    serialize(topic, _headers, value) {
      if (typeof value !== 'string') {
        throw unwritable(
          topic,
          `The serde "string" writes strings, not ${describeValue(value)}. ` +
            'Convert it with String(…), or declare the serde of its type.',
        )
      }
      return encodeText(value)
    },
    deserialize(_topic, _headers, bytes) {
      return decodeShortAscii(bytes) ?? decoder.decode(bytes)
    },
  },
  (_topic, value, target, at) => {
    if (typeof value !== 'string' || value.length > LONGEST_SHORT) return -1
    const start = target.reserve(at, LONGEST_SHORT)
    return encodeShortAsciiInto(value, target.bytes, start)
  },
)
