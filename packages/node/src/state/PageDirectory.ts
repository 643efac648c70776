const EMPTY = new Uint8Array(0)

/** A group that would hold more pages than this is cut into two. */
const MOST_PAGES = 64

/** Some pages next to each other: their first keys side by side, where each ends, and the pages' numbers. */
interface Group {
  bytes: Uint8Array
  readonly ends: number[]
  readonly numbers: number[]
}

/**
 * Which page of a store begins at which key. Searched at every read that goes to disk, and so it is made of a few large
 * arrays: groups in the order of their keys, each of a few dozen pages.
 */
export class PageDirectory {
  #groups: Group[] = []
  #size = 0
  /** Where the last search has ended. */
  #group: Group | undefined
  #groupAt = -1
  #at = -1

  get size(): number {
    return this.#size
  }

  /** The number of the page that begins at a key or last before it; −1 when there is none. */
  numberAt(key: Uint8Array): number {
    this.#search(key, true)
    return this.#group === undefined ? -1 : (this.#group.numbers[this.#at] as number)
  }

  /** The number of the page that begins at a key; −1 when none does. */
  numberOf(first: Uint8Array): number {
    return this.#find(first) ? ((this.#group as Group).numbers[this.#at] as number) : -1
  }

  /** The first key of the page that begins at a key or last before it. */
  floor(key: Uint8Array): Uint8Array | undefined {
    this.#search(key, true)
    return this.#found()
  }

  /** The first key of the last page that begins before a key; of the last one of all without a key. */
  below(key: Uint8Array | undefined): Uint8Array | undefined {
    if (key === undefined) this.#move(this.#groups.length - 1, Number.POSITIVE_INFINITY)
    else this.#search(key, false)
    return this.#found()
  }

  /** The first key of the first page that begins behind a key. */
  behind(key: Uint8Array): Uint8Array | undefined {
    this.#search(key, true)
    if (this.#group === undefined) this.#move(0, 0)
    else if (this.#at + 1 < this.#group.ends.length) this.#at++
    else this.#move(this.#groupAt + 1, 0)
    return this.#found()
  }

  set(first: Uint8Array, number: number): void {
    if (this.#find(first)) {
      ;(this.#group as Group).numbers[this.#at] = number
      return
    }
    this.#size++
    if (this.#groups.length === 0) {
      this.#groups.push({ bytes: first.slice(), ends: [first.length], numbers: [number] })
      return
    }
    if (this.#group === undefined) this.#move(0, -1)
    const group = this.#group as Group
    insert(group, this.#at + 1, first, number)
    if (group.ends.length > MOST_PAGES) this.#groups.splice(this.#groupAt + 1, 0, cutInHalf(group))
  }

  remove(first: Uint8Array): void {
    if (!this.#find(first)) return
    const group = this.#group as Group
    this.#size--
    if (group.ends.length === 1) this.#groups.splice(this.#groupAt, 1)
    else takeOut(group, this.#at)
  }

  /** Of all pages. */
  *numbers(): Generator<number> {
    for (const { numbers } of this.#groups) yield* numbers
  }

  clear(): void {
    this.#groups = []
    this.#size = 0
    this.#move(-1, 0)
  }

  #find(first: Uint8Array): boolean {
    this.#search(first, true)
    return this.#group !== undefined && compareAt(this.#group, this.#at, first) === 0
  }

  /** Goes to the last page that begins before a key, or at it; to none when there is no such page. */
  #search(key: Uint8Array, orAt: boolean): void {
    const most = orAt ? 0 : -1
    const groups = this.#groups
    let low = 0
    let high = groups.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (compareAt(groups[middle] as Group, 0, key) <= most) low = middle + 1
      else high = middle
    }
    this.#groupAt = low - 1
    this.#group = groups[low - 1]
    if (this.#group === undefined) return
    const group = this.#group
    low = 1
    high = group.ends.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (compareAt(group, middle, key) <= most) low = middle + 1
      else high = middle
    }
    this.#at = low - 1
  }

  #move(group: number, at: number): void {
    this.#groupAt = group
    this.#group = this.#groups[group]
    this.#at = Math.min(at, (this.#group?.ends.length ?? 0) - 1)
  }

  /** A copy of the key where the search has ended. */
  #found(): Uint8Array | undefined {
    if (this.#group === undefined) return undefined
    const { bytes, ends } = this.#group
    const end = ends[this.#at] as number
    const start = this.#at === 0 ? 0 : (ends[this.#at - 1] as number)
    return start === end ? EMPTY : bytes.slice(start, end)
  }
}

/** Less than 0 when the page begins before the key. */
function compareAt({ bytes, ends }: Group, at: number, key: Uint8Array): number {
  const start = at === 0 ? 0 : (ends[at - 1] as number)
  const length = (ends[at] as number) - start
  const common = Math.min(length, key.length)
  for (let i = 0; i < common; i++) {
    const difference = (bytes[start + i] as number) - (key[i] as number)
    if (difference !== 0) return difference
  }
  return length - key.length
}

function insert(group: Group, at: number, first: Uint8Array, number: number): void {
  const { bytes, ends, numbers } = group
  const start = at === 0 ? 0 : (ends[at - 1] as number)
  const grown = new Uint8Array(bytes.length + first.length)
  grown.set(bytes.subarray(0, start))
  grown.set(first, start)
  grown.set(bytes.subarray(start), start + first.length)
  group.bytes = grown
  ends.splice(at, 0, start)
  for (let i = at; i < ends.length; i++) ends[i] = (ends[i] as number) + first.length
  numbers.splice(at, 0, number)
}

function takeOut(group: Group, at: number): void {
  const { bytes, ends, numbers } = group
  const start = at === 0 ? 0 : (ends[at - 1] as number)
  const end = ends[at] as number
  const left = new Uint8Array(bytes.length - (end - start))
  left.set(bytes.subarray(0, start))
  left.set(bytes.subarray(end), start)
  group.bytes = left
  ends.splice(at, 1)
  for (let i = at; i < ends.length; i++) ends[i] = (ends[i] as number) - (end - start)
  numbers.splice(at, 1)
}

/** @returns the upper half, which is no longer in the group */
function cutInHalf(group: Group): Group {
  const half = group.ends.length >>> 1
  const at = group.ends[half - 1] as number
  const upper = {
    bytes: group.bytes.slice(at),
    ends: group.ends.splice(half).map((end) => end - at),
    numbers: group.numbers.splice(half),
  }
  group.bytes = group.bytes.slice(0, at)
  return upper
}
