/*
 * A page: entries in the order of their keys, side by side in one array of bytes.
 *
 *   key length ∥ value length ∥ key ∥ value …     lengths of seven bits a byte, least first, the last below 128
 *
 * What is read from a page is a view of it or a copy, as said; a page itself never changes.
 */

/** A page that would grow beyond this is cut … */
const LONGEST_PAGE = 2048
/** … into pages of about this length. */
const FRESH_PAGE = 1024

export type PageEntry = readonly [key: Uint8Array, value: Uint8Array]

/** A change of a page: undefined deletes. */
export type PageChange = readonly [key: Uint8Array, value: Uint8Array | undefined]

/** Steps through the entries of a page. Before the first `next` it stands on none. */
export class PageReader {
  #at = 0
  /** Where the entry begins. */
  start = 0
  #keyStart = 0
  #keyEnd = 0
  #valueEnd = 0

  constructor(readonly page: Uint8Array) {}

  /** @returns false when there is no further entry */
  next(): boolean {
    if (this.#at >= this.page.length) return false
    this.start = this.#at
    const keyLength = this.#length()
    const valueLength = this.#length()
    this.#keyStart = this.#at
    this.#keyEnd = this.#at + keyLength
    this.#valueEnd = this.#keyEnd + valueLength
    this.#at = this.#valueEnd
    return true
  }

  /** Where the entry ends. */
  get end(): number {
    return this.#valueEnd
  }

  /** Compares the entry's key with another one. */
  compareKey(key: Uint8Array): number {
    const { page } = this
    const start = this.#keyStart
    const ownLength = this.#keyEnd - start
    const length = Math.min(ownLength, key.length)
    for (let i = 0; i < length; i++) {
      const difference = (page[start + i] as number) - (key[i] as number)
      if (difference !== 0) return difference
    }
    return ownLength - key.length
  }

  /** A copy. */
  get key(): Uint8Array {
    return copyOf(this.page, this.#keyStart, this.#keyEnd)
  }

  /** A copy. */
  get value(): Uint8Array {
    return copyOf(this.page, this.#keyEnd, this.#valueEnd)
  }

  get valueLength(): number {
    return this.#valueEnd - this.#keyEnd
  }

  #length(): number {
    let length = 0
    for (let shift = 1; ; shift *= 128) {
      const byte = this.page[this.#at++] as number
      length += (byte & 127) * shift
      if (byte < 128) return length
    }
  }
}

/**
 * A copy of a key's value; undefined when the page has none. Every read that goes to disk comes here, so it steps by
 * itself and makes no reader.
 */
export function findInPage(page: Uint8Array, key: Uint8Array): Uint8Array | undefined {
  const wanted = key.length
  for (let at = 0; at < page.length; ) {
    let keyLength = page[at++] as number
    for (let factor = 128, byte = keyLength; byte > 127; factor *= 128) {
      byte = page[at++] as number
      keyLength += (byte & 127) * factor - (factor === 128 ? 128 : 0)
    }
    let valueLength = page[at++] as number
    for (let factor = 128, byte = valueLength; byte > 127; factor *= 128) {
      byte = page[at++] as number
      valueLength += (byte & 127) * factor - (factor === 128 ? 128 : 0)
    }
    const end = at + keyLength
    // Keys next to each other begin alike, so that they are told apart from behind.
    if (keyLength === wanted) {
      let i = wanted - 1
      while (i >= 0 && page[at + i] === key[i]) i--
      if (i < 0) return copyOf(page, end, end + valueLength)
    }
    at = end + valueLength
  }
  return undefined
}

export function entriesOf(page: Uint8Array): PageEntry[] {
  const entries: PageEntry[] = []
  const reader = new PageReader(page)
  while (reader.next()) entries.push([reader.key, reader.value])
  return entries
}

/** What has become of a page. */
export interface MergedPage {
  /** None when no entry is left; several when it was too long. */
  readonly pages: readonly { readonly first: Uint8Array; readonly bytes: Uint8Array }[]
  /** By how much the number of entries, and the bytes of keys and values, have changed. */
  readonly entries: number
  readonly bytes: number
}

/** What a page is made of: entries that are new, and spans of the page that was. */
type Piece = PageEntry | { readonly from: number; readonly to: number }

/**
 * Applies changes to a page. What does not change is copied as it lies, without being looked at entry by entry.
 *
 * @param changes in the order of their keys, each key once
 */
export function mergePage(page: Uint8Array, changes: readonly PageChange[]): MergedPage {
  const pieces: Piece[] = []
  let length = 0
  let entries = 0
  let bytes = 0
  let copied = 0
  let next = 0
  const copyTo = (to: number) => {
    if (to <= copied) return
    pieces.push({ from: copied, to })
    length += to - copied
    copied = to
  }
  const put = ([key, value]: PageChange) => {
    if (value === undefined) return
    pieces.push([key, value])
    length += lengthOf([key, value])
    entries++
    bytes += key.length + value.length
  }
  const reader = new PageReader(page)
  while (next < changes.length && reader.next()) {
    for (; next < changes.length; next++) {
      const order = reader.compareKey((changes[next] as PageChange)[0])
      if (order < 0) break
      copyTo(reader.start)
      if (order === 0) {
        copied = reader.end
        entries--
        bytes -= (changes[next] as PageChange)[0].length + reader.valueLength
      }
      put(changes[next] as PageChange)
    }
  }
  copyTo(page.length)
  for (; next < changes.length; next++) put(changes[next] as PageChange)
  return { pages: toPages(page, pieces, length), entries, bytes }
}

function toPages(page: Uint8Array, pieces: readonly Piece[], length: number): MergedPage['pages'] {
  if (length === 0) return []
  if (length > LONGEST_PAGE)
    return cut(
      pieces.flatMap((piece) => ('from' in piece ? entriesOf(page.subarray(piece.from, piece.to)) : [piece])),
      length,
    )
  const merged = new Uint8Array(length)
  let at = 0
  for (const piece of pieces) {
    if ('from' in piece) {
      merged.set(page.subarray(piece.from, piece.to), at)
      at += piece.to - piece.from
    } else at = writeEntry(merged, at, piece)
  }
  const first = new PageReader(merged)
  first.next()
  return [{ first: first.key, bytes: merged }]
}

function cut(entries: readonly PageEntry[], total: number): MergedPage['pages'] {
  const pages: { first: Uint8Array; bytes: Uint8Array }[] = []
  let left = total
  for (let from = 0; from < entries.length; ) {
    const most = left > LONGEST_PAGE ? FRESH_PAGE : LONGEST_PAGE
    let length = 0
    let to = from
    while (to < entries.length && (to === from || length + lengthOf(entries[to] as PageEntry) <= most)) {
      length += lengthOf(entries[to++] as PageEntry)
    }
    pages.push({ first: (entries[from] as PageEntry)[0], bytes: write(entries, from, to, length) })
    left -= length
    from = to
  }
  return pages
}

function write(entries: readonly PageEntry[], from: number, to: number, length: number): Uint8Array {
  const page = new Uint8Array(length)
  let at = 0
  for (let i = from; i < to; i++) at = writeEntry(page, at, entries[i] as PageEntry)
  return page
}

/** @returns the offset behind it */
function writeEntry(page: Uint8Array, offset: number, [key, value]: PageEntry): number {
  const at = writeLength(page, writeLength(page, offset, key.length), value.length)
  page.set(key, at)
  page.set(value, at + key.length)
  return at + key.length + value.length
}

function writeLength(page: Uint8Array, at: number, length: number): number {
  let rest = length
  let to = at
  for (; rest > 127; rest = Math.floor(rest / 128)) page[to++] = (rest & 127) | 128
  page[to++] = rest
  return to
}

function lengthOf([key, value]: PageEntry): number {
  return lengthLength(key.length) + lengthLength(value.length) + key.length + value.length
}

function lengthLength(length: number): number {
  let bytes = 1
  for (let rest = length; rest > 127; rest = Math.floor(rest / 128)) bytes++
  return bytes
}

/** Not a view: it would keep the whole page in memory. */
function copyOf(page: Uint8Array, start: number, end: number): Uint8Array {
  const copy = new Uint8Array(end - start)
  if (copy.length > 64) copy.set(page.subarray(start, end))
  else for (let i = 0; i < copy.length; i++) copy[i] = page[start + i] as number
  return copy
}
