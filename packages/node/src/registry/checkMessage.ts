import type * as Protobuf from 'protobufjs'

const wide = new Set(['int64', 'uint64', 'sint64', 'fixed64', 'sfixed64'])
const narrow = new Set(['int32', 'uint32', 'sint32', 'fixed32', 'sfixed32'])
const unsigned = new Set(['uint32', 'fixed32'])

type Library = typeof Protobuf

/**
 * What keeps a plain object from being a message, which `protobufjs` would bend into one: a text where a number belongs
 * becomes 0 there, and a field that the message lacks is lost.
 *
 * @returns the first problem; undefined when there is none
 */
export function checkMessage(library: Library, type: Protobuf.Type, value: unknown, at = ''): string | undefined {
  if (typeof value !== 'object' || value === null) return `${at || 'it'} is no object`
  for (const [name, given] of Object.entries(value)) {
    if (given === null || given === undefined) continue
    const field = type.fields[name]
    if (field === undefined) return `${type.fullName.slice(1)} has no field "${at}${name}"`
    const problem = checkField(library, field, given, `${at}${name}`)
    if (problem !== undefined) return problem
  }
  return undefined
}

function checkField(library: Library, field: Protobuf.Field, value: unknown, at: string): string | undefined {
  if (field.repeated) {
    if (!Array.isArray(value)) return `${at} is no array`
    return firstOf(value.map((entry, index) => checkValue(library, field, entry, `${at}[${index}]`)))
  }
  if (!field.map) return checkValue(library, field, value, at)
  if (typeof value !== 'object') return `${at} is no object`
  return firstOf(
    Object.entries(value as object).map(([key, entry]) => checkValue(library, field, entry, `${at}.${key}`)),
  )
}

function checkValue(library: Library, field: Protobuf.Field, value: unknown, at: string): string | undefined {
  const { resolvedType, type } = field
  if (resolvedType instanceof library.Type) return checkMessage(library, resolvedType, value, `${at}.`)
  if (resolvedType instanceof library.Enum) {
    const known = typeof value === 'number' ? value in resolvedType.valuesById : String(value) in resolvedType.values
    return known ? undefined : `${at} is none of ${Object.keys(resolvedType.values).join(', ')}`
  }
  return isScalar(type, value) ? undefined : `${at} is no ${type}`
}

function isScalar(type: string, value: unknown): boolean {
  if (type === 'string') return typeof value === 'string'
  if (type === 'bool') return typeof value === 'boolean'
  if (type === 'bytes') return value instanceof Uint8Array
  if (wide.has(type)) return Number.isSafeInteger(value) || (typeof value === 'string' && /^-?\d{1,20}$/.test(value))
  if (!narrow.has(type)) return typeof value === 'number'
  const [least, greatest] = unsigned.has(type) ? [0, 2 ** 32 - 1] : [-(2 ** 31), 2 ** 31 - 1]
  return Number.isInteger(value) && (value as number) >= least && (value as number) <= greatest
}

function firstOf(problems: readonly (string | undefined)[]): string | undefined {
  return problems.find((problem) => problem !== undefined)
}
