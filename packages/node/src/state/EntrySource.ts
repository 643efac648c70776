import { EntryView } from './entry.js'
import type { OrderedRun } from './KeyOrder.js'
import type { PageCache } from './PageCache.js'
import type { Run } from './Run.js'
import { comparePage, pageAt, type RunIndex, type Section } from './runIndex.js'

/** Entries of one store in the order of their keys, or against it. It stands on none before the first `next`. */
export abstract class EntrySource extends EntryView {
  /** Goes on to the next entry. @returns false when there is none */
  abstract next(): boolean
}

/** Where a source begins. */
export interface Place {
  /** Upwards: the least key that counts. Downwards: the one that all lie below. */
  readonly from: Uint8Array | undefined
  readonly reverse: boolean
}

/** Reads changes that are in memory: one run of a buffer. It holds until the buffer changes. */
export class BufferSource extends EntrySource {
  /** The next place; downwards the one above it. */
  #at: number
  readonly #reverse: boolean

  constructor(
    private readonly run: OrderedRun,
    { from, reverse }: Place,
  ) {
    super()
    this.#reverse = reverse
    this.#at = from === undefined ? (reverse ? run.length : 0) : run.below(from)
  }

  next(): boolean {
    if (this.#reverse) {
      while (this.#at > 0) if (this.run.look(this, --this.#at)) return true
      return false
    }
    while (this.#at < this.run.length) if (this.run.look(this, this.#at++)) return true
    return false
  }
}

/** Reads a store's section of a run, a page at a time. The page is a copy: the cache may need its place. */
export class RunSource extends EntrySource {
  readonly #reverse: boolean
  readonly #index: RunIndex
  /** The next page to be read. */
  #page: number
  #from: Uint8Array | undefined
  #bytesOfPage = new Uint8Array(0)
  /** Upwards: where the next entry begins. */
  #at = 0
  /** Downwards: where the entries begin that are left. */
  #starts: number[] = []

  constructor(
    private readonly run: Run,
    private readonly section: Section,
    private readonly cache: PageCache,
    { from, reverse }: Place,
  ) {
    super()
    this.#reverse = reverse
    this.#index = run.index
    this.#from = from
    this.#page = firstPage(run.index, section, from, reverse)
  }

  next(): boolean {
    return this.#reverse ? this.#previous() : this.#next()
  }

  #next(): boolean {
    const { firstPage, pages } = this.section
    for (;;) {
      if (this.#at >= this.#bytesOfPage.length) {
        if (this.#page >= firstPage + pages) return false
        this.#read(this.#page++)
        this.#at = 0
      }
      this.set(this.#bytesOfPage, this.#at)
      this.#at = this.end
      if (this.#from === undefined || this.compareKey(this.#from) >= 0) {
        this.#from = undefined
        return true
      }
    }
  }

  #previous(): boolean {
    for (;;) {
      const start = this.#starts.pop()
      if (start === undefined) {
        if (this.#page < this.section.firstPage) return false
        this.#read(this.#page--)
        for (let at = 0; at < this.#bytesOfPage.length; at = this.end) {
          this.#starts.push(at)
          this.set(this.#bytesOfPage, at)
        }
        continue
      }
      this.set(this.#bytesOfPage, start)
      if (this.#from === undefined || this.compareKey(this.#from) < 0) {
        this.#from = undefined
        return true
      }
    }
  }

  #read(page: number): void {
    this.cache.find(this.run, page)
    this.#bytesOfPage = this.cache.bytes.slice(this.cache.start, this.cache.end)
  }
}

/** The page that a source begins with; behind the section, or before it, when it has nothing. */
function firstPage(index: RunIndex, section: Section, from: Uint8Array | undefined, reverse: boolean): number {
  if (from === undefined) return reverse ? section.firstPage + section.pages - 1 : section.firstPage
  const page = pageAt(index, section, from)
  if (!reverse) return Math.max(page, section.firstPage)
  // Nothing of a page that begins at the key itself lies below it.
  return page >= 0 && comparePage(index, page, from) === 0 ? page - 1 : page < 0 ? section.firstPage - 1 : page
}
