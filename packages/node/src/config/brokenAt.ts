/**
 * Where a text stops being JSON, in words without any of the text. V8 names the place of some mistakes only.
 *
 * @param text what `JSON.parse` has refused
 */
export function brokenAt(text: string): string {
  if (!isBroken(text)) return 'it ends before its object does'
  // The longest beginning that could still become JSON.
  let good = 0
  let bad = text.length
  while (bad - good > 1) {
    const middle = (good + bad) >> 1
    if (isBroken(text.slice(0, middle))) bad = middle
    else good = middle
  }
  const lines = text.slice(0, good).split('\n')
  return `it is not JSON at line ${lines.length}, column ${(lines.at(-1) as string).length + 1}`
}

/** Whether nothing that could follow would make JSON of it. */
function isBroken(beginning: string): boolean {
  try {
    JSON.parse(beginning)
    return false
  } catch (error) {
    const { message } = error as Error
    if (/^Unexpected end|^Unterminated string/.test(message)) return false
    return Number(/at position (\d+)/.exec(message)?.[1] ?? -1) !== beginning.length
  }
}
