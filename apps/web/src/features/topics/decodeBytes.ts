/** Bytes for people: UTF-8 text when they are text, else null. */
export function textOf(hex: string): string | null {
  const bytes = Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return isPrintable(text) ? text : null
  } catch (error) {
    if (error instanceof TypeError) return null
    throw error
  }
}

function isPrintable(text: string): boolean {
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0
    if (code < 32 && char !== '\n' && char !== '\t' && char !== '\r') return false
  }
  return true
}
