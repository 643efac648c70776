const NUMBERS = new Set(['long', 'integer', 'short', 'double', 'float'])
const BYTES = new Set(['byteArray', 'bytes', 'byteBuffer'])

/** The text of a key as the value that the serde of this id writes. Serdes of the user's own get the text. */
export function keyFromText(serdeId: string, text: string): unknown {
  return serdeId === 'json' ? parseOrText(text) : toSerdeInput(serdeId, text)
}

/** A JSON value as the value that the serde of this id writes: JSON has no bigints and no bytes, so text stands for them. */
export function toSerdeInput(serdeId: string, value: unknown): unknown {
  if (typeof value !== 'string') return serdeId === 'bigint' && typeof value === 'number' ? BigInt(value) : value
  if (NUMBERS.has(serdeId)) return Number(value)
  if (serdeId === 'bigint') return BigInt(value)
  if (serdeId === 'boolean') return value === 'true'
  if (BYTES.has(serdeId)) return new TextEncoder().encode(value)
  return value
}

function parseOrText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return text
    throw error
  }
}
