import { compareSpans } from './entry.js'
import { KeyFilter } from './KeyFilter.js'

/** The pages of one store in a run: side by side, in the order of their keys. */
export interface Section {
  readonly store: number
  readonly firstPage: number
  pages: number
  /** Deleted ones too. */
  entries: number
  /** Of its pages in the file. */
  bytes: number
}

/** Where everything is in a run. It is held in memory: about 25 bytes a page, and ten bits an entry. */
export interface RunIndex {
  /** By store. */
  readonly sections: ReadonlyMap<number, Section>
  readonly pages: number
  /** Where each page begins in the file, and where the last one ends. */
  readonly offsets: Float64Array
  /** The first key of each page, side by side … */
  readonly keys: Uint8Array
  /** … and where each ends. */
  readonly keyEnds: Uint32Array
  readonly filter: KeyFilter
}

const MAGIC = 0x4c53_5231
const HEAD_WORDS = 6
const SECTION_WORDS = 5

/**
 * The index as it is written, in pieces. Numbers are in the order of bytes of the host, which is the same on all hosts
 * that there are binaries for; on another one the magic number is wrong.
 */
export function encodeIndex(run: number, index: RunIndex): readonly Uint8Array[] {
  const { sections, pages, keys, filter } = index
  const head = new Uint32Array(HEAD_WORDS + SECTION_WORDS * sections.size)
  head.set([MAGIC, run, pages, sections.size, keys.length, filter.bytes.length])
  let at = HEAD_WORDS
  for (const { store, pages, entries, bytes } of sections.values()) {
    head.set([store, pages, entries, Math.floor(bytes / 2 ** 32), bytes % 2 ** 32], at)
    at += SECTION_WORDS
  }
  const lengths = new Uint32Array(pages)
  for (let i = 0; i < pages; i++) lengths[i] = (index.offsets[i + 1] as number) - (index.offsets[i] as number)
  return [bytesOf(head), bytesOf(lengths), bytesOf(index.keyEnds), filter.bytes, keys]
}

/** @returns undefined when this is no index of that run */
export function decodeIndex(run: number, bytes: Uint8Array<ArrayBuffer>): RunIndex | undefined {
  if (bytes.length < 4 * HEAD_WORDS) return undefined
  const [magic, number, pages, count, keysLength, filterLength] = new Uint32Array(
    bytes.buffer,
    0,
    HEAD_WORDS,
  ) as unknown as [number, number, number, number, number, number]
  const length = 4 * (HEAD_WORDS + SECTION_WORDS * count + 2 * pages) + filterLength + keysLength
  if (magic !== MAGIC || number !== run || bytes.length !== length) return undefined
  let at = 4 * HEAD_WORDS
  const sections = new Map<number, Section>()
  const words = new Uint32Array(bytes.buffer, at, SECTION_WORDS * count)
  for (let i = 0, firstPage = 0; i < words.length; i += SECTION_WORDS) {
    const [store, own, entries, high, low] = words.subarray(i, i + SECTION_WORDS) as unknown as [
      number,
      number,
      number,
      number,
      number,
    ]
    sections.set(store, { store, firstPage, pages: own, entries, bytes: high * 2 ** 32 + low })
    firstPage += own
  }
  at += 4 * words.length
  const offsets = new Float64Array(pages + 1)
  const lengths = new Uint32Array(bytes.buffer, at, pages)
  for (let i = 0; i < pages; i++) offsets[i + 1] = (offsets[i] as number) + (lengths[i] as number)
  at += 4 * pages
  const keyEnds = new Uint32Array(bytes.buffer, at, pages).slice()
  at += 4 * pages
  const filter = new KeyFilter(bytes.slice(at, at + filterLength))
  return { sections, pages, offsets, keys: bytes.slice(at + filterLength), keyEnds, filter }
}

/** The last page of a section that begins at a key or before it; −1 when there is none. */
export function pageAt(index: RunIndex, { firstPage, pages }: Section, key: Uint8Array): number {
  let low = firstPage
  let high = firstPage + pages
  while (low < high) {
    const middle = (low + high) >>> 1
    if (comparePage(index, middle, key) <= 0) low = middle + 1
    else high = middle
  }
  return low === firstPage ? -1 : low - 1
}

/** Less than 0 when the page begins before the key. */
export function comparePage({ keys, keyEnds }: RunIndex, page: number, key: Uint8Array): number {
  const start = page === 0 ? 0 : (keyEnds[page - 1] as number)
  return compareSpans(keys, start, keyEnds[page] as number, key, 0, key.length)
}

function bytesOf(numbers: Uint32Array): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength)
}
