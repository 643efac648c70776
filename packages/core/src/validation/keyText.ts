import { toHex } from '../model/bytes.js'

/** A key as text, for people: strings as they are, bytes in hex, the rest as JSON where there is one. */
export function keyText(key: unknown): string {
  if (typeof key === 'string') return key
  if (key instanceof Uint8Array) return toHex(key, ' ')
  if (typeof key !== 'object' || key === null) return String(key)
  return JSON.stringify(key, (_name, part) => (typeof part === 'bigint' ? String(part) : part))
}
