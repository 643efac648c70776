/** Bits a key. With six of them set, about one key in fifty that is not there is taken for one that may be. */
const BITS_A_KEY = 10
const BITS_SET = 6
/** All bits of a key lie in one block, so that asking touches one line of the processor's cache. */
const BLOCK_BYTES = 64
/** So many bits of a hash name a bit of a block. Three of them fit into one hash. */
const BIT_BITS = 9

/** A Bloom filter: tells of most keys that are not in a run that they are not, without reading it. */
export class KeyFilter {
  readonly #blocks: number

  constructor(readonly bytes: Uint8Array) {
    this.#blocks = bytes.length / BLOCK_BYTES
  }

  static for(keys: number): KeyFilter {
    return new KeyFilter(new Uint8Array(Math.max(1, Math.ceil((keys * BITS_A_KEY) / 8 / BLOCK_BYTES)) * BLOCK_BYTES))
  }

  /** @param hash of a key, by `hashKey` */
  add(hash: number): void {
    const { bytes } = this
    const block = this.#block(hash)
    let bits = mix(hash)
    const more = mix(bits)
    for (let i = 0; i < BITS_SET; i++) {
      if (i === BITS_SET / 2) bits = more
      const bit = bits & (8 * BLOCK_BYTES - 1)
      bits >>>= BIT_BITS
      const at = block + (bit >>> 3)
      bytes[at] = (bytes[at] as number) | (1 << (bit & 7))
    }
  }

  /** False: the key is not there. */
  mayHave(hash: number): boolean {
    const { bytes } = this
    const block = this.#block(hash)
    let bits = mix(hash)
    const more = mix(bits)
    for (let i = 0; i < BITS_SET; i++) {
      if (i === BITS_SET / 2) bits = more
      const bit = bits & (8 * BLOCK_BYTES - 1)
      bits >>>= BIT_BITS
      if (((bytes[block + (bit >>> 3)] as number) & (1 << (bit & 7))) === 0) return false
    }
    return true
  }

  #block(hash: number): number {
    return Math.floor(((hash >>> 0) / 2 ** 32) * this.#blocks) * BLOCK_BYTES
  }
}

/** A 32-bit hash of a key in a store. It is stored, in filters: changing it changes the format of the folder. */
export function hashKey(store: number, bytes: Uint8Array, start: number, end: number): number {
  let hash = Math.imul(store, 0x85ebca6b) ^ (end - start)
  let at = start
  for (; at + 4 <= end; at += 4) {
    const block =
      (bytes[at] as number) |
      ((bytes[at + 1] as number) << 8) |
      ((bytes[at + 2] as number) << 16) |
      ((bytes[at + 3] as number) << 24)
    hash = Math.imul(hash ^ block, 0x9e3779b1)
    hash ^= hash >>> 15
  }
  for (; at < end; at++) hash = Math.imul(hash ^ (bytes[at] as number), 0x01000193)
  return mix(hash)
}

function mix(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x7feb352d)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b)
  return mixed ^ (mixed >>> 16)
}
