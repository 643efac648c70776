import { fromHex, toHex } from '../model/bytes.js'

/** A value as JSON has it; what JSON has not is an object with one member whose name begins with `$`. */
export type RecordedValue =
  | null
  | boolean
  | number
  | string
  | readonly RecordedValue[]
  | { readonly [name: string]: RecordedValue }

/** @returns undefined when the value holds something that is no data: a function, an object with a class of its own */
export function writeValue(value: unknown): RecordedValue | undefined {
  try {
    return write(value, new Set())
  } catch (error) {
    if (error instanceof NoData) return undefined
    throw error
  }
}

export function readValue(value: RecordedValue): unknown {
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map(readValue)
  const entries = Object.entries(value)
  const [name, content] = entries[0] ?? ['', null]
  if (entries.length === 1 && name.startsWith('$')) return readTagged(name, content)
  return Object.fromEntries(entries.map(([key, member]) => [key, readValue(member)]))
}

class NoData extends Error {}

function write(value: unknown, within: Set<object>): RecordedValue {
  if (value === undefined) return { $undefined: null }
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value
  if (typeof value === 'number') {
    return Number.isFinite(value) && !Object.is(value, -0)
      ? value
      : { $number: Object.is(value, -0) ? '-0' : `${value}` }
  }
  if (typeof value === 'bigint') return { $bigint: `${value}` }
  if (typeof value !== 'object' || within.has(value)) throw new NoData()
  within.add(value)
  const written = writeObject(value, within)
  within.delete(value)
  return written
}

function writeObject(value: object, within: Set<object>): RecordedValue {
  const each = (items: Iterable<unknown>) => Array.from(items, (item) => write(item, within))
  if (Array.isArray(value)) return each(value)
  if (value instanceof Uint8Array) return { $bytes: toHex(value) }
  if (value instanceof Date) return { $date: value.getTime() }
  if (value instanceof Map) return { $map: each(value) }
  if (value instanceof Set) return { $set: each(value) }
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) throw new NoData()
  const members = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, write(member, within)]))
  // One that looks like a mark is marked itself.
  const [only, another] = Object.keys(members)
  return only?.startsWith('$') && another === undefined ? { $object: Object.entries(members) } : members
}

function readTagged(tag: string, content: RecordedValue): unknown {
  const items = () => (content as readonly RecordedValue[]).map(readValue)
  switch (tag) {
    case '$undefined':
      return undefined
    case '$number':
      return Number(content)
    case '$bigint':
      return BigInt(content as string)
    case '$bytes':
      return fromHex(content as string)
    case '$date':
      return new Date(content as number)
    case '$map':
      return new Map(items() as [unknown, unknown][])
    case '$set':
      return new Set(items())
    case '$object':
      return Object.fromEntries(items() as [string, unknown][])
    default:
      throw new RangeError(`A recording of a newer version: it has the mark "${tag}"`)
  }
}
