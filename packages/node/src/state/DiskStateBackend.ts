import type { ChangelogMarks, Clock, OrderedByteStore, StateBackend, StoreChanges } from '@lanescope/core'
import { CommitStage } from './CommitStage.js'
import { DiskStore } from './DiskStore.js'
import { corrupt, diskError, isCorrupt } from './diskErrors.js'
import {
  allPieces,
  headKey,
  pieceKey,
  runHeads,
  runKey,
  STATE_FORMAT,
  type StateHead,
  storeHeads,
} from './levelLayout.js'
import { loadState } from './loadState.js'
import { LogPart, PieceWriter } from './logPieces.js'
import { PageCache } from './PageCache.js'
import { pausing } from './pausing.js'
import { neededBytes } from './planMerge.js'
import { Run, RunDamaged, removeRuns } from './Run.js'
import { Runs } from './Runs.js'
import { putHead, StateDatabase } from './StateDatabase.js'
import { byStore, NONE, type StoreWrites } from './stageCommit.js'
import { type FrozenChanges, type RunChange, Upkeep } from './Upkeep.js'

/** A commit is made ready in pieces of about this length: lanes run between them (L12). */
const PIECE_MS = 5
const DEFAULT_CACHE_BYTES = 64 * 1024 * 1024
const DEFAULT_BUFFER_BYTES = 32 * 1024 * 1024
/** Changes in memory are left there until so many runs are merged: each look-up would have to ask all of them. */
const MOST_RUNS = 24

export interface DiskStateOptions {
  /** Made if it is missing. One process at a time has it open. */
  readonly folder: string
  readonly clock: Clock
  /** What pages in memory may take, in bytes. Default: 64 MiB. */
  readonly cacheBytes?: number
  /**
   * So many bytes of changes are held in memory before they are written to a run, and up to as many again while they
   * are. Default: 32 MiB.
   */
  readonly bufferBytes?: number
}

/**
 * Committed state in a folder: larger than memory, and a cache of the changelogs (E6). Each epoch is one atomic, synced
 * batch of a LevelDB database: its changes as pieces of a log, and the two marks. The changes of the log are in memory
 * too. When they have become many they are written, in order, to a file of their own, a run, and leave the log; runs
 * are merged behind the commits. So a change is never a reason to read or write what lies around it.
 *
 * A store of which something fails a checksum is `damaged`: the read that met it throws STATE_CORRUPT, and every use of
 * it from then on, until the restart that follows has it rebuilt from its changelog (E11).
 */
export class DiskStateBackend implements StateBackend {
  readonly #stores = new Map<string, DiskStore>()
  readonly #byId = new Map<number, DiskStore>()
  readonly #runs: Runs
  readonly #upkeep: Upkeep
  readonly #bufferBytes: number
  readonly #db: StateDatabase
  #epoch: number | undefined
  #marks: ChangelogMarks = new Map()
  #nextId = 1
  #nextRun = 1
  #log = new LogPart(0)
  /** Writes are made one after the other. */
  readonly #writer = new PieceWriter()
  #frozen: LogPart | undefined
  /** Stores that a read has found damaged. */
  readonly #damaged = new Set<string>()

  private constructor(private readonly options: DiskStateOptions) {
    const { folder, clock, cacheBytes = DEFAULT_CACHE_BYTES, bufferBytes = DEFAULT_BUFFER_BYTES } = options
    this.#bufferBytes = bufferBytes
    this.#runs = new Runs(new PageCache(cacheBytes))
    this.#db = new StateDatabase(
      folder,
      () => this.#forget(),
      () => this.#load(),
    )
    this.#upkeep = new Upkeep({
      folder,
      clock,
      runs: this.#runs,
      nextRun: () => this.#nextRun++,
      isLive: (store) => this.#byId.has(store),
      // Twice what a merge of all would leave, and what comes from memory meanwhile.
      mostBytes: () => bufferBytes + 2 * neededBytes(this.#byId.values()),
      frozen: () => this.#frozenChanges(),
      install: (change) => this.#install(change),
      damaged: (store) => this.#foundDamaged(store),
    })
  }

  /**
   * Opens the state in a folder. Damaged state opens as none.
   *
   * @param onDamaged gets what was found instead
   * @throws StreamError STATE_LOCKED when another process has it open, STATE_UNAVAILABLE when the folder cannot be used
   */
  static async open(
    options: DiskStateOptions,
    onDamaged: (error: Error) => void = () => {},
  ): Promise<DiskStateBackend> {
    const backend = new DiskStateBackend(options)
    try {
      await backend.#db.open()
    } catch (error) {
      if (!isCorrupt(error)) throw error
      onDamaged(error as Error)
      await backend.#db.empty()
      await backend.#db.open()
    }
    return backend
  }

  get committedEpoch(): number | undefined {
    return this.#epoch
  }

  get damaged(): readonly string[] {
    return [...this.#damaged]
  }

  get changelogMarks(): ChangelogMarks {
    return this.#marks
  }

  open(store: string): OrderedByteStore {
    return this.#store(store)
  }

  names(prefix: string): readonly string[] {
    return [...this.#stores.values()]
      .filter(({ name, size }) => name.startsWith(prefix) && size > 0)
      .map(({ name }) => name)
      .sort()
  }

  async commit(epoch: number, changes: readonly StoreChanges[], marks: ChangelogMarks = this.#marks): Promise<void> {
    await this.#write(byStore(changes), { epoch, marks }, true)
  }

  async restore(changes: readonly StoreChanges[], marks: ChangelogMarks = new Map()): Promise<void> {
    await this.#write(byStore(changes), { epoch: undefined, marks }, false)
  }

  async reset(): Promise<void> {
    await this.#db.inTurn(async () => {
      const { to } = this.#log
      const batch = this.#db.level.batch()
      putHead(batch, headKey, this.#head({ epoch: undefined, marks: new Map(), from: to, to, runs: 0 }))
      await this.#db.write(batch, true)
      // A death before all of this is done leaves more than the head says: that opens as none, too.
      for (const bounds of [storeHeads, runHeads, allPieces]) await this.#db.level.clear(bounds)
      this.#forget(to)
      this.#damaged.clear()
      await removeRuns(this.options.folder, new Set())
    })
  }

  async recover(): Promise<void> {
    await this.#db.recover()
  }

  /** Resolves when nothing is being written behind the commits. */
  async settled(): Promise<void> {
    await this.#upkeep.settled()
  }

  /** Closes the folder for another process, after the write that is under way. */
  async close(): Promise<void> {
    await this.#db.idle()
    this.#upkeep.cancel()
    await this.#upkeep.settled()
    await this.#db.level.close()
    this.#forget()
  }

  #store(name: string): DiskStore {
    const known = this.#stores.get(name)
    if (known !== undefined) return known
    const made = new DiskStore(name, {
      runs: this.#runs,
      check: () => this.#checkReadable(name),
      failed: (error) => this.#failed(error, name),
    })
    this.#stores.set(name, made)
    return made
  }

  #checkReadable(store: string): void {
    this.#db.check()
    if (this.#damaged.has(store)) throw corrupt(this.options.folder, `"${store}" has failed a checksum`, store)
  }

  /** A read has failed. */
  #failed(error: unknown, store: string): Error {
    if (!(error instanceof RunDamaged)) return diskError(this.options.folder, 'Reading', error)
    this.#damaged.add(store)
    return corrupt(this.options.folder, `${error.message} in "${store}"`, store)
  }

  /** What is in memory counts for nothing any more. */
  #forget(piece = 0): void {
    this.#upkeep.cancel()
    this.#runs.replace(this.#runs.all, undefined, () => true)
    for (const store of this.#stores.values()) store.become(NONE)
    this.#byId.clear()
    this.#log = new LogPart(piece)
    this.#frozen = undefined
    this.#epoch = undefined
    this.#marks = new Map()
  }

  async #write(changes: readonly StoreWrites[], marks: Marks, sync: boolean): Promise<void> {
    await this.#makeRoom()
    await this.#db.inTurn(async () => {
      this.#checkWhole(marks.epoch === undefined ? changes : [])
      const batch = this.#db.level.batch()
      const stage = new CommitStage(this.#log, this.#writer, batch, pausing(this.options.clock, PIECE_MS))
      try {
        const nextId = await this.#stage(stage, changes)
        putHead(batch, headKey, this.#head({ ...marks, to: stage.to, nextId }))
        const facts = { bytes: stage.bytes, stores: stage.plans.map(({ store }) => store.name) }
        await this.#db.write(batch, sync, facts)
        this.#show(stage, marks, nextId)
      } catch (error) {
        stage.abandon()
        throw error
      } finally {
        await batch.close()
      }
      await stage.sweep()
      if (this.#log.bytes >= this.#bufferBytes && this.#frozen === undefined) this.#freeze()
    })
  }

  /** @throws StreamError STATE_CORRUPT while a store is damaged that is not cleared */
  #checkWhole(changes: readonly StoreWrites[]): void {
    this.#db.check()
    const cleared = new Set(changes.flatMap(({ store, cleared }) => (cleared ? [store] : [])))
    for (const store of this.#damaged) if (!cleared.has(store)) this.#checkReadable(store)
  }

  /** @returns the next id that no store has by then */
  async #stage(stage: CommitStage, changes: readonly StoreWrites[]): Promise<number> {
    let nextId = this.#nextId
    for (const writes of changes) {
      const store = this.#store(writes.store)
      await stage.add(store, writes, writes.cleared || store.id === 0 ? nextId++ : store.id)
    }
    return nextId
  }

  #show(stage: CommitStage, { epoch, marks }: Marks, nextId: number): void {
    stage.show((store, id) => {
      this.#byId.delete(store.id)
      if (id !== NONE.id) this.#byId.set(id, store)
      this.#runs.bury(store.id)
      this.#damaged.delete(store.name)
    })
    this.#nextId = nextId
    this.#epoch = epoch
    this.#marks = marks
  }

  #freeze(): void {
    this.#frozen = this.#log
    this.#log = new LogPart(this.#frozen.to)
    for (const store of this.#stores.values()) store.freeze()
    this.#upkeep.start()
  }

  /** The first piece that is in no run. */
  get #logStart(): number {
    return this.#frozen?.from ?? this.#log.from
  }

  #frozenChanges(): FrozenChanges | undefined {
    if (this.#frozen === undefined) return undefined
    const stores = [...this.#byId].sort(([a], [b]) => a - b)
    return {
      stores: stores.flatMap(([id, { frozen }]) => (frozen === undefined ? [] : [[id, frozen] as const])),
      upTo: this.#frozen.to,
    }
  }

  /** Waits while what is in memory is as much as may be. What fails behind the commits matters only then. */
  async #makeRoom(): Promise<void> {
    this.#upkeep.start()
    for (;;) {
      const isFull = this.#frozen !== undefined && this.#log.bytes >= this.#bufferBytes
      if (!isFull && (this.#runs.all.length <= MOST_RUNS || this.#damaged.size > 0)) return
      this.#upkeep.start(true)
      const error = await (isFull ? this.#upkeep.flushed() : this.#upkeep.settled())
      if (error !== undefined) throw diskError(this.options.folder, 'Writing', error)
    }
  }

  #foundDamaged(store: number): void {
    const damaged = this.#byId.get(store)
    if (damaged !== undefined) this.#damaged.add(damaged.name)
  }

  async #install({ before, head, isFlush, isWanted }: RunChange): Promise<boolean> {
    let installed = false
    await this.#db.inTurn(async () => {
      if (!isWanted()) return
      const run = head === undefined ? undefined : Run.open(this.options.folder, head)
      const batch = this.#db.level.batch()
      try {
        for (const { head } of before) batch.del(runKey(head.run))
        if (head !== undefined) putHead(batch, runKey(head.run), head)
        const runs = this.#runs.all.length - before.length + (head === undefined ? 0 : 1)
        const from = isFlush ? this.#log.from : this.#logStart
        for (let i = this.#logStart; i < from; i++) batch.del(pieceKey(i))
        putHead(batch, headKey, this.#head({ runs, from }))
        await this.#db.write(batch, true)
      } catch (error) {
        run?.close()
        throw error
      } finally {
        await batch.close()
      }
      this.#runs.replace(before, run, (store) => this.#byId.has(store))
      if (isFlush) {
        this.#frozen = undefined
        for (const store of this.#stores.values()) store.thaw()
      }
      installed = true
      for (const { head } of before) await this.#upkeep.remove(head.run)
    })
    return installed
  }

  #head(changed: HeadChange): StateHead {
    const { epoch, marks, from, to, nextId, runs } = {
      epoch: this.#epoch,
      marks: this.#marks,
      from: this.#logStart,
      to: this.#log.to,
      nextId: this.#nextId,
      runs: this.#runs.all.length,
      ...changed,
    }
    return {
      format: STATE_FORMAT,
      epoch: epoch ?? null,
      marks: Object.fromEntries(marks),
      nextId,
      log: [from, to],
      runs,
    }
  }

  async #load(): Promise<void> {
    const { folder, clock } = this.options
    const store = (name: string) => this.#store(name)
    const loaded = await loadState({ db: this.#db.level, folder, clock, runs: this.#runs, byId: this.#byId, store })
    this.#epoch = loaded.epoch
    this.#marks = loaded.marks
    this.#nextId = loaded.nextId
    this.#log = loaded.log
    const kept = new Set(this.#runs.all.map(({ head }) => head.run))
    this.#nextRun = Math.max(this.#nextRun, 1 + (await removeRuns(folder, kept)))
  }
}

interface Marks {
  readonly epoch: number | undefined
  readonly marks: ChangelogMarks
}

interface HeadChange extends Partial<Marks> {
  readonly from?: number
  readonly to?: number
  readonly nextId?: number
  readonly runs?: number
}
