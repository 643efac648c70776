import type { Serde } from './Serde.js'
import { describeValue, unwritable } from './serdeErrors.js'

const encoder = new TextEncoder()
// Java keeps a byte order mark as text; so do we.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
const loneSurrogate = /\p{Surrogate}/gu
/** Arrays of up to so many bytes need no memory of their own in V8. */
const SHORT = 64

/**
 * The UTF-8 bytes of a text, as the JVM writes them: `3f` ("?") for each lone surrogate,
 * where TextEncoder alone would write U+FFFD and so pick another partition (G-75).
 */
export function encodeText(text: string): Uint8Array {
  return encodeShortAscii(text) ?? encoder.encode(text.replace(loneSurrogate, '?'))
}

/** The same bytes for most keys and values in a tenth of the time; undefined for a text that is long or not ASCII. */
function encodeShortAscii(text: string): Uint8Array | undefined {
  const { length } = text
  if (length > SHORT) return undefined
  const bytes = new Uint8Array(length)
  for (let i = 0; i < length; i++) {
    const code = text.charCodeAt(i)
    if (code > 0x7f) return undefined
    bytes[i] = code
  }
  return bytes
}

/** Text in UTF-8, as Kafka's StringSerde. Bytes that are not UTF-8 are read as U+FFFD, without an error. */
export const string: Serde<string> = {
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
    return decoder.decode(bytes)
  },
}
