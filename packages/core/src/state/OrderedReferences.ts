/** A chunk is split when it grows longer. */
const LONGEST_CHUNK = 512

/** Chunks are made this long. */
const FRESH_CHUNK = 256

/** Once ranges have been read, no more than so many references are left unsorted. */
const MOST_UNSORTED = 1024

/** So many are put into a chunk one by one; more are merged. */
const FEW = 4

/** What references refer to. */
export interface ReferredKeys {
  /** Compares the keys of two references. */
  compare(a: number, b: number): number
  /** Compares the key of a reference with another key. */
  compareKey(reference: number, key: Uint8Array): number
  /** Whether the entry is no more. Its key can still be compared. */
  isGone(reference: number): boolean
}

/** Where a reader of ordered references stands: on the reference that it was given last. */
export class ReferenceCursor {
  chunk = 0
  index = 0
  /** Of the order that chunk and index belong to; −1: none yet. */
  version = -1
}

/**
 * References in the order of their keys, in chunks. What is added waits unsorted until a reader comes, and is then
 * merged in as one sorted run: an order that nobody asks for costs next to nothing. References to entries that are
 * gone stay until a reader meets them or their chunk is merged.
 */
export class OrderedReferences {
  #chunks: number[][] = []
  #unsorted: number[] = []
  #read = false
  #version: number

  /**
   * @param sorted references in order, of an order that has been asked for
   * @param version to begin with: beyond that of the order before, whose readers go on with this one
   */
  constructor(
    private readonly keys: ReferredKeys,
    sorted?: readonly number[],
    version = 0,
  ) {
    this.#version = version
    if (sorted === undefined) return
    this.#chunks = split(sorted)
    this.#read = true
  }

  /** Changes whenever a reference has come or moved. */
  get version(): number {
    this.#read = true
    if (this.#unsorted.length > 0) this.#sort()
    return this.#version
  }

  /** What an order that takes the place of this one begins with. */
  get nextVersion(): number {
    return this.#version + 1
  }

  add(reference: number): void {
    this.#unsorted.push(reference)
    if (this.#read && this.#unsorted.length > MOST_UNSORTED) this.#sort()
  }

  clear(): void {
    this.#chunks = []
    this.#unsorted = []
    this.#version++
  }

  /** All that are not gone, in order. */
  *all(): Generator<number> {
    if (this.#unsorted.length > 0) this.#sort()
    for (const chunk of this.#chunks) for (const reference of chunk) if (!this.keys.isGone(reference)) yield reference
  }

  /** Whether any order has been asked for yet. */
  get isRead(): boolean {
    return this.#read
  }

  /**
   * Steps a cursor to the next reference in order. One that is new, or whose order has changed, begins at the least
   * key that is ≥ `from`, or > `from` when `behind`; at the first when there is no `from`.
   *
   * @returns −1 when there is none
   */
  ascend(cursor: ReferenceCursor, from: Uint8Array | undefined, behind: boolean): number {
    for (;;) {
      if (cursor.version === this.version) cursor.index++
      else this.#seek(cursor, from, behind)
      const chunk = this.#chunks[cursor.chunk]
      if (chunk === undefined) return this.#ended(cursor)
      if (cursor.index >= chunk.length) {
        cursor.chunk++
        cursor.index = -1
        continue
      }
      const reference = chunk[cursor.index] as number
      if (!this.keys.isGone(reference)) return reference
      this.#sweep(cursor.chunk)
    }
  }

  /**
   * Steps a cursor to the reference before. One that is new, or whose order has changed, begins at the greatest key
   * that is < `below`; at the last when there is no `below`.
   *
   * @returns −1 when there is none
   */
  descend(cursor: ReferenceCursor, below: Uint8Array | undefined): number {
    for (;;) {
      if (cursor.version !== this.version) {
        if (below === undefined) {
          cursor.version = this.#version
          cursor.chunk = this.#chunks.length
          cursor.index = 0
        } else this.#seek(cursor, below, false)
      }
      if (--cursor.index < 0) {
        if (--cursor.chunk < 0) return this.#ended(cursor)
        cursor.index = (this.#chunks[cursor.chunk] as number[]).length
        continue
      }
      const reference = (this.#chunks[cursor.chunk] as number[])[cursor.index] as number
      if (!this.keys.isGone(reference)) return reference
      this.#sweep(cursor.chunk)
    }
  }

  #ended(cursor: ReferenceCursor): number {
    cursor.version = -1
    return -1
  }

  #seek(cursor: ReferenceCursor, key: Uint8Array | undefined, behind: boolean): void {
    cursor.version = this.#version
    cursor.chunk = 0
    cursor.index = 0
    if (key === undefined) return
    const { keys } = this
    const isBefore = (reference: number) => {
      const order = keys.compareKey(reference, key)
      return order < 0 || (behind && order === 0)
    }
    cursor.chunk = countOf(this.#chunks.length, 0, (index) => isBefore(lastOf(this.#chunks[index] as number[])))
    const chunk = this.#chunks[cursor.chunk]
    if (chunk !== undefined) cursor.index = countOf(chunk.length, 0, (index) => isBefore(chunk[index] as number))
  }

  /** Takes those that are gone out of a chunk. */
  #sweep(index: number): void {
    const left = (this.#chunks[index] as number[]).filter((reference) => !this.keys.isGone(reference))
    if (left.length === 0) this.#chunks.splice(index, 1)
    else this.#chunks[index] = left
    this.#version++
  }

  #sort(): void {
    const { keys } = this
    const run = this.#unsorted.filter((reference) => !keys.isGone(reference))
    this.#unsorted = []
    this.#version++
    if (run.length > 1) run.sort((a, b) => keys.compare(a, b))
    let chunk = 0
    for (let from = 0; from < run.length; ) {
      const first = run[from] as number
      chunk = this.#chunkFor(first, chunk)
      const to = this.#endOfRun(run, from, chunk)
      this.#merge(chunk, run, from, to)
      from = to
    }
  }

  /** The first chunk, from one on, that ends behind a reference; the last one when none does. */
  #chunkFor(reference: number, start: number): number {
    const { keys } = this
    const found = countOf(this.#chunks.length, start, (index) => {
      return keys.compare(lastOf(this.#chunks[index] as number[]), reference) < 0
    })
    return Math.max(0, Math.min(found, this.#chunks.length - 1))
  }

  /** Up to where a sorted run belongs into one chunk. */
  #endOfRun(run: readonly number[], from: number, chunk: number): number {
    if (chunk >= this.#chunks.length - 1) return run.length
    const last = lastOf(this.#chunks[chunk] as number[])
    let to = from + 1
    while (to < run.length && this.keys.compare(run[to] as number, last) <= 0) to++
    return to
  }

  #merge(index: number, run: readonly number[], from: number, to: number): void {
    const { keys } = this
    const chunk = this.#chunks[index] ?? []
    const place = (reference: number, start: number) =>
      countOf(chunk.length, start, (at) => keys.compare(chunk[at] as number, reference) < 0)
    if (to - from <= FEW && chunk.length > 0) {
      for (let i = from, at = 0; i < to; i++) {
        at = place(run[i] as number, at)
        chunk.splice(at, 0, run[i] as number)
      }
      this.#place(index, chunk)
      return
    }
    const first = place(run[from] as number, 0)
    if (chunk.length + to - from <= LONGEST_CHUNK && place(run[to - 1] as number, first) === first) {
      // All of it belongs between two neighbours, or behind the last.
      chunk.splice(first, 0, ...run.slice(from, to))
      this.#place(index, chunk)
      return
    }
    const merged: number[] = []
    let copied = 0
    for (let i = from; i < to; i++) {
      const reference = run[i] as number
      const before = copied < chunk.length ? place(reference, copied) : copied
      for (; copied < before; copied++) {
        if (!keys.isGone(chunk[copied] as number)) merged.push(chunk[copied] as number)
      }
      merged.push(reference)
    }
    for (; copied < chunk.length; copied++) {
      if (!keys.isGone(chunk[copied] as number)) merged.push(chunk[copied] as number)
    }
    this.#place(index, merged)
  }

  #place(index: number, chunk: number[]): void {
    if (chunk.length <= LONGEST_CHUNK) this.#chunks[index] = chunk
    // Not by splice: there may be more pieces than a call takes arguments.
    else this.#chunks = [...this.#chunks.slice(0, index), ...split(chunk), ...this.#chunks.slice(index + 1)]
  }
}

function split(references: readonly number[]): number[][] {
  const pieces: number[][] = []
  for (let from = 0; from < references.length; from += FRESH_CHUNK) {
    pieces.push(references.slice(from, from + FRESH_CHUNK))
  }
  return pieces
}

function lastOf(chunk: readonly number[]): number {
  return chunk[chunk.length - 1] as number
}

/** How many come before, of `length` that are in order, when the first `low` are known to. */
function countOf(length: number, low: number, isBefore: (index: number) => boolean): number {
  let [least, most] = [low, length]
  while (least < most) {
    const middle = (least + most) >>> 1
    if (isBefore(middle)) least = middle + 1
    else most = middle
  }
  return least
}
