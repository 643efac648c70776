import { withDirectWriter, writeText } from './DirectWriter.js'
import type { Serde } from './Serde.js'
import { describeBytes, describeValue, unreadable, unwritable } from './serdeErrors.js'

/** Room is made for three bytes a character: of a longer text that would be a lot. */
const LONGEST_DIRECT = 65_536

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true })

/**
 * JSON text in UTF-8. `T` is a promise of yours: what is read is not checked against it.
 *
 * Refuses what JSON has no text for: undefined, functions, symbols, bigints, cycles, NaN and the infinities as
 * a whole value. As in JSON.stringify, undefined members are left out and a Date becomes its ISO text.
 *
 * @example
 * const orders = json<Order>()
 */
export function json<T>(): Serde<T> {
  return jsonSerde
}

// One object for every T: its bytes do not depend on it, and serdes may be compared by identity.
const jsonSerde: Serde<any> = withDirectWriter(
  {
    id: 'json',
    serialize(topic, _headers, value) {
      const text = stringify(topic, value)
      if (text === undefined || text === 'null') {
        throw unwritable(
          topic,
          `The serde "json" cannot write ${describeValue(value)}: JSON has no text for it. ` +
            'Forward null to delete a key; give an object, array, string, boolean or finite number otherwise.',
        )
      }
      return encoder.encode(text)
    },
    deserialize(topic, _headers, bytes) {
      try {
        return JSON.parse(decoder.decode(bytes))
      } catch (cause) {
        throw unreadable(
          topic,
          `The serde "json" cannot read ${describeBytes(bytes)}: ${(cause as Error).message}. ` +
            'Declare the serde that wrote them, such as "string" for bare text.',
          cause,
        )
      }
    },
  },
  (_topic, value, target, at) => {
    const text = textOf(value)
    return text === undefined || text.length > LONGEST_DIRECT ? -1 : writeText(text, target, at)
  },
)

/** What JSON has a text for; undefined for what `serialize` refuses. */
function textOf(value: unknown): string | undefined {
  try {
    const text: string | undefined = JSON.stringify(value)
    return text === 'null' ? undefined : text
  } catch {
    return undefined
  }
}

function stringify(topic: string, value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch (cause) {
    throw unwritable(
      topic,
      `The serde "json" cannot write ${describeValue(value)}: ${(cause as Error).message}. ` +
        'Turn bigints into strings and cut cycles first.',
      cause,
    )
  }
}
