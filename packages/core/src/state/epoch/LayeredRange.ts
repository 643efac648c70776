import { compareBytes } from '../../model/bytes.js'
import type { ByteEntry, ByteRange, OrderedByteStore } from '../OrderedByteStore.js'
import { ReferenceCursor } from '../OrderedReferences.js'
import type { EpochLayer } from './EpochLayer.js'

/** What a range is read from: layers above a base. */
export interface Layered {
  /** Oldest first. */
  readonly visibleLayers: readonly EpochLayer[]
  readonly visibleBase: OrderedByteStore | undefined
  /** Changes whenever one of these does. */
  readonly generation: number
}

/** The keys of one layer, and the next of them that was not given yet. */
interface LayerReader {
  readonly layer: EpochLayer
  readonly cursor: ReferenceCursor
  /** Of the layer, when `next` was found. */
  version: number
  next: number
  /** Its key. */
  key: Uint8Array | undefined
}

/**
 * A range of a store with live epochs: the layers' orders and the base's, merged. It is live: what has changed since
 * the last step is seen, because a layer that has got a key, or a layer that came or went, is looked into anew.
 */
export class LayeredRange implements Iterable<ByteEntry> {
  constructor(
    private readonly store: Layered,
    private readonly range: ByteRange,
  ) {}

  [Symbol.iterator](): Iterator<ByteEntry> {
    return new Merge(this.store, this.range)
  }
}

class Merge implements Iterator<ByteEntry> {
  #generation = Number.NaN
  #readers: LayerReader[] = []
  #base: Iterator<ByteEntry> | undefined
  #baseNext: ByteEntry | undefined
  /** The key given last. */
  #last: Uint8Array | undefined
  readonly #sign: number
  #done = false

  constructor(
    private readonly store: Layered,
    private readonly range: ByteRange,
  ) {
    this.#sign = range.reverse ? -1 : 1
  }

  next(): IteratorResult<ByteEntry> {
    while (!this.#done) {
      const key = this.#step()
      if (key === undefined || this.#isBeyond(key)) break
      const entry = this.#take(key)
      if (entry !== undefined) return { done: false, value: entry }
    }
    this.#done = true
    return { done: true, value: undefined }
  }

  #isBeyond(key: Uint8Array): boolean {
    const { from, to, reverse } = this.range
    if (reverse) return from !== undefined && compareBytes(key, from) < 0
    return to !== undefined && compareBytes(key, to) >= 0
  }

  /** The next key, whether it is deleted or not. */
  #step(): Uint8Array | undefined {
    if (this.#generation !== this.store.generation) this.#open()
    let key = this.#baseNext?.[0]
    for (const reader of this.#readers) {
      if (reader.version !== reader.layer.version) this.#advance(reader)
      const candidate = reader.key
      if (candidate === undefined) continue
      if (key === undefined || this.#sign * compareBytes(candidate, key) < 0) key = candidate
    }
    return key
  }

  /** Steps all that stand on this key beyond it. @returns the newest entry; undefined when it was deleted */
  #take(key: Uint8Array): ByteEntry | undefined {
    this.#last = key
    let entry: ByteEntry | undefined
    const base = this.#baseNext
    if (base !== undefined && (base[0] === key || compareBytes(base[0], key) === 0)) {
      entry = base
      this.#advanceBase()
    }
    for (const reader of this.#readers) {
      if (reader.key === undefined || compareBytes(reader.key, key) !== 0) continue
      const value = reader.layer.valueAt(reader.next)
      entry = value === undefined ? undefined : [key, value]
      this.#advance(reader)
    }
    return entry
  }

  #open(): void {
    this.#generation = this.store.generation
    this.#readers = this.store.visibleLayers.map((layer) => {
      const reader = { layer, cursor: new ReferenceCursor(), version: -1, next: -1, key: undefined }
      this.#advance(reader)
      return reader
    })
    const { range } = this
    const last = this.#last
    // The bound is as a range's: from the last key on going up, so that key itself may come again.
    const bounds = range.reverse
      ? { from: range.from, to: last ?? range.to, reverse: true }
      : { from: last ?? range.from, to: range.to }
    this.#base = this.store.visibleBase?.range(bounds)[Symbol.iterator]()
    this.#advanceBase()
    if (last !== undefined && this.#baseNext !== undefined && compareBytes(this.#baseNext[0], last) === 0) {
      this.#advanceBase()
    }
  }

  #advance(reader: LayerReader): void {
    const { layer, cursor } = reader
    const last = this.#last
    reader.next = this.range.reverse
      ? layer.descend(cursor, last ?? this.range.to)
      : layer.ascend(cursor, last ?? this.range.from, last !== undefined)
    reader.key = reader.next < 0 ? undefined : layer.keyAt(reader.next)
    reader.version = layer.version
  }

  #advanceBase(): void {
    const next = this.#base?.next()
    this.#baseNext = next === undefined || next.done ? undefined : next.value
  }
}
