import { type ByteEntry, type ByteRange, type OrderedByteStore, StreamError } from '@lanescope/core'
import { isBefore, type StoreHead } from './levelLayout.js'
import { PageDirectory } from './PageDirectory.js'
import { entriesOf, findInPage, type MergedPage, PageReader } from './page.js'

/** Where the pages of a store are read from. */
export interface PageSource {
  /** A page that is in memory. */
  cached(page: number): Uint8Array | undefined
  /** @param first the page's key in its store */
  load(store: DiskStore, first: Uint8Array, page: number): Uint8Array
  /** A number that no page has had. */
  nextPage(): number
}

/** What a commit makes of one page: it replaces the page that was at `at`, if there was one. */
export interface PageUpdate extends MergedPage {
  readonly at: Uint8Array | undefined
}

const EMPTY = new Uint8Array(0)

/**
 * The committed entries of one byte store. Which page begins where is held in memory; pages are read when they are
 * needed. It is written by commits alone.
 */
export class DiskStore implements OrderedByteStore {
  readonly #directory = new PageDirectory()
  #id: number
  #size = 0
  #bytes = 0
  /** Changes with each commit that touches it. */
  #version = 0

  constructor(
    readonly name: string,
    private readonly source: PageSource,
    id: number,
  ) {
    this.#id = id
  }

  get id(): number {
    return this.#id
  }

  get size(): number {
    return this.#size
  }

  get bytes(): number {
    return this.#bytes
  }

  get pages(): number {
    return this.#directory.size
  }

  get version(): number {
    return this.#version
  }

  get head(): StoreHead {
    return { id: this.#id, size: this.#size, bytes: this.#bytes, pages: this.pages }
  }

  get(key: Uint8Array): Uint8Array | undefined {
    const number = this.#directory.numberAt(key)
    if (number < 0) return undefined
    const cached = this.source.cached(number)
    return findInPage(cached ?? this.source.load(this, this.#directory.floor(key) ?? EMPTY, number), key)
  }

  range(range: ByteRange = {}): Iterable<ByteEntry> {
    return { [Symbol.iterator]: () => (range.reverse ? new Descent(this, range) : new Ascent(this, range)) }
  }

  put(): never {
    throw this.#readOnly()
  }

  set(): never {
    throw this.#readOnly()
  }

  delete(): never {
    throw this.#readOnly()
  }

  remove(): never {
    throw this.#readOnly()
  }

  deleteRange(): never {
    throw this.#readOnly()
  }

  clear(): never {
    throw this.#readOnly()
  }

  /** The first key of the page that a key is in, or would be; undefined when there are no pages. */
  pageOf(key: Uint8Array): Uint8Array | undefined {
    return this.#directory.floor(key)
  }

  /** The first key of the next page. */
  pageBehind(first: Uint8Array): Uint8Array | undefined {
    return this.#directory.behind(first)
  }

  /** The first key of the last page that begins below a key; of the last page of all when there is none. */
  pageBelow(key: Uint8Array | undefined): Uint8Array | undefined {
    return this.#directory.below(key)
  }

  /** The entries of the page with this first key. */
  read(first: Uint8Array): Uint8Array {
    const number = this.#directory.numberOf(first)
    return number < 0 ? EMPTY : (this.source.cached(number) ?? this.source.load(this, first, number))
  }

  /** Found at the start. */
  addPage(first: Uint8Array): void {
    this.#directory.set(first, this.source.nextPage())
  }

  setSize(size: number, bytes: number): void {
    this.#size = size
    this.#bytes = bytes
  }

  /**
   * A commit is durable.
   *
   * @param keep gets each new page with its number
   * @param forget gets the numbers of pages that are no more
   */
  apply(
    updates: readonly PageUpdate[],
    keep: (number: number, page: Uint8Array) => void,
    forget: (number: number) => void,
  ): void {
    this.#version++
    for (const { at, pages, entries, bytes } of updates) {
      this.#size += entries
      this.#bytes += bytes
      if (at !== undefined) {
        forget(this.#directory.numberOf(at))
        if (pages.length === 0) this.#directory.remove(at)
      }
      for (const page of pages) {
        const number = this.source.nextPage()
        this.#directory.set(page.first, number)
        keep(number, page.bytes)
      }
    }
  }

  /** Everything is gone; what comes now has another id. */
  replace(id: number, forget: (number: number) => void): void {
    for (const number of this.#directory.numbers()) forget(number)
    this.#directory.clear()
    this.#id = id
    this.#size = 0
    this.#bytes = 0
    this.#version++
  }

  #readOnly(): StreamError {
    return new StreamError(`The committed state of "${this.name}" on disk is written by commits alone.`, {
      code: 'ILLEGAL_STATE',
      kind: 'bug',
      retriable: false,
      context: { store: this.name },
    })
  }
}

/** Reads upwards. After a commit it finds its place again by the last key it gave. */
class Ascent implements Iterator<ByteEntry> {
  #first: Uint8Array | undefined
  #reader: PageReader | undefined
  #version = -1
  #last: Uint8Array | undefined
  #done = false

  constructor(
    private readonly store: DiskStore,
    private readonly range: ByteRange,
  ) {}

  next(): IteratorResult<ByteEntry> {
    if (!this.#done && this.#version !== this.store.version) this.#seek()
    while (!this.#done && this.#reader !== undefined) {
      if (!this.#reader.next()) {
        this.#open(this.store.pageBehind(this.#first as Uint8Array))
      } else if (!this.#isBefore(this.#reader)) {
        const { to } = this.range
        if (to !== undefined && this.#reader.compareKey(to) >= 0) break
        this.#last = this.#reader.key
        return { done: false, value: [this.#last, this.#reader.value] }
      }
    }
    this.#done = true
    return { done: true, value: undefined }
  }

  #isBefore(reader: PageReader): boolean {
    if (this.#last !== undefined) return reader.compareKey(this.#last) <= 0
    return this.range.from !== undefined && reader.compareKey(this.range.from) < 0
  }

  #seek(): void {
    this.#version = this.store.version
    this.#open(this.store.pageOf(this.#last ?? this.range.from ?? EMPTY))
  }

  #open(first: Uint8Array | undefined): void {
    this.#first = first
    this.#reader = first === undefined ? undefined : new PageReader(this.store.read(first))
  }
}

/** Reads downwards, a page at a time. */
class Descent implements Iterator<ByteEntry> {
  #first: Uint8Array | undefined
  #entries: ByteEntry[] | undefined
  #version = -1
  #last: Uint8Array | undefined
  #done = false

  constructor(
    private readonly store: DiskStore,
    private readonly range: ByteRange,
  ) {}

  next(): IteratorResult<ByteEntry> {
    const below = this.#last ?? this.range.to
    if (!this.#done && this.#version !== this.store.version) {
      this.#version = this.store.version
      this.#open(this.store.pageBelow(below))
    }
    while (!this.#done && this.#entries !== undefined) {
      const entry = this.#entries.pop()
      if (entry === undefined) {
        this.#open(this.store.pageBelow(this.#first as Uint8Array))
      } else if (below === undefined || isBefore(entry[0], below)) {
        if (this.range.from !== undefined && isBefore(entry[0], this.range.from)) break
        this.#last = entry[0]
        return { done: false, value: entry }
      }
    }
    this.#done = true
    return { done: true, value: undefined }
  }

  #open(first: Uint8Array | undefined): void {
    this.#first = first
    this.#entries = first === undefined ? undefined : entriesOf(this.store.read(first))
  }
}
