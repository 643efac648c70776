/** Pages are about this long at most; a longer one holds a single entry. */
export const PAGE_BYTES = 2048

const FRAMES_A_SLAB = 512

/** Who has pages: which frame each is in, −1 for none. */
export interface PageOwner {
  readonly frames: Int32Array
  /** Reads a page from disk into a place that has room for it. @returns its length without its checksum */
  fill(page: number, bytes: Uint8Array, at: number): number
  /** How long a page is, with its checksum. */
  lengthOf(page: number): number
}

/**
 * Pages that were used lately, in frames of a fixed size, within a budget of bytes. The frames are made once and used
 * again, so that reading makes no garbage. What was used
 * again since the hand last came by stays: what passes through once does not drive it out.
 */
export class PageCache {
  readonly #slabs: Uint8Array[] = []
  readonly #most: number
  readonly #owners: (PageOwner | undefined)[] = []
  readonly #pages: Int32Array
  readonly #lengths: Uint16Array
  readonly #used: Uint8Array
  #hand = 0
  /** A frame for who has none, and for pages that fit in none. */
  #scratch = new Uint8Array(PAGE_BYTES)
  /** The page that `find` has found: it lies here until the next one is. */
  bytes: Uint8Array = this.#scratch
  start = 0
  end = 0

  /** @param budget in bytes */
  constructor(budget: number) {
    this.#most = Math.floor(budget / PAGE_BYTES)
    this.#pages = new Int32Array(this.#most)
    this.#lengths = new Uint16Array(this.#most)
    this.#used = new Uint8Array(this.#most)
  }

  /** How many pages are in it. */
  get pages(): number {
    return this.#owners.reduce((count, owner) => count + (owner === undefined ? 0 : 1), 0)
  }

  /** Sets `bytes`, `start` and `end` to a page. */
  find(owner: PageOwner, page: number): void {
    const known = owner.frames[page] as number
    if (known >= 0) {
      this.#used[known] = 1
      this.#show(known)
      return
    }
    const length = owner.lengthOf(page)
    if (length > PAGE_BYTES || this.#most === 0) {
      if (this.#scratch.length < length) this.#scratch = new Uint8Array(length)
      this.bytes = this.#scratch
      this.start = 0
      this.end = owner.fill(page, this.#scratch, 0)
      if (this.#scratch.length > PAGE_BYTES) this.#scratch = new Uint8Array(PAGE_BYTES)
      return
    }
    const frame = this.#free()
    this.#lengths[frame] = owner.fill(page, this.#slab(frame), placeOf(frame))
    this.#owners[frame] = owner
    this.#pages[frame] = page
    owner.frames[page] = frame
    this.#show(frame)
  }

  /** An owner is gone. */
  forget(owner: PageOwner): void {
    for (const [frame, other] of this.#owners.entries()) if (other === owner) this.#owners[frame] = undefined
    owner.frames.fill(-1)
  }

  #show(frame: number): void {
    this.bytes = this.#slab(frame)
    this.start = placeOf(frame)
    this.end = this.start + (this.#lengths[frame] as number)
  }

  #slab(frame: number): Uint8Array {
    return this.#slabs[Math.floor(frame / FRAMES_A_SLAB)] as Uint8Array
  }

  #free(): number {
    const count = this.#owners.length
    if (count < this.#most) {
      if (count % FRAMES_A_SLAB === 0) {
        this.#slabs.push(new Uint8Array(PAGE_BYTES * Math.min(FRAMES_A_SLAB, this.#most - count)))
      }
      this.#owners.push(undefined)
      return count
    }
    for (;;) {
      const frame = this.#hand
      this.#hand = (frame + 1) % this.#most
      const owner = this.#owners[frame]
      if (owner === undefined) return frame
      if (this.#used[frame] === 0) {
        owner.frames[this.#pages[frame] as number] = -1
        this.#owners[frame] = undefined
        return frame
      }
      this.#used[frame] = 0
    }
  }
}

function placeOf(frame: number): number {
  return (frame % FRAMES_A_SLAB) * PAGE_BYTES
}
