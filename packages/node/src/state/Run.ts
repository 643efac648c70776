import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { readdir, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { findEntry } from './entry.js'
import type { PageCache, PageOwner } from './PageCache.js'
import { decodeIndex, pageAt, type RunIndex, type Section } from './runIndex.js'

/** What a run is told by, in the database: without it the file counts for nothing. */
export interface RunHead {
  readonly run: number
  /** The runs of higher numbers here are newer: up to which piece of the log it holds changes. */
  readonly upTo: number
  /** Where its index begins and ends in its file, and its checksum. */
  readonly index: readonly [start: number, end: number, checksum: number]
}

/** What is wrong with a run. The owner of the folder makes its error of it. */
export class RunDamaged extends Error {
  /** In which store it was found, by its id. */
  store: number | undefined
}

export function runFile(folder: string, run: number): string {
  return join(folder, `${run}.run`)
}

/** The checksum of a page: of its bytes, its run and its place in it, so that no other page is taken for it. */
export function pageChecksum(run: number, page: number, bytes: Uint8Array): number {
  return crc32(bytes, (Math.imul(run, 0x9e3779b1) + page) >>> 0)
}

export function readChecksum(bytes: Uint8Array, at: number): number {
  return (
    ((bytes[at] as number) |
      ((bytes[at + 1] as number) << 8) |
      ((bytes[at + 2] as number) << 16) |
      ((bytes[at + 3] as number) << 24)) >>>
    0
  )
}

/**
 * Changes of many stores in one file that is never changed: sections by store, in them pages of sorted entries. Where
 * each page begins, and a filter of the keys, are in memory: a look-up reads one page, and none for most keys that are
 * not there.
 */
export class Run implements PageOwner {
  readonly frames: Int32Array

  private constructor(
    readonly head: RunHead,
    readonly index: RunIndex,
    private readonly file: number,
  ) {
    this.frames = new Int32Array(index.pages).fill(-1)
  }

  /** @throws RunDamaged, or what the file system says */
  static open(folder: string, head: RunHead): Run {
    const [start, end, checksum] = head.index
    let file: number
    try {
      file = openSync(runFile(folder, head.run), 'r')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT')
        throw new RunDamaged(`the file of run ${head.run} is missing`)
      throw error
    }
    try {
      if (fstatSync(file).size !== end) throw new RunDamaged(`the file of run ${head.run} has not its length`)
      const bytes = new Uint8Array(end - start)
      readFully(file, bytes, 0, bytes.length, start, head.run)
      const index = crc32(bytes) === checksum ? decodeIndex(head.run, bytes) : undefined
      if (index === undefined) throw new RunDamaged(`the checksum of the index of run ${head.run} is wrong`)
      return new Run(head, index, file)
    } catch (error) {
      closeSync(file)
      throw error
    }
  }

  /** Of all pages. */
  get bytes(): number {
    return this.index.offsets[this.index.pages] as number
  }

  section(store: number): Section | undefined {
    return this.index.sections.get(store)
  }

  /**
   * @param hash of the key, by `hashKey`
   * @returns the value, null when it is deleted here, undefined when it is not here
   */
  get(store: number, hash: number, key: Uint8Array, cache: PageCache): Uint8Array | null | undefined {
    const section = this.section(store)
    if (section === undefined || !this.index.filter.mayHave(hash)) return undefined
    const page = pageAt(this.index, section, key)
    if (page < 0) return undefined
    cache.find(this, page)
    return findEntry(cache.bytes, cache.start, cache.end, key)
  }

  /** Whether a key may be here, deleted or not. */
  mayHave(store: number, hash: number): boolean {
    return this.section(store) !== undefined && this.index.filter.mayHave(hash)
  }

  lengthOf(page: number): number {
    const { offsets } = this.index
    return (offsets[page + 1] as number) - (offsets[page] as number)
  }

  fill(page: number, bytes: Uint8Array, at: number): number {
    const { run } = this.head
    const length = this.lengthOf(page)
    readFully(this.file, bytes, at, length, this.index.offsets[page] as number, run)
    const end = at + length - 4
    if (readChecksum(bytes, end) !== pageChecksum(run, page, bytes.subarray(at, end))) {
      throw new RunDamaged('the checksum of a page is wrong')
    }
    return length - 4
  }

  close(): void {
    closeSync(this.file)
  }
}

function readFully(file: number, bytes: Uint8Array, at: number, length: number, from: number, run: number): void {
  for (let read = 0; read < length; ) {
    const more = readSync(file, bytes, at + read, length - read, from + read)
    if (more === 0) throw new RunDamaged(`the file of run ${run} ends too early`)
    read += more
  }
}

const RUN_FILE = /^(\d+)\.run$/

/**
 * Removes files of runs that nothing refers to: what was being written when the process died.
 *
 * @returns the greatest number of a run that was there
 */
export async function removeRuns(folder: string, kept: ReadonlySet<number>): Promise<number> {
  let greatest = 0
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return []
  })
  for (const name of names) {
    const run = Number(RUN_FILE.exec(name)?.[1])
    if (Number.isNaN(run)) continue
    greatest = Math.max(greatest, run)
    if (kept.has(run)) continue
    await unlink(join(folder, name)).catch((error: NodeJS.ErrnoException) => {
      // Who was writing it has found meanwhile that nobody wants it any more.
      if (error.code !== 'ENOENT') throw error
    })
  }
  return greatest
}
