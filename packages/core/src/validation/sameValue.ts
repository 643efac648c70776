import { equalBytes } from '../model/bytes.js'

/** Whether two decoded keys are the same value: by content, as far as plain data goes. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (a instanceof Uint8Array || b instanceof Uint8Array) {
    return a instanceof Uint8Array && b instanceof Uint8Array && equalBytes(a, b)
  }
  if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false
  const left = Object.entries(a)
  const right = new Map(Object.entries(b))
  return left.length === right.size && left.every(([name, part]) => right.has(name) && sameValue(part, right.get(name)))
}
