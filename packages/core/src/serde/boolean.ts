import type { Serde } from './Serde.js'
import { describeValue, requireLength, unreadable, unwritable } from './serdeErrors.js'

/** A truth value: one byte, `01` or `00`, as Kafka's BooleanSerde. Any other byte is refused. */
export const boolean: Serde<boolean> = {
  id: 'boolean',
  serialize(topic, _headers, value) {
    if (typeof value !== 'boolean') {
      throw unwritable(topic, `The serde "boolean" writes true and false, not ${describeValue(value)}.`)
    }
    return Uint8Array.of(value ? 1 : 0)
  },
  deserialize(topic, _headers, bytes) {
    requireLength(topic, bytes, 1, 'BooleanDeserializer')
    if (bytes[0] === 1) return true
    if (bytes[0] === 0) return false
    throw unreadable(topic, `Unexpected byte received by BooleanDeserializer: ${bytes[0]}. It reads 1 and 0.`)
  },
}
