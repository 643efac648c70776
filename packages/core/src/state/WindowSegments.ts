import type { SegmentFacts } from '../events/EngineEvent.js'
import type { OrderedByteStore } from './OrderedByteStore.js'
import { segmentIdOf } from './retention.js'
import type { ByteStores } from './StoreBuilder.js'

/** One slice of time. Its entries are a store of their own, so that it can be dropped whole (S4). */
export interface Segment {
  readonly id: number
  readonly entries: OrderedByteStore
}

/** The segments of one store that exist, by ascending id. */
export class WindowSegments {
  #segments: Segment[] = []

  constructor(
    private readonly store: string,
    readonly intervalMs: number,
    private readonly byteStores: ByteStores,
    /** How many rows an entry takes. */
    private readonly rows = 1,
  ) {
    // A start finds the segments that the last one left.
    const prefix = this.#nameOf('')
    for (const name of byteStores.names(prefix)) {
      const id = Number(name.slice(prefix.length)) / intervalMs
      this.#segments.splice(this.#indexFrom(id), 0, { id, entries: byteStores.store(name) })
    }
  }

  idOf(timestamp: number): number {
    return segmentIdOf(timestamp, this.intervalMs)
  }

  get(id: number): Segment | undefined {
    const segment = this.#segments[this.#indexFrom(id)]
    return segment?.id === id ? segment : undefined
  }

  create(id: number): Segment {
    const segment = { id, entries: this.byteStores.store(this.#nameOf(id * this.intervalMs)) }
    this.#segments.splice(this.#indexFrom(id), 0, segment)
    return segment
  }

  /** Those with id < `leastLive`, in order. */
  below(leastLive: number): readonly Segment[] {
    return this.#segments.slice(0, this.#indexFrom(leastLive))
  }

  /** Takes out those with id < `leastLive`, without visiting their entries (S4). Open iterations end there. */
  drop(leastLive: number): void {
    for (const segment of this.#segments.splice(0, this.#indexFrom(leastLive))) segment.entries.clear()
  }

  /** Those that overlap from ≤ time ≤ to. Live: steps to the next one that is there by then. */
  *overlapping(from: number, to: number, reverse: boolean): Generator<Segment> {
    const least = this.idOf(from)
    const greatest = this.idOf(to)
    let index = reverse ? this.#indexFrom(greatest + 1) - 1 : this.#indexFrom(least)
    for (;;) {
      const segment = this.#segments[index]
      if (segment === undefined || segment.id < least || segment.id > greatest) return
      yield segment
      index = reverse ? this.#indexFrom(segment.id) - 1 : this.#indexFrom(segment.id + 1)
    }
  }

  facts(segment: Segment): SegmentFacts {
    return {
      store: this.store,
      segment: segment.id,
      from: segment.id * this.intervalMs,
      to: (segment.id + 1) * this.intervalMs,
      entries: segment.entries.size / this.rows,
      bytes: segment.entries.bytes,
    }
  }

  all(): readonly Segment[] {
    return this.#segments
  }

  /** A slash is no part of a store's name, so no other store's segments begin like this one's. */
  #nameOf(start: number | ''): string {
    return `${this.store}/${start}`
  }

  /** The index of the first segment with this id or a greater one. */
  #indexFrom(id: number): number {
    let low = 0
    let high = this.#segments.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#segments[middle] as Segment).id < id) low = middle + 1
      else high = middle
    }
    return low
  }
}
