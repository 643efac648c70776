import { fromHex, Headers, toHex, type Windowed } from '@lanescope/core'
import type { SerdeWord } from './CaseFile.js'
import { type Json, type JsonObject, onlyFields, UnknownWord } from './strict.js'

const greatestLong = 2n ** 63n - 1n
const greatestTime = BigInt(Number.MAX_SAFE_INTEGER)
/** A time this close to the end of Java's time is read as one as close to the end of ours (W1). */
const close = 2n ** 40n

/** A time of a case in ms: our last one is 2^53−1, Java's 2^63−1. */
export function timeOf(json: Json | undefined): number {
  if (typeof json === 'number') return json
  if (typeof json !== 'string' || !/^-?\d+$/.test(json)) throw new UnknownWord(`${JSON.stringify(json)} is no time.`)
  return Number(ours(BigInt(json)))
}

/** The same text with times near Java's end as times that are as near to ours. */
export function nearTheEnd(text: string): string {
  return text.replace(/\d{19}/g, (digits) => String(ours(BigInt(digits))))
}

/** The bytes of a windowed key with its times, the last `count` int64, brought near to our end where they are near Java's. */
export function timesNearTheEnd(bytes: Uint8Array, count: number): Uint8Array {
  const made = bytes.slice()
  const view = new DataView(made.buffer)
  for (let at = made.length - 8 * count; at >= 0 && at < made.length; at += 8)
    view.setBigInt64(at, ours(view.getBigInt64(at)))
  return made
}

function ours(time: bigint): bigint {
  return greatestLong - time < close ? greatestTime - (greatestLong - time) : time
}

/** A 64-bit integer: a number where that is exact, else a bigint, wrapped as Java wraps it. */
export function longOf(value: bigint): number | bigint {
  const wrapped = BigInt.asIntN(64, value)
  const number = Number(wrapped)
  return Number.isSafeInteger(number) ? number : wrapped
}

/** The value of a case as the engine takes it, by the word of its serde. */
export function toEngine(json: Json | undefined, serde: SerdeWord): unknown {
  if (json === null) return null
  if (json === undefined) throw new UnknownWord('A value is missing.')
  if (typeof serde === 'object') return toEngineComposed(json, serde)
  switch (serde) {
    case 'long':
      return typeof json === 'string' ? longOf(BigInt(json)) : json
    case 'double':
    case 'float':
      return Number(json)
    case 'byteArray':
    case 'bytes':
    case 'byteBuffer':
      return fromHex(String(json))
    default:
      return json
  }
}

function toEngineComposed(json: Json, serde: JsonObject): unknown {
  const inner = serde.list ?? serde.timeWindowed ?? serde.sessionWindowed
  const items = json as Json[]
  if (serde.list !== undefined) return items.map((item) => toEngine(item, inner as SerdeWord))
  const [key, start, end] = items
  return { key: toEngine(key, inner as SerdeWord), window: { start: timeOf(start), end: timeOf(end) } }
}

/** A value of the engine as a case writes it. */
export function fromEngine(value: unknown): Json {
  if (value === null || value === undefined) return null
  if (typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'bigint') return value.toString()
  if (typeof value === 'number') return fromNumber(value)
  if (value instanceof Uint8Array) return toHex(value)
  if (Array.isArray(value)) return value.map(fromEngine)
  if (isWindowed(value)) return textOf(value)
  return '(internal)'
}

function fromNumber(value: number): Json {
  if (Number.isNaN(value)) return 'NaN'
  if (!Number.isFinite(value)) return value > 0 ? 'Infinity' : '-Infinity'
  if (Object.is(value, -0)) return '-0'
  return Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(value) < 2 ** 63
    ? BigInt(value).toString()
    : value
}

/** The README's `text(v)`. */
export function textOf(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (value instanceof Uint8Array) return toHex(value)
  if (isWindowed(value)) return `${textOf(value.key)}[${value.window.start},${value.window.end}]`
  return String(value)
}

export function isWindowed(value: unknown): value is Windowed<unknown> {
  return typeof value === 'object' && value !== null && 'window' in value && 'key' in value
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** `[[name, text or null], …]` as headers. */
export function headersOf(json: Json | undefined): Headers {
  if (json === undefined || json === null) return Headers.empty
  return Headers.of(
    (json as [string, string | null][]).map(([key, text]) => ({
      key,
      value: text === null ? null : encoder.encode(text),
    })),
  )
}

export function headersToJson(headers: Iterable<{ readonly key: string; readonly value: Uint8Array | null }>): Json[] {
  return [...headers].map(({ key, value }) => [key, value === null ? null : decoder.decode(value)])
}

/** Checks the fields of a serde word that is an object. */
export function checkSerdeWord(serde: JsonObject): void {
  const kind = ['list', 'timeWindowed', 'sessionWindowed'].find((name) => name in serde)
  if (kind === undefined) throw new UnknownWord(`Unknown serde ${JSON.stringify(serde)}.`)
  const more = { list: ['class'], timeWindowed: ['size'], sessionWindowed: [] as string[] }
  onlyFields(serde, [kind, ...more[kind as keyof typeof more]], 'a serde')
}
