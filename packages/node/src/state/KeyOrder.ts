import { compareSpans, EntryView } from './entry.js'

/** Runs grow together up to this length: beyond it a commit would take long. */
const LONGEST_RUN = 1 << 16
const PREFIX_BYTES = 6
/** So many entries are merged between two looks at the clock. */
const ENTRIES_AT_ONCE = 4096

/** What is put in order. */
export interface OrderedEntries {
  /** Sets a view to an entry. */
  look(view: EntryView, entry: number): void
  /** Whether it counts no more. Its key can still be looked at. */
  isGone(entry: number): boolean
  /** Whether it does not count: no more, or not yet. */
  isHidden(entry: number): boolean
}

/** Some entries in the order of their keys. */
export interface OrderedRun {
  readonly length: number
  /** Sets a view to the entry at a place. @returns false when it does not count */
  look(view: EntryView, at: number): boolean
  /** How many entries are below a key. */
  below(key: Uint8Array): number
}

/**
 * The order of the keys of a buffer: a few sorted runs, which grow together as those of a commit are added. Beside each
 * entry lie six bytes of its key as a number, those behind what all keys begin alike with: runs are merged by these
 * numbers, one after the other in memory, and keys are looked at only where they are the same.
 */
export class KeyOrder {
  #runs: SortedRun[] = []
  /** How many bytes all keys begin alike with, at least, and those bytes. */
  #skip = -1
  #common: Uint8Array = new Uint8Array(0)
  readonly #view = new EntryView()

  constructor(private readonly entries: OrderedEntries) {}

  get runs(): readonly OrderedRun[] {
    return this.#runs
  }

  /**
   * @param sorted entries in the order of their keys, which are in none of the runs
   * @param pause gives others their turn; what they read meanwhile lacks none of what was there before
   */
  async add(sorted: Int32Array, pause: () => Promise<void>): Promise<void> {
    await this.#shorten(sorted, pause)
    this.#runs.push(new SortedRun(this.entries, sorted, await this.#prefixes(sorted, pause)))
    for (;;) {
      const last = this.#runs.length - 1
      const [older, newer] = [this.#runs[last - 1], this.#runs[last]]
      if (older === undefined || newer === undefined) return
      if (older.length > 2 * newer.length || older.length + newer.length > LONGEST_RUN) return
      const merge = new RunMerge(this.entries, older, newer)
      while (!merge.step(ENTRIES_AT_ONCE)) await pause()
      this.#runs.splice(last - 1, 2, merge.result)
    }
  }

  /** Makes all runs one. */
  async settle(pause: () => Promise<void>): Promise<void> {
    while (this.#runs.length > 1) {
      // The two shortest, so that no entry is merged often.
      const [first, second] = [...this.#runs].sort((a, b) => a.length - b.length) as [SortedRun, SortedRun]
      const merge = new RunMerge(this.entries, first, second)
      while (!merge.step(ENTRIES_AT_ONCE)) await pause()
      this.#runs = [...this.#runs.filter((run) => run !== first && run !== second), merge.result]
    }
  }

  /** Sees to it that what is skipped is the same in all keys. Sorted ones have in common what the first and last have. */
  async #shorten(sorted: Int32Array, pause: () => Promise<void>): Promise<void> {
    const view = this.#view
    for (const entry of [sorted[0] as number, sorted[sorted.length - 1] as number]) {
      this.entries.look(view, entry)
      if (this.#skip < 0) {
        this.#common = view.key
        this.#skip = this.#common.length
        continue
      }
      let same = 0
      const most = Math.min(this.#skip, view.keyEnd - view.keyStart)
      while (same < most && view.bytes[view.keyStart + same] === this.#common[same]) same++
      if (same === this.#skip) continue
      this.#skip = same
      for (const run of this.#runs) run.prefixes = await this.#prefixes(run.order, pause)
    }
  }

  async #prefixes(order: Int32Array, pause: () => Promise<void>): Promise<Float64Array> {
    const prefixes = new Float64Array(order.length)
    const view = this.#view
    for (let i = 0; i < order.length; i++) {
      this.entries.look(view, order[i] as number)
      const { bytes, keyEnd } = view
      const from = view.keyStart + this.#skip
      let prefix = 0
      for (let at = from; at < from + PREFIX_BYTES; at++)
        prefix = prefix * 256 + (at < keyEnd ? (bytes[at] as number) : 0)
      prefixes[i] = prefix
      if (i % ENTRIES_AT_ONCE === ENTRIES_AT_ONCE - 1) await pause()
    }
    return prefixes
  }
}

class SortedRun implements OrderedRun {
  readonly #view = new EntryView()

  constructor(
    private readonly entries: OrderedEntries,
    readonly order: Int32Array,
    public prefixes: Float64Array,
  ) {}

  get length(): number {
    return this.order.length
  }

  look(view: EntryView, at: number): boolean {
    const entry = this.order[at] as number
    this.entries.look(view, entry)
    return !this.entries.isHidden(entry)
  }

  below(key: Uint8Array): number {
    const view = this.#view
    let low = 0
    let high = this.order.length
    while (low < high) {
      const middle = (low + high) >>> 1
      this.entries.look(view, this.order[middle] as number)
      if (compareSpans(view.bytes, view.keyStart, view.keyEnd, key, 0, key.length) < 0) low = middle + 1
      else high = middle
    }
    return low
  }
}

/** Makes two runs one, step by step. What is gone stays behind. */
class RunMerge {
  readonly #order: Int32Array
  readonly #prefixes: Float64Array
  #length = 0
  #a = 0
  #b = 0
  readonly #left = new EntryView()
  readonly #right = new EntryView()

  constructor(
    private readonly entries: OrderedEntries,
    private readonly a: SortedRun,
    private readonly b: SortedRun,
  ) {
    this.#order = new Int32Array(a.length + b.length)
    this.#prefixes = new Float64Array(a.length + b.length)
  }

  /** @returns whether it is done */
  step(most: number): boolean {
    const { a, b } = this
    for (let left = most; left > 0; left--) {
      if (this.#a < a.length && (this.#b >= b.length || this.#isLess())) this.#take(a, this.#a++)
      else if (this.#b < b.length) this.#take(b, this.#b++)
      else return true
    }
    return false
  }

  get result(): SortedRun {
    const { length } = this.#order
    if (this.#length === length) return new SortedRun(this.entries, this.#order, this.#prefixes)
    return new SortedRun(this.entries, this.#order.slice(0, this.#length), this.#prefixes.slice(0, this.#length))
  }

  #take(run: SortedRun, at: number): void {
    const entry = run.order[at] as number
    if (this.entries.isGone(entry)) return
    this.#order[this.#length] = entry
    this.#prefixes[this.#length++] = run.prefixes[at] as number
  }

  #isLess(): boolean {
    const difference = (this.a.prefixes[this.#a] as number) - (this.b.prefixes[this.#b] as number)
    if (difference !== 0) return difference < 0
    this.entries.look(this.#left, this.a.order[this.#a] as number)
    this.entries.look(this.#right, this.b.order[this.#b] as number)
    return this.#left.compare(this.#right) < 0
  }
}
