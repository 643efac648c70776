/** Widths of letters in IBM Plex Sans, as shares of the size of the font: a picture that stands alone cannot measure. */
const NARROW = /[ijlftrI.,:;'!|()[\]]/
const WIDE = /[mwMW@%]/

function letterWidth(letter: string): number {
  if (letter === ' ') return 0.26
  if (NARROW.test(letter)) return 0.34
  if (WIDE.test(letter)) return 0.88
  if (letter === '-') return 0.42
  return /[A-Z]/.test(letter) ? 0.66 : /[0-9]/.test(letter) ? 0.6 : 0.56
}

/** About how wide a text is, in px. */
export function widthOf(text: string, size: number): number {
  return size * [...text].reduce((sum, letter) => sum + letterWidth(letter), 0)
}

/** A text cut to a width, with an ellipsis. */
export function fitted(text: string, width: number, size: number): string {
  if (widthOf(text, size) <= width) return text
  let kept = text
  while (kept !== '' && widthOf(`${kept}…`, size) > width) kept = kept.slice(0, -1)
  return `${kept}…`
}
