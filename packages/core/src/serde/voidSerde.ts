import type { Serde } from './Serde.js'
import { describeBytes, describeValue, unreadable, unwritable } from './serdeErrors.js'

/** Null and nothing else, as Kafka's VoidSerde. Null never reaches a serde, so both directions refuse. */
export const voidSerde: Serde<never> = {
  id: 'void',
  serialize(topic, _headers, value) {
    throw unwritable(topic, `Data should be null for a VoidSerializer, but it is ${describeValue(value)}.`)
  },
  deserialize(topic, _headers, bytes) {
    throw unreadable(
      topic,
      `Data should be null for a VoidDeserializer, but there are ${describeBytes(bytes)}. ` +
        'Declare the serde that wrote them, or "byteArray".',
    )
  },
}
