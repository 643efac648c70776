/** A text cut to a width by the mean width of a letter, with an ellipsis: a picture that stands alone cannot measure. */
export function fitted(text: string, width: number, letter: number): string {
  const most = Math.max(1, Math.floor(width / letter))
  return text.length <= most ? text : `${text.slice(0, most - 1)}…`
}
