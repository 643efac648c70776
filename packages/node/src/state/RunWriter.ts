import { type FileHandle, open } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import type { EntryView } from './entry.js'
import { hashKey, KeyFilter } from './KeyFilter.js'
import { PAGE_BYTES } from './PageCache.js'
import { pageChecksum, type RunHead, runFile } from './Run.js'
import { encodeIndex, type Section } from './runIndex.js'

const CHECKSUM_BYTES = 4
/** So much is written at once. */
const CHUNK_BYTES = 256 * 1024

/** Writes a run, entry by entry: stores by their ids, entries by their keys. */
export class RunWriter {
  #chunk = new Uint8Array(2 * CHUNK_BYTES)
  #used = 0
  /** Where the page begins that is being filled, in the chunk. */
  #pageStart = 0
  #written = 0
  #pages = 0
  #offsets = new Float64Array(64)
  #keys = new Uint8Array(1024)
  #keyEnds = new Uint32Array(64)
  readonly #sections = new Map<number, Section>()
  #section: Section | undefined
  readonly #filter: KeyFilter

  private constructor(
    private readonly folder: string,
    readonly run: number,
    private readonly file: FileHandle,
    entries: number,
  ) {
    this.#filter = KeyFilter.for(entries)
  }

  /** @param entries as many as there will be at most */
  static async create(folder: string, run: number, entries: number): Promise<RunWriter> {
    return new RunWriter(folder, run, await open(runFile(folder, run), 'w'), entries)
  }

  /** Whether `write` is due. */
  get isFull(): boolean {
    return this.#used >= CHUNK_BYTES
  }

  add(store: number, entry: EntryView): void {
    const length = entry.end - entry.start
    const own = this.#used - this.#pageStart
    if (own > 0 && (this.#section?.store !== store || own + length + CHECKSUM_BYTES > PAGE_BYTES)) this.#endPage()
    if (this.#section?.store !== store) {
      this.#section = { store, firstPage: this.#pages, pages: 0, entries: 0, bytes: 0 }
      this.#sections.set(store, this.#section)
    }
    this.#makeRoom(length + CHECKSUM_BYTES)
    if (this.#used === this.#pageStart) this.#beginPage(entry)
    copy(entry.bytes, entry.start, length, this.#chunk, this.#used)
    this.#used += length
    this.#section.entries++
    this.#filter.add(hashKey(store, entry.bytes, entry.keyStart, entry.keyEnd))
  }

  /** Hands the pages that are full to the disk. */
  async write(): Promise<void> {
    const { length } = this.#chunk
    await this.#writeAll(this.#chunk.subarray(0, this.#pageStart))
    this.#written += this.#pageStart
    this.#chunk.copyWithin(0, this.#pageStart, this.#used)
    this.#used -= this.#pageStart
    this.#pageStart = 0
    if (length > 4 * CHUNK_BYTES && this.#used < CHUNK_BYTES) {
      const smaller = new Uint8Array(2 * CHUNK_BYTES)
      smaller.set(this.#chunk.subarray(0, this.#used))
      this.#chunk = smaller
    }
  }

  /**
   * Writes what is left and the index, and waits until all of it is on disk.
   *
   * @returns undefined when nothing was added: then there is no file
   */
  async finish(upTo: number, pause: () => Promise<void>): Promise<RunHead | undefined> {
    if (this.#used > this.#pageStart) this.#endPage()
    if (this.#pages === 0) {
      await this.file.close()
      return undefined
    }
    await this.write()
    this.#offsets[this.#pages] = this.#written
    const parts = encodeIndex(this.run, {
      sections: this.#sections,
      pages: this.#pages,
      offsets: this.#offsets,
      keys: this.#keys.subarray(0, this.#keyEnds[this.#pages - 1]),
      keyEnds: this.#keyEnds.subarray(0, this.#pages),
      filter: this.#filter,
    })
    let checksum = 0
    let end = this.#written
    for (const part of parts) {
      for (let from = 0; from < part.length; from += CHUNK_BYTES) {
        const some = part.subarray(from, from + CHUNK_BYTES)
        checksum = crc32(some, checksum)
        await this.#writeAll(some)
        await pause()
      }
      end += part.length
    }
    await this.file.sync()
    await this.file.close()
    await syncFolder(this.folder)
    return { run: this.run, upTo, index: [this.#written, end, checksum] }
  }

  async abandon(): Promise<void> {
    await this.file.close()
  }

  async #writeAll(bytes: Uint8Array): Promise<void> {
    for (let from = 0; from < bytes.length; ) {
      const { bytesWritten } = await this.file.write(bytes, from, bytes.length - from)
      from += bytesWritten
    }
  }

  #makeRoom(length: number): void {
    if (this.#used + length <= this.#chunk.length) return
    const larger = new Uint8Array(2 * (this.#used + length))
    larger.set(this.#chunk.subarray(0, this.#used))
    this.#chunk = larger
  }

  #beginPage(entry: EntryView): void {
    const page = this.#pages
    const length = entry.keyEnd - entry.keyStart
    const keyStart = page === 0 ? 0 : (this.#keyEnds[page - 1] as number)
    if (page + 1 >= this.#offsets.length) {
      this.#offsets = grown(this.#offsets, new Float64Array(2 * this.#offsets.length))
      this.#keyEnds = grown(this.#keyEnds, new Uint32Array(2 * this.#keyEnds.length))
    }
    if (keyStart + length > this.#keys.length) {
      this.#keys = grown(this.#keys, new Uint8Array(2 * (keyStart + length)))
    }
    copy(entry.bytes, entry.keyStart, length, this.#keys, keyStart)
    this.#keyEnds[page] = keyStart + length
    this.#offsets[page] = this.#written + this.#pageStart
  }

  #endPage(): void {
    const bytes = this.#chunk.subarray(this.#pageStart, this.#used)
    const checksum = pageChecksum(this.run, this.#pages, bytes)
    this.#makeRoom(CHECKSUM_BYTES)
    for (let i = 0; i < CHECKSUM_BYTES; i++) this.#chunk[this.#used++] = (checksum >>> (8 * i)) & 255
    const section = this.#section as Section
    section.pages++
    section.bytes += this.#used - this.#pageStart
    this.#pageStart = this.#used
    this.#pages++
  }
}

/** Makes a new file's name durable. Not where folders cannot be opened. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function copy(from: Uint8Array, start: number, length: number, to: Uint8Array, at: number): void {
  if (length > 64) to.set(from.subarray(start, start + length), at)
  else for (let i = 0; i < length; i++) to[at + i] = from[start + i] as number
}

function grown<T extends Float64Array | Uint32Array | Uint8Array>(from: T, to: T): T {
  to.set(from as never)
  return to
}
