import type { Serde } from './Serde.js'
import { describeValue, unwritable } from './serdeErrors.js'

/**
 * Bytes as they are. The array is handed on, not copied: do not change it afterwards, as a store or
 * an output may still hold it.
 */
export const byteArray: Serde<Uint8Array> = bytesSerde('byteArray')

/** As `byteArray`; Kafka's name for comparable bytes. */
export const bytes: Serde<Uint8Array> = bytesSerde('bytes')

/** As `byteArray`; the whole content, as Kafka's ByteBufferSerde since 3.x. */
export const byteBuffer: Serde<Uint8Array> = bytesSerde('byteBuffer')

function bytesSerde(id: string): Serde<Uint8Array> {
  return {
    id,
    serialize(topic, _headers, value) {
      if (!(value instanceof Uint8Array)) {
        throw unwritable(topic, `The serde "${id}" writes a Uint8Array, not ${describeValue(value)}.`)
      }
      return value
    },
    deserialize(_topic, _headers, value) {
      return value
    },
  }
}
