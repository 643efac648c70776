import { compareBytes } from '../../model/bytes.js'
import { type ByteEntry, type ByteRange, justAfter, type OrderedByteStore } from '../OrderedByteStore.js'
import { EpochLayer } from './EpochLayer.js'

/**
 * A byte store whose writes belong to epochs (E2). Reads look through the open epoch, then the one that is committing,
 * then what is committed. When an epoch is in the base its layer goes; an abort throws both layers away.
 */
export class EpochByteStore implements OrderedByteStore {
  /** Oldest first; at most two. */
  #layers: EpochLayer[] = []
  #size: number
  #bytes: number

  constructor(
    readonly name: string,
    private readonly base: OrderedByteStore,
    /** The number of the open epoch. */
    private readonly openEpoch: () => number,
    /** Gets by how many bytes the live epochs' writes have grown, less than 0 when they have shrunk. */
    private readonly grown: (bytes: number) => void = () => undefined,
  ) {
    this.#size = base.size
    this.#bytes = base.bytes
  }

  get size(): number {
    return this.#size
  }

  get bytes(): number {
    return this.#bytes
  }

  get(key: Uint8Array): Uint8Array | undefined {
    for (let i = this.#layers.length - 1; i >= 0; i--) {
      const layer = this.#layers[i] as EpochLayer
      const written = layer.get(key)
      if (written !== undefined) return written.value
      if (layer.cleared) return undefined
    }
    return this.base.get(key)
  }

  put(key: Uint8Array, value: Uint8Array): Uint8Array | undefined {
    const previous = this.get(key)
    this.#open().put(key, value)
    if (previous === undefined) {
      this.#size++
      this.#bytes += key.length + value.length
    } else {
      this.#bytes += value.length - previous.length
    }
    return previous
  }

  delete(key: Uint8Array): Uint8Array | undefined {
    const previous = this.get(key)
    if (previous === undefined) return undefined
    this.#open().put(key, undefined)
    this.#size--
    this.#bytes -= key.length + previous.length
    return previous
  }

  range(range: ByteRange = {}): Iterable<ByteEntry> {
    return range.reverse ? this.#descending(range) : this.#ascending(range)
  }

  deleteRange(from?: Uint8Array, to?: Uint8Array): number {
    const keys = [...this.range({ from, to })].map(([key]) => key)
    for (const key of keys) this.delete(key)
    return keys.length
  }

  clear(): void {
    this.#open().clear()
    this.#size = 0
    this.#bytes = 0
  }

  /** What is committed, without the live epochs: for reads that ask for it. */
  get committed(): OrderedByteStore {
    return this.base
  }

  /** What an epoch has written, each key once with its final value; undefined when it wrote nothing here. */
  layerOf(epoch: number): EpochLayer | undefined {
    return this.#layers.find((layer) => layer.epoch === epoch)
  }

  /**
   * The epoch's writes are in the base now, put there by whoever owns it (`StateBackend.commit`).
   * It must be the oldest one that is alive.
   */
  settle(epoch: number): void {
    if (this.#layers[0]?.epoch === epoch) this.#forget(this.#layers.shift())
  }

  /** Throws away what is not committed. */
  abort(): void {
    for (const layer of this.#layers) this.#forget(layer)
    this.#layers = []
    this.#size = this.base.size
    this.#bytes = this.base.bytes
  }

  #forget(layer: EpochLayer | undefined): void {
    this.grown(-(layer?.bytes ?? 0))
  }

  #open(): EpochLayer {
    const epoch = this.openEpoch()
    const last = this.#layers.at(-1)
    if (last?.epoch === epoch) return last
    const layer = new EpochLayer(epoch, this.grown)
    this.#layers.push(layer)
    return layer
  }

  /**
   * Steps from the last key given to the next one that is there by then. Without live layers the base does it alone;
   * with them each step asks all of them anew, so that writes between two steps are seen.
   */
  *#ascending({ from, to }: ByteRange): Generator<ByteEntry> {
    let after: Uint8Array | undefined
    for (;;) {
      const key = this.#next(from, after)
      if (key === undefined || (to !== undefined && compareBytes(key, to) >= 0)) return
      after = key
      const value = this.get(key)
      if (value !== undefined) yield [key, value]
    }
  }

  *#descending({ from, to }: ByteRange): Generator<ByteEntry> {
    let below = to
    for (;;) {
      const key = this.#previous(from, below)
      if (key === undefined || (from !== undefined && compareBytes(key, from) < 0)) return
      below = key
      const value = this.get(key)
      if (value !== undefined) yield [key, value]
    }
  }

  #next(from: Uint8Array | undefined, after: Uint8Array | undefined): Uint8Array | undefined {
    let least: Uint8Array | undefined
    for (const layer of this.#visible()) {
      const key = layer.ascending(from, after)
      if (key !== undefined && (least === undefined || compareBytes(key, least) < 0)) least = key
    }
    if (this.#isBaseVisible()) {
      const start = after === undefined ? from : justAfter(after)
      const key = first(this.base.range(start === undefined ? {} : { from: start }))
      if (key !== undefined && (least === undefined || compareBytes(key, least) < 0)) least = key
    }
    return least
  }

  #previous(from: Uint8Array | undefined, below: Uint8Array | undefined): Uint8Array | undefined {
    let greatest: Uint8Array | undefined
    for (const layer of this.#visible()) {
      const key = layer.descending(below)
      if (key !== undefined && (greatest === undefined || compareBytes(key, greatest) > 0)) greatest = key
    }
    if (this.#isBaseVisible()) {
      const key = first(this.base.range({ from, to: below, reverse: true }))
      if (key !== undefined && (greatest === undefined || compareBytes(key, greatest) > 0)) greatest = key
    }
    return greatest
  }

  /** Layers down to the first one that cleared what lies below it. */
  #visible(): readonly EpochLayer[] {
    const cleared = this.#layers.findLastIndex((layer) => layer.cleared)
    return cleared <= 0 ? this.#layers : this.#layers.slice(cleared)
  }

  #isBaseVisible(): boolean {
    return !this.#layers.some((layer) => layer.cleared)
  }
}

function first(entries: Iterable<ByteEntry>): Uint8Array | undefined {
  for (const [key] of entries) return key
  return undefined
}
