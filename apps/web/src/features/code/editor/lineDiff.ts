/** One line of the newer text that is new, or one of the older text that is gone. */
export type LineChange =
  | { readonly kind: 'added'; readonly line: number; readonly from: number; readonly to: number }
  /** `before` is the line of the newer text (from 1) above which the lost line stood. */
  | { readonly kind: 'removed'; readonly before: number; readonly text: string }

/**
 * The lines by which two texts differ, in the order of the newer one. An added line says which of its columns are new:
 * `from` to `to`, from 0, blanks at the ends left out. Where a formatter only broke a line, none are: `from` is `to`.
 */
export function lineDiff(older: string, newer: string): LineChange[] {
  if (older === newer) return []
  const a = older.split('\n')
  const b = newer.split('\n')
  const head = commonPrefix(a, b)
  const tail = commonSuffix(a.slice(head), b.slice(head))
  const removed = a.slice(head, a.length - tail)
  const added = b.slice(head, b.length - tail)
  const changes: LineChange[] = []
  for (const block of blocks(removed, added)) {
    block.removed.forEach((text) => {
      changes.push({ kind: 'removed', before: head + block.at + 1, text })
    })
    block.added.forEach((text, index) => {
      changes.push({ kind: 'added', line: head + block.at + index + 1, ...newColumns(text, block.removed, index) })
    })
  }
  return changes
}

interface Block {
  /** Index in the newer lines. */
  readonly at: number
  readonly removed: readonly string[]
  readonly added: readonly string[]
}

/** Runs of lines that differ, by a longest common subsequence; the texts are a few hundred lines at most. */
function blocks(a: readonly string[], b: readonly string[]): Block[] {
  const lengths = commonLengths(a, b)
  const found: { at: number; removed: string[]; added: string[] }[] = []
  let open: (typeof found)[number] | undefined
  let i = 0
  let j = 0
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      open = undefined
      i += 1
      j += 1
      continue
    }
    if (open === undefined) {
      open = { at: j, removed: [], added: [] }
      found.push(open)
    }
    const takeOld = j >= b.length || (i < a.length && lengths[i + 1]![j]! >= lengths[i]![j + 1]!)
    if (takeOld) open.removed.push(a[i++]!)
    else open.added.push(b[j++]!)
  }
  return found
}

function commonLengths(a: readonly string[], b: readonly string[]): number[][] {
  const lengths = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0))
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      lengths[i]![j] = a[i] === b[j] ? lengths[i + 1]![j + 1]! + 1 : Math.max(lengths[i + 1]![j]!, lengths[i]![j + 1]!)
    }
  }
  return lengths
}

function newColumns(text: string, removed: readonly string[], index: number) {
  const before = removed[index]
  const head = before === undefined ? 0 : commonPrefix([...before], [...text])
  const tail = before === undefined ? 0 : commonSuffix([...before].slice(head), [...text].slice(head))
  const changed = text.slice(head, text.length - tail)
  // Only a line of its own can have been moved there; a change within a line is one, whatever else the line says.
  const isOld = before === undefined && removed.some((line) => line.includes(changed.trim().replace(/,$/, '')))
  if (isOld) return { from: head, to: head }
  const blanks = changed.length - changed.trimStart().length
  return { from: head + blanks, to: head + changed.trimEnd().length }
}

function commonPrefix(a: readonly string[], b: readonly string[]): number {
  let length = 0
  while (length < a.length && length < b.length && a[length] === b[length]) length += 1
  return length
}

function commonSuffix(a: readonly string[], b: readonly string[]): number {
  let length = 0
  while (length < a.length && length < b.length && a[a.length - 1 - length] === b[b.length - 1 - length]) length += 1
  return length
}
