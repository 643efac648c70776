import { toHex } from '../../model/bytes.js'

/** In the place of an offset: this partition holds nothing of it. */
const NONE = -1

/** By part of a store, for each partition of its changelog the offset that nothing of the part lies below; −1: nothing does. */
export type PartOffsets = { readonly [part: string]: readonly number[] }

/**
 * From which offset on a changelog is needed (E12): of each segment that lives, where its first record lies in each
 * partition, at the lowest; of rows that belong to no segment, where each was written last.
 */
export class LiveOffsets {
  readonly #parts = new Map<string, readonly number[]>()

  constructor(private readonly partitions: number) {}

  /**
   * A row was written, or deleted, at this offset or behind it.
   *
   * @param part what follows the store's name in that of the byte store
   */
  wrote(part: string, key: Uint8Array, isDeletion: boolean, partition: number, offset: number): void {
    if (isSegment(part)) {
      const known = this.#parts.get(part)
      const before = known?.[partition] ?? NONE
      if (before === NONE || offset < before) this.#set(part, partition, offset)
      return
    }
    const row = `${part} ${toHex(key)}`
    if (isDeletion) this.#parts.delete(row)
    else this.#set(row, partition, offset)
  }

  /** A segment is gone with all that was in it. */
  dropped(part: string): void {
    this.#parts.delete(part)
  }

  /** Knows nothing of a segment but that it is there: all from these offsets on may be of it. */
  assume(part: string, offsets: readonly number[]): void {
    if (!this.#parts.has(part)) this.#parts.set(part, offsets)
  }

  /** Keeps of the segments those that are there: one that was emptied is never told to be gone. */
  keep(segments: ReadonlySet<string>): void {
    for (const part of this.#parts.keys()) if (isSegment(part) && !segments.has(part)) this.#parts.delete(part)
  }

  /** The lowest offset that is needed in each partition; where nothing is, its end. */
  needed(ends: readonly number[]): readonly number[] {
    return Array.from({ length: this.partitions }, (_, partition) => {
      let least = ends[partition] ?? 0
      for (const offsets of this.#parts.values()) {
        const offset = offsets[partition] ?? NONE
        if (offset !== NONE && offset < least) least = offset
      }
      return least
    })
  }

  /** For the next start. What is given is never changed. */
  get saved(): PartOffsets {
    return Object.fromEntries(this.#parts)
  }

  /** Goes on from what was saved. */
  restore(saved: PartOffsets | undefined): void {
    this.#parts.clear()
    for (const [part, offsets] of Object.entries(saved ?? {})) this.#parts.set(part, offsets)
  }

  #set(part: string, partition: number, offset: number): void {
    const offsets = [...(this.#parts.get(part) ?? new Array<number>(this.partitions).fill(NONE))]
    offsets[partition] = offset
    this.#parts.set(part, offsets)
  }
}

/** Segments are named by where they begin. */
export function isSegment(part: string): boolean {
  return part.startsWith('/')
}
