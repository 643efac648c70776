import { StreamError } from '../../errors/StreamError.js'
import { ByteReader } from './ByteReader.js'
import { ByteWriter } from './ByteWriter.js'
import { crc32 } from './crc32.js'
import { decodeEntry, type JournalEntry } from './journalEntry.js'
import type { LogStorage } from './LogStorage.js'

const MAGIC = 0x474f4c4c // "LLOG"
/** 2: entries that are thinned out. */
const FORMAT = 2
const FILE_HEADER = 8
const FRAME_HEADER = 8

/** Where an entry's payload lies. */
export interface EntryPlace {
  readonly segment: number
  readonly at: number
}

/**
 * A sequence of checksummed entries over numbered files. An entry is there wholly or not at all: what a crash left of
 * the last one is cut at open. Calls must not overlap; `EmbeddedLog` puts them in a queue.
 */
export class Journal {
  #size = 0
  #broken: unknown

  private constructor(
    private readonly storage: LogStorage,
    /** A file of this size is left for a new one. */
    readonly segmentBytes: number,
    private segment: number,
  ) {}

  /** The file that is written; those before it are whole, and only ever replaced. */
  get current(): number {
    return this.segment
  }

  /** Those files, oldest first. */
  async closed(): Promise<readonly number[]> {
    return (await segmentsIn(this.storage)).filter((segment) => segment < this.segment)
  }

  size(segment: number): Promise<number> {
    return this.storage.size(fileOf(segment))
  }

  /** The entries of a closed file, as they are. Each is checked when it is come to: a file is tens of megabytes. */
  async *payloads(segment: number): AsyncGenerator<{ readonly at: number; readonly payload: Uint8Array }> {
    const bytes = await this.storage.read(fileOf(segment), 0, await this.size(segment))
    for (let at = FILE_HEADER; at < bytes.length; ) {
      const payload = payloadAt(bytes, at)
      if (payload === undefined) throw journalCorrupt(segment, at)
      yield { at: at + FRAME_HEADER, payload }
      at += FRAME_HEADER + payload.length
    }
  }

  /**
   * Puts other entries in the place of a closed file's, all or nothing; without any, the file goes. What lies behind it
   * is on disk by then: the reason for what is missing.
   *
   * @returns where each of them lies
   */
  async replace(segment: number, payloads: readonly Uint8Array[]): Promise<readonly EntryPlace[]> {
    await this.#sync()
    if (payloads.length === 0) {
      await this.storage.remove(fileOf(segment))
      return []
    }
    const out = new ByteWriter(payloads.reduce((sum, { length }) => sum + FRAME_HEADER + length, FILE_HEADER))
    out.u32(MAGIC)
    out.u32(FORMAT)
    const places: EntryPlace[] = []
    for (const payload of payloads) {
      places.push({ segment, at: out.size + FRAME_HEADER })
      out.bytes(frame(payload))
    }
    await this.storage.replace(fileOf(segment), out.finish())
    return places
  }

  /**
   * Reads every entry, oldest first.
   *
   * @throws StreamError LOG_CORRUPT when an entry is damaged that others follow, or a newer version wrote it
   */
  static async open(
    storage: LogStorage,
    segmentBytes: number,
    onEntry: (entry: JournalEntry, place: EntryPlace) => void,
  ): Promise<Journal> {
    const segments = await segmentsIn(storage)
    const last = segments.at(-1) ?? 1
    const journal = new Journal(storage, segmentBytes, last)
    for (const segment of segments) journal.#size = await journal.#scan(segment, segment === last, onEntry)
    // A version that reads the older format alone must not find entries of this one in it.
    if (journal.#size > 0 && (await formatOf(storage, last)) < FORMAT) await journal.#roll()
    if (journal.#size === 0) await journal.#begin()
    return journal
  }

  /**
   * Adds an entry.
   *
   * @param durable resolve only once it survives a crash of the host, with everything before it
   * @throws StreamError LOG_UNAVAILABLE when it could not be written; retriable when nothing of it is left
   */
  async append(payload: Uint8Array, durable: boolean): Promise<EntryPlace> {
    if (this.#broken !== undefined) throw unwritable(this.#broken, false)
    if (this.#size >= this.segmentBytes) await this.#roll()
    if (this.#size === 0) await this.#begin()
    const at = this.#size + FRAME_HEADER
    try {
      await this.storage.append(fileOf(this.segment), frame(payload))
    } catch (error) {
      throw await this.#undo(error)
    }
    this.#size += FRAME_HEADER + payload.length
    if (durable) await this.#sync()
    return { segment: this.segment, at }
  }

  async close(): Promise<void> {
    if (this.#broken === undefined) await this.#sync()
    await this.storage.close()
  }

  async #roll(): Promise<void> {
    // Only the last file may be torn: so what lies before it must be on disk.
    await this.#sync()
    this.segment++
    this.#size = 0
  }

  async #begin(): Promise<void> {
    const header = new ByteWriter(FILE_HEADER)
    header.u32(MAGIC)
    header.u32(FORMAT)
    try {
      await this.storage.append(fileOf(this.segment), header.finish())
    } catch (error) {
      throw await this.#undo(error)
    }
    this.#size = FILE_HEADER
  }

  async #sync(): Promise<void> {
    try {
      await this.storage.sync(fileOf(this.segment))
    } catch (error) {
      // The host may have dropped the bytes it could not write: whether the entry is there is known only at the next open.
      this.#broken = error
      throw unwritable(error, false)
    }
  }

  async #undo(cause: unknown): Promise<StreamError> {
    try {
      await this.storage.truncate(fileOf(this.segment), this.#size)
      return unwritable(cause, true)
    } catch {
      this.#broken = cause
      return unwritable(cause, false)
    }
  }

  /** @returns the size of what is whole */
  async #scan(
    segment: number,
    isLast: boolean,
    onEntry: (entry: JournalEntry, place: EntryPlace) => void,
  ): Promise<number> {
    const file = fileOf(segment)
    const bytes = await this.storage.read(file, 0, await this.storage.size(file))
    let at = checkHeader(bytes, segment)
    while (at !== 0 && at < bytes.length) {
      const payload = payloadAt(bytes, at)
      if (payload === undefined) break
      onEntry(decode(payload, segment, at), { segment, at: at + FRAME_HEADER })
      at += FRAME_HEADER + payload.length
    }
    if (at === bytes.length && at !== 0) return at
    if (!isLast || isFollowed(bytes, at)) throw journalCorrupt(segment, at)
    if (bytes.length > at) await this.storage.truncate(file, at)
    return at
  }
}

/** A part of a segment, as `EntryPlace` and an entry's heads name it. */
export function readJournal(storage: LogStorage, segment: number, at: number, length: number): Promise<Uint8Array> {
  return storage.read(fileOf(segment), at, length)
}

async function segmentsIn(storage: LogStorage): Promise<number[]> {
  const segments = (await storage.list()).map(segmentOf).filter((segment) => segment !== undefined)
  return segments.sort((a, b) => a - b)
}

async function formatOf(storage: LogStorage, segment: number): Promise<number> {
  const header = new ByteReader(await storage.read(fileOf(segment), 0, FILE_HEADER))
  header.u32()
  return header.u32()
}

function fileOf(segment: number): string {
  return `journal-${String(segment).padStart(8, '0')}.log`
}

function segmentOf(file: string): number | undefined {
  const match = /^journal-(\d{8,})\.log$/.exec(file)
  return match ? Number(match[1]) : undefined
}

function frame(payload: Uint8Array): Uint8Array {
  const out = new ByteWriter(FRAME_HEADER + payload.length)
  out.u32(payload.length)
  out.u32(crc32(payload))
  out.bytes(payload)
  return out.finish()
}

/** @returns where the entries begin; 0 when not even the header is whole */
function checkHeader(bytes: Uint8Array, segment: number): number {
  if (bytes.length < FILE_HEADER) return 0
  const source = new ByteReader(bytes)
  const magic = source.u32()
  const format = source.u32()
  if (magic === 0 && format === 0) return 0
  if (magic !== MAGIC) throw journalCorrupt(segment, 0)
  if (format > FORMAT) {
    throw new StreamError(
      `The embedded log's "${fileOf(segment)}" has format ${format}; this version reads up to ${FORMAT}. Use the newer version that wrote it`,
      { code: 'LOG_CORRUPT', kind: 'operational', retriable: false },
    )
  }
  return FILE_HEADER
}

/** The payload of the frame there, or undefined when it is not whole. No payload is empty, so zeros are no frame. */
function payloadAt(bytes: Uint8Array, at: number): Uint8Array | undefined {
  if (at + FRAME_HEADER > bytes.length) return undefined
  const head = new ByteReader(bytes.subarray(at, at + FRAME_HEADER))
  const length = head.u32()
  const crc = head.u32()
  const from = at + FRAME_HEADER
  if (length === 0 || from + length > bytes.length) return undefined
  const payload = bytes.subarray(from, from + length)
  return crc32(payload) === crc ? payload : undefined
}

/**
 * Whether a whole frame stands behind the damaged one. Then it is no torn tail but damage to what was acknowledged,
 * and cutting there would lose it without a word.
 */
function isFollowed(bytes: Uint8Array, at: number): boolean {
  if (at + FRAME_HEADER > bytes.length) return false
  const length = new ByteReader(bytes.subarray(at, at + FRAME_HEADER)).u32()
  return payloadAt(bytes, at + FRAME_HEADER + length) !== undefined
}

function decode(payload: Uint8Array, segment: number, at: number): JournalEntry {
  try {
    return decodeEntry(payload)
  } catch (cause) {
    throw journalCorrupt(segment, at, cause)
  }
}

/** What was acknowledged once cannot be read any more. */
export function journalCorrupt(segment: number, at: number, cause?: unknown): StreamError {
  return new StreamError(
    `The embedded log is damaged: "${fileOf(segment)}" at byte ${at}. Restore the file from a copy, or delete the log's folder to start with an empty one`,
    { code: 'LOG_CORRUPT', kind: 'operational', retriable: false, cause },
  )
}

function unwritable(cause: unknown, retriable: boolean): StreamError {
  const why = cause instanceof Error ? cause.message : String(cause)
  return new StreamError(
    `The embedded log could not be written: ${why}. ${retriable ? 'Nothing was written; free the disk and try again' : 'Open the log again to see what was written'}`,
    { code: 'LOG_UNAVAILABLE', kind: 'operational', retriable, cause },
  )
}
