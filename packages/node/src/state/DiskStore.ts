import { type ByteEntry, type ByteRange, type OrderedByteStore, StreamError } from '@lanescope/core'
import { ChangeBuffer } from './ChangeBuffer.js'
import { BufferSource, type EntrySource, type Place, RunSource } from './EntrySource.js'
import { EntryView } from './entry.js'
import { hashKey } from './KeyFilter.js'
import type { StoreHead } from './levelLayout.js'
import { entriesOfPiece, type LogPart } from './logPieces.js'
import { MergedRange, type Sources } from './MergedRange.js'
import type { Runs } from './Runs.js'

/** What a store is read from. */
export interface StoreSource {
  readonly runs: Runs
  /** @throws StreamError STATE_CORRUPT or STATE_UNAVAILABLE when the store cannot be read at present */
  check(): void
  /** What a read that failed is to throw. */
  failed(error: unknown): Error
}

/**
 * The committed entries of one byte store: the newest changes in memory, all others in runs. It is written by commits
 * alone.
 */
export class DiskStore implements OrderedByteStore, Sources {
  #head: StoreHead = { id: 0, size: 0, bytes: 0 }
  /** Changes since the last freeze … */
  #active: ChangeBuffer | undefined
  /** … and those before it that are being written to a run. */
  #frozen: ChangeBuffer | undefined
  #version = 0
  readonly #view = new EntryView()
  emptyBelow: Uint8Array | undefined

  constructor(
    readonly name: string,
    private readonly source: StoreSource,
  ) {}

  /** 0: it has never been written. */
  get id(): number {
    return this.#head.id
  }

  get size(): number {
    return this.#head.size
  }

  get bytes(): number {
    return this.#head.bytes
  }

  get head(): StoreHead {
    return this.#head
  }

  get frozen(): ChangeBuffer | undefined {
    return this.#frozen
  }

  /** Both only ever grow. */
  get version(): number {
    return this.#version + this.source.runs.version
  }

  get(key: Uint8Array): Uint8Array | undefined {
    this.source.check()
    const hash = hashKey(this.id, key, 0, key.length)
    const changed = this.#active?.get(hash, key)
    if (changed !== undefined) return changed ?? undefined
    const frozen = this.#frozen?.get(hash, key)
    if (frozen !== undefined) return frozen ?? undefined
    try {
      return this.source.runs.get(this.id, hash, key)
    } catch (error) {
      throw this.source.failed(error)
    }
  }

  range(range: ByteRange = {}): Iterable<ByteEntry> {
    return { [Symbol.iterator]: () => new MergedRange(this, range) }
  }

  sources(place: Place): EntrySource[] {
    this.source.check()
    const { runs } = this.source
    const sources: EntrySource[] = []
    for (const buffer of [this.#active, this.#frozen]) {
      for (const run of buffer?.runs ?? []) sources.push(new BufferSource(run, place))
    }
    for (const run of runs.all) {
      const section = run.section(this.id)
      if (section !== undefined) sources.push(new RunSource(run, section, runs.cache, place))
    }
    return sources
  }

  failed(error: unknown): Error {
    return this.source.failed(error)
  }

  put(): never {
    throw this.#readOnly()
  }

  set(): never {
    throw this.#readOnly()
  }

  delete(): never {
    throw this.#readOnly()
  }

  remove(): never {
    throw this.#readOnly()
  }

  deleteRange(): never {
    throw this.#readOnly()
  }

  clear(): never {
    throw this.#readOnly()
  }

  /** What it is after a commit, or at the start. With another id all that it had is gone. */
  become(head: StoreHead): void {
    if (head.id !== this.id) {
      this.#active = undefined
      this.#frozen = undefined
      this.emptyBelow = undefined
    }
    this.#head = head
    this.#version++
  }

  /** The changes of a piece of the log count from now on. */
  apply(log: LogPart, piece: number): void {
    const active = this.#active ?? new ChangeBuffer(this.id, log.pieces)
    this.#active = active
    const view = this.#view
    const bytes = log.pieces[piece] as Uint8Array
    const [start, end] = entriesOfPiece(bytes)
    for (let at = start; at < end; at = view.end) {
      view.set(bytes, at)
      if (view.isDeleted && !this.#mayBeBelow(view)) active.remove(view.key)
      else active.add(piece, at)
      if (!view.isDeleted && this.emptyBelow !== undefined && view.compareKey(this.emptyBelow) < 0)
        this.emptyBelow = view.key
    }
    active.endPiece()
    this.#version++
  }

  /** What is in memory is to be written to a run: changes from now on lie above it. */
  freeze(): void {
    this.#frozen = this.#active
    this.#active = undefined
    this.#version++
  }

  /** It is in a run. */
  thaw(): void {
    this.#frozen = undefined
    this.#version++
  }

  /**
   * Whether something older than the newest changes may have a key. What nothing older has needs no mark that it is
   * deleted: timers come and go without leaving anything.
   */
  #mayBeBelow({ bytes, keyStart, keyEnd }: EntryView): boolean {
    const hash = hashKey(this.id, bytes, keyStart, keyEnd)
    if (this.source.runs.mayHave(this.id, hash)) return true
    return this.#frozen?.get(hash, bytes.subarray(keyStart, keyEnd)) !== undefined
  }

  #readOnly(): StreamError {
    return new StreamError(`The committed state of "${this.name}" on disk is written by commits alone.`, {
      code: 'ILLEGAL_STATE',
      kind: 'bug',
      retriable: false,
      context: { store: this.name },
    })
  }
}
