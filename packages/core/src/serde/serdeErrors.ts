import { StreamError } from '../errors/index.js'
import { toHex } from '../model/bytes.js'

const shownBytes = 16
const shownCharacters = 60

/** The first bytes as hex, and how many there are: `2 bytes (00 2a)`. */
export function describeBytes(bytes: Uint8Array): string {
  const count = `${bytes.length} ${bytes.length === 1 ? 'byte' : 'bytes'}`
  if (bytes.length === 0) return count
  const more = bytes.length > shownBytes ? ' …' : ''
  return `${count} (${toHex(bytes.subarray(0, shownBytes), ' ')}${more})`
}

/** A value as text for a message, with its type where the text alone would not tell. */
export function describeValue(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  if (typeof value === 'string') return `the string ${JSON.stringify(value.slice(0, shownCharacters))}`
  if (typeof value === 'bigint') return `the bigint ${value}n`
  if (typeof value === 'function' || typeof value === 'symbol') return `a ${typeof value}`
  if (typeof value === 'object') return `an object (${value.constructor?.name ?? 'without a prototype'})`
  return `the ${typeof value} ${Object.is(value, -0) ? '-0' : String(value)}`
}

/** Bytes that a serde cannot read. */
export function unreadable(topic: string, message: string, cause?: unknown): StreamError {
  return new StreamError(message, {
    code: 'DESERIALIZATION_FAILED',
    kind: 'user',
    retriable: false,
    context: { topic },
    cause,
  })
}

/** A value that a serde cannot write. */
export function unwritable(topic: string, message: string, cause?: unknown): StreamError {
  return new StreamError(message, {
    code: 'SERIALIZATION_FAILED',
    kind: 'user',
    retriable: false,
    context: { topic },
    cause,
  })
}

/**
 * Refuses bytes of another length than the serde writes.
 *
 * @param reader Kafka's name of the deserializer, so that people find what they know
 */
export function requireLength(topic: string, bytes: Uint8Array, length: number, reader: string): void {
  if (bytes.length === length) return
  throw unreadable(
    topic,
    `Size of data received by ${reader} is not ${length}: got ${describeBytes(bytes)}. ` +
      'Declare the serde that wrote these bytes.',
  )
}
