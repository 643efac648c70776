/** One line of the newer text that is new, or one of the older text that is gone. */
export type LineChange =
  | { readonly kind: 'added'; readonly line: number; readonly from: number; readonly to: number }
  /** `before` is the line of the newer text (from 1) above which the lost line stood. */
  | { readonly kind: 'removed'; readonly before: number; readonly text: string }

/**
 * The lines by which two texts differ, in the order of the newer one. An added line that stands for a removed one says
 * which columns changed: `from` to `to`, from 0; else the whole line.
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
      changes.push({ kind: 'added', line: head + block.at + index + 1, ...changedColumns(block.removed[index], text) })
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

function changedColumns(before: string | undefined, after: string) {
  if (before === undefined) return { from: 0, to: after.length }
  const head = commonPrefix([...before], [...after])
  const tail = commonSuffix([...before].slice(head), [...after].slice(head))
  return { from: head, to: after.length - tail }
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
