import { nearTheEnd } from '../values.js'

/**
 * Compares by meaning: numbers by value, whether they are spelled as a number or as the text of one beyond 2^53−1, and
 * times near Java's end as those that are as near to ours.
 */
export function sameJson(expected: unknown, actual: unknown): boolean {
  if (Object.is(expected, actual)) return true
  if (typeof expected === 'string' && longs.test(expected)) return nearTheEnd(expected) === String(actual)
  if (typeof expected === 'number' && typeof actual === 'number') return expected === actual
  if (typeof expected === 'number' && typeof actual === 'string' && integer.test(actual))
    return expected === Number(actual)
  if (Array.isArray(expected)) {
    return (
      Array.isArray(actual) &&
      actual.length === expected.length &&
      expected.every((item, index) => sameJson(item, actual[index]))
    )
  }
  if (isObject(expected) && isObject(actual)) {
    const keys = Object.keys(expected)
    return keys.length === Object.keys(actual).length && keys.every((key) => sameJson(expected[key], actual[key]))
  }
  return false
}

/** Numbers of as many digits as Java's end of time has. */
const longs = /\d{19}/

/** As the text of a double that is beyond 2^53 and has no fraction. */
const integer = /^-?\d{16,}$/

function isObject(value: unknown): value is { readonly [key: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
