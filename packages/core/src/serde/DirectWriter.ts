import type { Serializer } from './Serde.js'

/** Bytes that are written one behind the other, and grow. */
export interface ByteTarget {
  /** Another array once there was no more room in the one before. */
  readonly bytes: Uint8Array
  /** Sees to room for so many bytes, from so many bytes behind what is there on. @returns where that is in `bytes` */
  reserve(at: number, length: number): number
}

/**
 * Writes as a built-in serde does, where the bytes are to lie and without an array of their own on the way.
 *
 * @internal
 */
export interface DirectWriter {
  /** The serde that it writes for. A copy of that may write otherwise. */
  readonly of: Serializer<any>
  /**
   * @param at so many bytes behind what is there
   * @returns how many bytes; −1 for what it leaves to `serialize`, refusals included
   */
  write(topic: string, value: unknown, target: ByteTarget, at: number): number
}

/** Of a serde that somebody has made from a built-in one, as by `{ ...string, serialize }`, it is undefined. */
export function directWriterOf(serializer: Serializer<any> | undefined): DirectWriter | undefined {
  const direct = (serializer as { readonly direct?: DirectWriter } | undefined)?.direct
  return direct?.of === serializer ? direct : undefined
}

/** Gives a serde its writer. */
export function withDirectWriter<S extends Serializer<any>>(serde: S, write: DirectWriter['write']): S {
  const direct: DirectWriter = { of: serde, write }
  return Object.defineProperty(serde, 'direct', { value: direct })
}

const encoder = new TextEncoder()

/**
 * Writes a text in UTF-8.
 *
 * @returns how many bytes
 */
export function writeText(text: string, target: ByteTarget, at: number): number {
  const start = target.reserve(at, 3 * text.length)
  return encoder.encodeInto(text, target.bytes.subarray(start)).written
}
