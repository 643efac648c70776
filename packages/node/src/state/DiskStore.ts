import { type ByteEntry, type ByteRange, type OrderedByteStore, StreamError } from '@lanescope/core'
import { ChangeBuffer } from './ChangeBuffer.js'
import { BufferSource, type EntrySource, type Place, RunSource } from './EntrySource.js'
import { EntryView } from './entry.js'
import { hashKey } from './KeyFilter.js'
import type { StoreHead } from './levelLayout.js'
import { entriesOfPiece } from './logPieces.js'
import { MergedRange, type Sources } from './MergedRange.js'
import type { Runs } from './Runs.js'
import { StagedChanges } from './StagedChanges.js'

/** So many entries are taken in between two pauses. */
const ENTRIES_AT_ONCE = 128

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
  #place = 0
  /** Of the entries of the next buffer. */
  #nextPlace = 1
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

  get place(): number {
    return this.#place
  }

  /** Both only ever grow. */
  get version(): number {
    return this.#version + this.source.runs.version
  }

  get(key: Uint8Array): Uint8Array | undefined {
    this.source.check()
    const hash = hashKey(this.id, key, 0, key.length)
    const changed = this.#active?.get(hash, key)
    this.#place = this.#active?.place ?? 0
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

  /**
   * Begins to take changes in that do not count yet.
   *
   * @param id the store's once they do: another one than it has when all that it has is gone by then
   * @param pieces where the changes will lie, by the number that they are given with
   */
  stage(id: number, pieces: readonly Uint8Array[]): StagedChanges {
    const active = id === this.id ? this.#active : undefined
    const buffer = active ?? new ChangeBuffer(pieces, this.#active?.nextPlace ?? this.#nextPlace)
    if (id !== this.id) return new StagedChanges(id, buffer, undefined)
    const older = {
      frozen: this.#frozen,
      runs: this.source.runs,
      failed: (error: unknown) => this.source.failed(error),
    }
    return new StagedChanges(id, buffer, older)
  }

  /** Takes in a piece of the log, at the start. */
  async load(pieces: readonly Uint8Array[], piece: number, pause: () => Promise<void>): Promise<void> {
    const staged = this.stage(this.id, pieces)
    const view = new EntryView()
    const bytes = pieces[piece] as Uint8Array
    const [start, end] = entriesOfPiece(bytes)
    for (let at = start, count = 0; at < end; at = view.end, count++) {
      if (count % ENTRIES_AT_ONCE === 0) {
        await staged.makeRoom(ENTRIES_AT_ONCE, pause)
        await pause()
      }
      view.set(bytes, at)
      const { keyStart, keyEnd, isDeleted } = view
      staged.find(bytes, keyStart, keyEnd)
      staged.add(bytes, keyStart, keyEnd, isDeleted, piece, at)
    }
    await staged.endPiece(piece, pause)
    this.become(this.head, staged)
    await staged.sweep(pause)
  }

  /** What it is after a commit, or at the start. With another id all that it had is gone. */
  become(head: StoreHead, staged?: StagedChanges): void {
    if (head.id !== this.id) {
      this.#drop()
      this.#frozen = undefined
      this.emptyBelow = undefined
    }
    this.#head = head
    this.#version++
    if (staged === undefined) return
    this.#active = staged.buffer
    staged.show()
    if (this.emptyBelow !== undefined) this.emptyBelow = staged.leastOf(this.emptyBelow)
  }

  /** What is in memory is to be written to a run: changes from now on lie above it. */
  freeze(): void {
    this.#frozen = this.#active
    this.#drop()
    this.#version++
  }

  /** It is in a run. */
  thaw(): void {
    this.#frozen = undefined
    this.#version++
  }

  /** What comes to be in memory from now on lies in another buffer, at other places. */
  #drop(): void {
    this.#nextPlace = this.#active?.nextPlace ?? this.#nextPlace
    this.#active = undefined
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
