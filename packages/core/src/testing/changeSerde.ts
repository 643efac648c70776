import type { Headers } from '../model/Headers.js'
import type { Serde } from '../serde/Serde.js'
import { readVarint, varintLength, writeVarint } from '../serde/varint.js'

/** What a table's rows cross to their groups as: the new value and the old one, of which one may be null. */
interface ChangeLike {
  readonly newValue: unknown
  readonly oldValue: unknown
  readonly isLatest: boolean
}

const [oldOnly, newOnly, both] = [0, 1, 2]

/** Whether a value is what a table hands on, by its shape: the driver knows no operator of the DSL. */
export function isChange(value: unknown): value is ChangeLike {
  return (
    typeof value === 'object' && value !== null && 'newValue' in value && 'oldValue' in value && 'isLatest' in value
  )
}

/**
 * Kafka's form of a change since 3.5 (`kafka-streams.md` F.3): the value and a byte that says which it is, or both, the
 * new one after its length as a varint.
 */
export function changeSerde(inner: Serde<any>): Pick<Serde<any>, 'serialize' | 'deserialize'> {
  const write = (topic: string, headers: Headers, value: unknown) =>
    value === null ? undefined : inner.serialize(topic, headers, value)
  return {
    serialize(topic, headers, change: ChangeLike) {
      const newBytes = write(topic, headers, change.newValue)
      const oldBytes = write(topic, headers, change.oldValue)
      if (newBytes !== undefined && oldBytes !== undefined) return writeBoth(newBytes, oldBytes)
      const flag = newBytes === undefined ? oldOnly : newOnly
      return concat(newBytes ?? oldBytes ?? new Uint8Array(0), Uint8Array.of(flag))
    },
    deserialize(topic, headers, bytes) {
      const body = bytes.subarray(0, -1)
      const read = (part: Uint8Array) => inner.deserialize(topic, headers, part)
      if (bytes.at(-1) === newOnly) return change(read(body), null)
      if (bytes.at(-1) === oldOnly) return change(null, read(body))
      const { value: length, next } = readVarint(body, 0)
      return change(read(body.subarray(next, next + length)), read(body.subarray(next + length)))
    },
  }
}

/** What has crossed is the newest: an older row is not sent (`kafka-streams.md` B.8). */
function change(newValue: unknown, oldValue: unknown): ChangeLike {
  return { newValue, oldValue, isLatest: true }
}

function writeBoth(newBytes: Uint8Array, oldBytes: Uint8Array): Uint8Array {
  const length = new Uint8Array(varintLength(newBytes.length))
  writeVarint(length, 0, newBytes.length)
  return concat(length, newBytes, oldBytes, Uint8Array.of(both))
}

function concat(...parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}
