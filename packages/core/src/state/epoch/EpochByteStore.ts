import { hashBytes } from '../hashBytes.js'
import type { ByteEntry, ByteRange, OrderedByteStore } from '../OrderedByteStore.js'
import { EpochLayer } from './EpochLayer.js'
import { LastLookUp } from './LastLookUp.js'
import { LayeredRange } from './LayeredRange.js'
import { NO_VALUE, NOT_LOOKED_UP } from './PackedChanges.js'
import type { Extent } from './PackedEntries.js'

/**
 * A byte store whose writes belong to epochs (E2). Reads look through the open epoch, then the one that is committing,
 * then what is committed. When an epoch is in the base its layer goes; an abort throws both layers away.
 */
export class EpochByteStore implements OrderedByteStore {
  /** Oldest first; at most two. */
  #layers: EpochLayer[] = []
  #generation = 0
  /** Of the layer that was settled last. */
  #lastExtent: Extent = { size: 0, packedBytes: 0 }
  readonly #last = new LastLookUp()
  /** What the base said of the key that it was asked for last. */
  #place = 0

  constructor(
    readonly name: string,
    private readonly base: OrderedByteStore,
    /** The number of the open epoch. */
    private readonly openEpoch: () => number,
    /** Gets by how many bytes the live epochs' writes have grown, less than 0 when they have shrunk. */
    private readonly grown: (bytes: number) => void = () => undefined,
    /** The last epoch whose writes are in the base: its layer may still be here. */
    private readonly committedEpoch: () => number | undefined = () => undefined,
  ) {}

  get size(): number {
    return this.#total((change) => change.entries, this.base.size)
  }

  get bytes(): number {
    return this.#total((change) => change.bytes, this.base.bytes)
  }

  get(key: Uint8Array): Uint8Array | undefined {
    const hash = hashBytes(key)
    const layers = this.#layers
    const newest = layers[layers.length - 1]
    const index = newest === undefined ? -1 : newest.find(hash, key)
    this.#place = 0
    const value = index < 0 ? this.#getBelow(layers.length - 1, hash, key, newest) : newest?.valueAt(index)
    this.#last.remember(key, hash, newest, index, value?.length ?? NO_VALUE, this.#place)
    return value
  }

  put(key: Uint8Array, value: Uint8Array): Uint8Array | undefined {
    const previous = this.get(key)
    this.#write(key, value)
    return previous
  }

  set(key: Uint8Array, value: Uint8Array): void {
    this.#write(key, value)
  }

  delete(key: Uint8Array): Uint8Array | undefined {
    const previous = this.get(key)
    if (previous !== undefined) this.#write(key, undefined)
    return previous
  }

  remove(key: Uint8Array): void {
    this.#write(key, undefined)
  }

  range(range: ByteRange = {}): Iterable<ByteEntry> {
    return new LayeredRange(this, range)
  }

  deleteRange(from?: Uint8Array, to?: Uint8Array): number {
    let count = 0
    for (const [key] of this.range({ from, to })) {
      this.remove(key)
      count++
    }
    return count
  }

  clear(): void {
    this.#open().clear()
    this.#last.forget()
    this.#generation++
  }

  /** What is committed, without the live epochs: for reads that ask for it. */
  get committed(): OrderedByteStore {
    return this.base
  }

  /** Layers down to the first one that cleared what lies below it, oldest first. */
  get visibleLayers(): readonly EpochLayer[] {
    return this.#layers.slice(this.#lowest)
  }

  /** What is committed, unless a live epoch has cleared it. */
  get visibleBase(): OrderedByteStore | undefined {
    return this.#layers[this.#lowest]?.cleared ? undefined : this.base
  }

  /** Changes whenever a layer has come or gone, or was cleared. */
  get generation(): number {
    return this.#generation
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
    this.#last.forget()
  }

  #forget(layer: EpochLayer | undefined): void {
    if (layer === undefined) return
    this.grown(-layer.bytes)
    this.#lastExtent = { size: layer.size, packedBytes: layer.extent.packedBytes }
    this.#generation++
  }

  /** Looks for the key only where the last look-up was of another one. */
  #write(key: Uint8Array, value: Uint8Array | undefined): void {
    const layer = this.#open()
    const last = this.#last
    const isKnown = last.isOf(key)
    const hash = isKnown ? last.hash : hashBytes(key)
    // What was found lies below a layer that has come since: whoever writes this key is remembered below.
    let index = isKnown ? (last.layer === layer ? last.index : -1) : layer.find(hash, key)
    if (index < 0) {
      index = isKnown
        ? layer.add(hash, key, value, last.valueLength, last.place)
        : layer.add(hash, key, value, NOT_LOOKED_UP)
    } else layer.replace(index, value)
    if (isKnown) last.wrote(layer, index, value?.length ?? NO_VALUE)
  }

  #open(): EpochLayer {
    const epoch = this.openEpoch()
    const last = this.#layers[this.#layers.length - 1]
    if (last !== undefined && last.epoch === epoch) return last
    // An epoch is about as large as the one before it.
    const layer = new EpochLayer(epoch, this.grown, last?.extent ?? this.#lastExtent)
    this.#layers.push(layer)
    this.#generation++
    return layer
  }

  /**
   * As the lowest `count` layers and the base have it.
   *
   * @param above the layer above those
   */
  #getBelow(count: number, hash: number, key: Uint8Array, above: EpochLayer | undefined): Uint8Array | undefined {
    if (above?.cleared) return undefined
    for (let i = count - 1; i >= 0; i--) {
      const layer = this.#layers[i] as EpochLayer
      const index = layer.find(hash, key)
      if (index >= 0) return layer.valueAt(index)
      if (layer.cleared) return undefined
    }
    const value = this.base.get(key)
    this.#place = this.base.place ?? 0
    return value
  }

  /** Index of the lowest layer that can be seen: what lies below one that was cleared cannot. */
  get #lowest(): number {
    for (let i = this.#layers.length - 1; i > 0; i--) if (this.#layers[i]?.cleared) return i
    return 0
  }

  #total(of: (change: { entries: number; bytes: number }) => number, ofBase: number): number {
    const committed = this.committedEpoch() ?? Number.NEGATIVE_INFINITY
    let total = ofBase
    for (let i = 0; i < this.#layers.length; i++) {
      const layer = this.#layers[i] as EpochLayer
      // Its writes are counted in the base already.
      if (layer.epoch <= committed) continue
      if (layer.cleared) total = 0
      total += of(layer.sizeChange((key) => this.#getBelow(i, hashBytes(key), key, undefined)?.length ?? NO_VALUE))
    }
    return total
  }
}
