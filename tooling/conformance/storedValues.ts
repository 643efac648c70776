import type { Header, Headers } from '@lanescope/core'
import { type Json, UnknownWord } from './strict.js'
import { fromEngine, headersOf, headersToJson, timeOf } from './values.js'

interface Timestamped {
  readonly value: unknown
  readonly timestamp: number
}

/** Whether a store has kept a time with the value; versions are such, too. */
export function isTimestamped(stored: unknown): stored is Timestamped {
  return typeof stored === 'object' && stored !== null && 'value' in stored && 'timestamp' in stored
}

export function isWithHeaders(stored: unknown): stored is Timestamped & { readonly headers: Headers } {
  return isTimestamped(stored) && 'headers' in stored
}

/** What a store holds, as a case writes it: bare, `[value, timestamp]`, `[value, timestamp, headers]` or `[value, headers]`. */
export function storedToJson(stored: unknown): Json {
  if (stored === null || stored === undefined) return null
  if (isWithHeaders(stored)) {
    return [fromEngine(stored.value), stored.timestamp, headersToJson(stored.headers)]
  }
  if (isTimestamped(stored)) return [fromEngine(stored.value), stored.timestamp]
  if (isSessionWithHeaders(stored)) return [fromEngine(stored.value), headersToJson(stored.headers)]
  return fromEngine(stored)
}

function isSessionWithHeaders(
  stored: unknown,
): stored is { readonly value: unknown; readonly headers: Iterable<Header> } {
  return typeof stored === 'object' && stored !== null && 'value' in stored && 'headers' in stored
}

/** A value of a case as a store of this type takes it. Undefined stands for null: it deletes. */
export function storedFromJson(type: string, json: Json | undefined, convert: (json: Json) => unknown): unknown {
  if (json === null || json === undefined) return undefined
  if (type === 'sessionWithHeaders') {
    const [value, headers] = parts(json, 2)
    return { value: convert(value as Json), headers: headersOf(headers) }
  }
  if (type.endsWith('WithHeaders')) {
    const [value, timestamp, headers] = parts(json, 3)
    return { value: convert(value as Json), timestamp: timeOf(timestamp), headers: headersOf(headers) }
  }
  if (type.startsWith('timestamped')) {
    const [value, timestamp] = parts(json, 2)
    return { value: convert(value as Json), timestamp: timeOf(timestamp) }
  }
  return convert(json)
}

function parts(json: Json, count: number): Json[] {
  if (Array.isArray(json) && json.length === count) return json
  throw new UnknownWord(`${JSON.stringify(json)} is no stored value of ${count} parts.`)
}

/** Until when a put version is valid: −1 for the latest, `-9223372036854775808` for a put that was refused. */
export function versionCode(validTo: unknown): Json {
  return validTo === Number.MIN_SAFE_INTEGER || validTo === -(2 ** 63) || validTo === -(2n ** 63n)
    ? '-9223372036854775808'
    : fromEngine(validTo)
}
