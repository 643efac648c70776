import { StreamError } from '../errors/index.js'
import { bytesBetween } from '../model/bytes.js'
import type { Headers } from '../model/Headers.js'
import type { Window, Windowed } from '../model/Windowed.js'
import { directWriterOf, withDirectWriter } from './DirectWriter.js'
import { int64Length, readInt64, writeInt64 } from './int64.js'
import type { Serde } from './Serde.js'
import { describeBytes, describeValue, unreadable, unwritable } from './serdeErrors.js'

/** Windows whose end is known from their start, in ms: calendar windows, say. Those of one id have the same ends. */
export interface WindowEnds {
  readonly id?: string
  endOf(start: number): number
}

/**
 * Keys of time windows, as Kafka's TimeWindowedSerde on a topic: the inner key's bytes, then the window's start as
 * an int64. The end is not in the bytes; the reader computes it from the size, and cuts it at 2^53−1.
 * Lanes and partitions go by the inner key alone (T3).
 *
 * @param size the windows' size in ms, an integer above 0; or the windows themselves, where they are not all of one size
 * @throws StreamError CONFIG_INVALID for another size
 */
export function windowed<K>(inner: Serde<K>, size: number | WindowEnds): Serde<Windowed<K>> {
  if (typeof size === 'object') {
    return timeWindowed(`windowed(${inner.id},${size.id ?? 'windows'})`, inner, (start) => size.endOf(start))
  }
  const sizeMs = size
  if (!Number.isSafeInteger(sizeMs) || sizeMs <= 0) {
    throw new StreamError(
      `Window size (sizeMs) must be larger than zero, an integer number of ms; got ${describeValue(sizeMs)}. ` +
        'Give the size of the windows that the keys were counted in.',
      { code: 'CONFIG_INVALID', kind: 'user', retriable: false },
    )
  }
  const endOf = (start: number) => Math.min(start + sizeMs, Number.MAX_SAFE_INTEGER)
  return timeWindowed(`windowed(${inner.id},${sizeMs})`, inner, endOf)
}

function timeWindowed<K>(id: string, inner: Serde<K>, endOf: (start: number) => number): Serde<Windowed<K>> {
  return windowedSerde(id, inner, int64Length, {
    isWritable: (window) => isTime(window.start),
    write: (bytes, at, window) => writeInt64(bytes, at, window.start),
    read: (bytes, at) => ({ start: readInt64(bytes, at), end: endOf(readInt64(bytes, at)) }),
  })
}

/**
 * Keys of session windows, as Kafka's SessionWindowedSerde: the inner key's bytes, then the session's end, then
 * its start, as int64. Both ends are inclusive. Lanes and partitions go by the inner key alone (T3).
 */
export function sessionWindowed<K>(inner: Serde<K>): Serde<Windowed<K>> {
  return windowedSerde(`sessionWindowed(${inner.id})`, inner, 2 * int64Length, {
    isWritable: (window) => isTime(window.start) && isTime(window.end),
    write: (bytes, at, window) => {
      writeInt64(bytes, at, window.end)
      writeInt64(bytes, at + int64Length, window.start)
    },
    read: (bytes, at) => ({ start: readInt64(bytes, at + int64Length), end: readInt64(bytes, at) }),
  })
}

interface WindowForm {
  /** Whether the times that go into the bytes are some. */
  isWritable(window: Window): boolean
  write(bytes: Uint8Array, at: number, window: Window): void
  read(bytes: Uint8Array, at: number): Window
}

function windowedSerde<K>(id: string, inner: Serde<K>, suffix: number, form: WindowForm): Serde<Windowed<K>> {
  const keyOf = (bytes: Uint8Array) => bytesBetween(bytes, 0, Math.max(0, bytes.length - suffix))
  const writable = (window: Window | undefined) => window != null && form.isWritable(window)
  const prepare = inner.prepare?.bind(inner)
  const direct = directWriterOf(inner)
  const serde: Serde<Windowed<K>> = {
    id,
    serialize(topic: string, headers: Headers, value: Windowed<K>) {
      const window = value?.window
      if (!writable(window)) {
        throw unwritable(
          topic,
          `The serde "${id}" writes windowed keys, { key, window: { start, end } } with times in 0 … 2^53−1 ms, ` +
            `not ${window ? `the window [${window.start}, ${window.end}]` : describeValue(value)}.`,
        )
      }
      const key = inner.serialize(topic, headers, value.key)
      const bytes = new Uint8Array(key.length + suffix)
      bytes.set(key)
      form.write(bytes, key.length, window)
      return bytes
    },
    deserialize(topic: string, headers: Headers, bytes: Uint8Array) {
      const window = bytes.length < suffix ? undefined : form.read(bytes, bytes.length - suffix)
      if (window === undefined || !isTime(window.start) || !isTime(window.end)) {
        throw unreadable(
          topic,
          `The serde "${id}" cannot read ${describeBytes(bytes)}: the last ${suffix} bytes must hold the window's ` +
            `times, within 0 … 2^53−1 ms${window ? `, not [${window.start}, ${window.end}]` : ''}. ` +
            `If the keys are not windowed, declare "${inner.id}".`,
        )
      }
      return { key: inner.deserialize(topic, headers, keyOf(bytes)), window }
    },
    laneBytes: keyOf,
    ...(prepare && { prepare: (bytes: Uint8Array, headers: Headers) => prepare(keyOf(bytes), headers) }),
  }
  if (direct === undefined) return serde
  return withDirectWriter(serde, (topic, value, target, at) => {
    const { key, window } = (value ?? {}) as Partial<Windowed<K>>
    if (window === undefined || !writable(window) || key === undefined || key === null) return -1
    const length = direct.write(topic, key, target, at)
    if (length < 0) return -1
    const start = target.reserve(at + length, suffix)
    form.write(target.bytes, start, window)
    return length + suffix
  })
}

function isTime(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0
}
