/** A text of the user's data cut to so many characters, the last one an ellipsis: nothing bounds how long a key is. */
export function shorten(text: string, most: number): string {
  // Cut before it is taken apart: a key may be megabytes long.
  const start = [...text.slice(0, most * 2 + 2)]
  return start.length <= most && text.length <= most * 2 + 2 ? text : `${start.slice(0, most - 1).join('')}…`
}
