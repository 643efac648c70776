import { textOf } from './decodeBytes.js'

/**
 * Bytes as the serde of this id reads them, as text; null where the id is none that is known here, or the bytes are
 * none of its. A key in a window reads as the engine writes it: `{"key":…,"window":{"start":…,"end":…}}`.
 *
 * @param id as the engine calls a serde, such as `long` or `windowed(string,60000)`
 */
export function serdeText(hex: string, id: string): string | null {
  const [, inner, size] = /^windowed\((.*),(\d+)\)$/.exec(id) ?? []
  if (inner !== undefined) return windowedText(hex, inner, Number(size))
  const [, session] = /^sessionWindowed\((.*)\)$/.exec(id) ?? []
  if (session !== undefined) return sessionText(hex, session)
  if (id === 'string' || id === 'json') return textOf(hex)
  return numberText(hex, id)
}

const LONG = 16

function windowedText(hex: string, inner: string, sizeMs: number): string | null {
  if (hex.length < LONG) return null
  const start = int64(hex.slice(-LONG))
  return keyInWindow(hex.slice(0, -LONG), inner, start, start + BigInt(sizeMs))
}

function sessionText(hex: string, inner: string): string | null {
  if (hex.length < 2 * LONG) return null
  return keyInWindow(hex.slice(0, -2 * LONG), inner, int64(hex.slice(-LONG)), int64(hex.slice(-2 * LONG, -LONG)))
}

function keyInWindow(hex: string, inner: string, start: bigint, end: bigint): string | null {
  if (start < 0n || end < start) return null
  const text = serdeText(hex, inner)
  if (text === null) return null
  return `{"key":${inner === 'json' ? text : JSON.stringify(text)},"window":{"start":${start},"end":${end}}}`
}

function int64(hex: string): bigint {
  return BigInt.asIntN(64, BigInt(`0x${hex}`))
}

/** Big-endian, as Kafka's own serdes write numbers. */
function numberText(hex: string, id: string): string | null {
  const read = NUMBERS[id]
  if (read === undefined || hex.length !== 2 * read.bytes) return null
  const bytes = Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
  return read.text(new DataView(bytes.buffer))
}

const NUMBERS: {
  readonly [id: string]: { readonly bytes: number; readonly text: (view: DataView) => string }
} = {
  long: { bytes: 8, text: (view) => String(view.getBigInt64(0)) },
  bigint: { bytes: 8, text: (view) => String(view.getBigInt64(0)) },
  integer: { bytes: 4, text: (view) => String(view.getInt32(0)) },
  short: { bytes: 2, text: (view) => String(view.getInt16(0)) },
  double: { bytes: 8, text: (view) => String(view.getFloat64(0)) },
  float: { bytes: 4, text: (view) => String(view.getFloat32(0)) },
  boolean: { bytes: 1, text: (view) => String(view.getInt8(0) !== 0) },
}
