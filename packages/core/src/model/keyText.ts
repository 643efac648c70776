import { toHex } from './bytes.js'

const LONGEST = 120

/** A key or value as people read it in messages and on the page; cut when long. */
export function keyText(value: unknown): string {
  const text = plainText(value)
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}

function plainText(value: unknown): string {
  if (typeof value === 'string') return value
  if (value instanceof Uint8Array) return toHex(value, ' ')
  if (isWindowed(value)) return `${plainText(value.key)}@${value.window.start}/${value.window.end}`
  if (typeof value === 'object' && value !== null) {
    try {
      return JSON.stringify(value) ?? String(value)
    } catch {
      // Cyclic, or with a bigint inside: its own text is all there is.
      return String(value)
    }
  }
  return String(value)
}

function isWindowed(value: unknown): value is { key: unknown; window: { start: number; end: number } } {
  if (typeof value !== 'object' || value === null || !('window' in value) || !('key' in value)) return false
  const window = value.window
  return typeof window === 'object' && window !== null && 'start' in window && 'end' in window
}
