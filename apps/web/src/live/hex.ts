/** `22 6b 30 22`; from `most` bytes on shortened with the number of bytes left out. */
export function spacedHex(hex: string, most = 24): string {
  const pairs = hex.match(/../g) ?? []
  const shown = pairs.slice(0, most).join(' ')
  return pairs.length > most ? `${shown} … ${pairs.length - most} more` : shown
}
