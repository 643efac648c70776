import type { Serde } from './Serde.js'
import { describeValue, requireLength, unwritable } from './serdeErrors.js'

interface NumberForm {
  readonly id: string
  readonly length: number
  readonly reader: string
  /** What it takes, for people. */
  readonly range: string
  accepts(value: number): boolean
  write(view: DataView, value: number): void
  read(view: DataView): number
}

function numberSerde(form: NumberForm): Serde<number> {
  return {
    id: form.id,
    serialize(topic, _headers, value) {
      if (typeof value !== 'number' || !form.accepts(value)) {
        throw unwritable(topic, `The serde "${form.id}" writes ${form.range}, not ${describeValue(value)}.`)
      }
      const bytes = new Uint8Array(form.length)
      form.write(new DataView(bytes.buffer), value)
      return bytes
    },
    deserialize(topic, _headers, bytes) {
      requireLength(topic, bytes, form.length, form.reader)
      return form.read(new DataView(bytes.buffer, bytes.byteOffset, form.length))
    },
  }
}

/** An int16: 2 bytes, big-endian, as Kafka's ShortSerde. */
export const short: Serde<number> = numberSerde({
  id: 'short',
  length: 2,
  reader: 'ShortDeserializer',
  range: 'integers within −32768 … 32767',
  accepts: (value) => Number.isInteger(value) && value >= -32768 && value <= 32767,
  write: (view, value) => view.setInt16(0, value),
  read: (view) => view.getInt16(0),
})

/** An int32: 4 bytes, big-endian, as Kafka's IntegerSerde. */
export const integer: Serde<number> = numberSerde({
  id: 'integer',
  length: 4,
  reader: 'IntegerDeserializer',
  range: 'integers within −2147483648 … 2147483647',
  accepts: (value) => Number.isInteger(value) && value >= -2147483648 && value <= 2147483647,
  write: (view, value) => view.setInt32(0, value),
  read: (view) => view.getInt32(0),
})

/**
 * An IEEE single: 4 bytes, big-endian, as Kafka's FloatSerde. A number is rounded to the nearest single.
 * The bits of a NaN are not made canonical, but JavaScript promises to keep none but `7fc00000`.
 */
export const float: Serde<number> = numberSerde({
  id: 'float',
  length: 4,
  reader: 'FloatDeserializer',
  range: 'numbers',
  accepts: () => true,
  write: (view, value) => view.setFloat32(0, value),
  read: (view) => view.getFloat32(0),
})

/** An IEEE double: 8 bytes, big-endian, as Kafka's DoubleSerde. Every NaN becomes `7ff8000000000000`; −0 stays −0. */
export const double: Serde<number> = numberSerde({
  id: 'double',
  length: 8,
  reader: 'DoubleDeserializer',
  range: 'numbers',
  accepts: () => true,
  write: writeDouble,
  read: (view) => view.getFloat64(0),
})

function writeDouble(view: DataView, value: number): void {
  // Hosts may write any NaN they like; Java writes one.
  if (Number.isNaN(value)) view.setUint32(0, 0x7ff80000)
  else view.setFloat64(0, value)
}
