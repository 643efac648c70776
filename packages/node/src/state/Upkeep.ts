import { type FileHandle, open, unlink } from 'node:fs/promises'
import type { Clock } from '@lanescope/core'
import type { ChangeBuffer } from './ChangeBuffer.js'
import { BufferMergeSource, type MergeSource, RunMergeSource } from './MergeSource.js'
import { pausing } from './pausing.js'
import { planMerge } from './planMerge.js'
import { type Run, RunDamaged, type RunHead, runFile } from './Run.js'
import type { Runs } from './Runs.js'
import { RunWriter } from './RunWriter.js'
import { type StoreSources, writeRun } from './writeRun.js'

/** Lanes run between pieces of about this length (L12). */
const PIECE_MS = 2
/** What has failed, as on a full disk, is tried again after so long: until then there is room in memory. */
const RETRY_MS = 5000

/** Changes in memory that are to become a run: by store, in the order of their ids. */
export interface FrozenChanges {
  readonly stores: readonly (readonly [store: number, changes: ChangeBuffer])[]
  /** Up to which piece of the log they go. */
  readonly upTo: number
}

export interface UpkeepHost {
  readonly folder: string
  readonly clock: Clock
  readonly runs: Runs
  /** A number that no run has had. */
  nextRun(): number
  isLive(store: number): boolean
  /** So many bytes runs may have in all before they are made one. */
  mostBytes(): number
  /** A checksum of a store's entries is wrong. */
  damaged(store: number): void
  /** What is to be written next. */
  frozen(): FrozenChanges | undefined
  /** Puts a run that is whole on disk in the place of others, or of what was frozen. @returns false when it was not */
  install(change: RunChange): Promise<boolean>
}

export interface RunChange {
  readonly before: readonly Run[]
  /** Undefined: nothing of it is left. */
  readonly head: RunHead | undefined
  /** Whether it is what was frozen. */
  readonly isFlush: boolean
  /** False: nobody wants it any more, because the folder was emptied or opened anew meanwhile. */
  isWanted(): boolean
}

class NoLongerWanted extends Error {}

/**
 * What is done behind the commits: changes in memory become a run, runs become fewer. Both go on side by side, in
 * pieces between which lanes run, so that a long merge holds no commit up.
 */
export class Upkeep {
  #flushing: Promise<void> | undefined
  #merging: Promise<void> | undefined
  /** What the last attempt has failed with, and when it is time for another one. */
  #error: unknown
  #retryAt = 0
  /** Changes when what is under way is no longer wanted. */
  #era = 0

  constructor(private readonly host: UpkeepHost) {}

  /**
   * Does what there is to be done, unless it is under way.
   *
   * @param atOnce also when it has only just failed
   */
  start(atOnce = false): void {
    if (this.#error !== undefined && !atOnce && this.host.clock.monotonic() < this.#retryAt) return
    this.#error = undefined
    this.#flushing ??= this.#run(this.#flush(this.#era)).finally(() => {
      this.#flushing = undefined
    })
    this.#startMerging(this.#era)
  }

  /** @returns once nothing is being flushed: what it has failed with */
  async flushed(): Promise<unknown> {
    await this.#flushing
    return this.#error
  }

  /** @returns once nothing is under way: what it has failed with */
  async settled(): Promise<unknown> {
    while (this.#flushing !== undefined || this.#merging !== undefined) {
      await Promise.all([this.#flushing, this.#merging])
    }
    return this.#error
  }

  /** What is under way comes to nothing. */
  cancel(): void {
    this.#era++
    this.#error = undefined
  }

  #startMerging(era: number): void {
    this.#merging ??= this.#run(this.#merge(era)).finally(() => {
      this.#merging = undefined
    })
  }

  async #run(work: Promise<void>): Promise<void> {
    const era = this.#era
    try {
      await work
    } catch (error) {
      if (error instanceof NoLongerWanted || era !== this.#era) return
      if (error instanceof RunDamaged) this.host.damaged(error.store ?? 0)
      this.#error = error
      this.#retryAt = this.host.clock.monotonic() + RETRY_MS
    }
  }

  async #flush(era: number): Promise<void> {
    const frozen = this.host.frozen()
    if (frozen === undefined) return
    const entries = frozen.stores.reduce((sum, [, { size }]) => sum + size, 0)
    const pause = this.#pauses(era)
    for (const [, changes] of frozen.stores) await changes.settle(pause)
    const stores = frozen.stores.map(
      ([store, { runs }]) => [store, runs.map((run) => new BufferMergeSource(run))] as const,
    )
    await this.#write({ stores, entries, upTo: frozen.upTo, before: [], keepDeletions: true, era })
    this.#startMerging(era)
  }

  async #merge(era: number): Promise<void> {
    while (era === this.#era) {
      const { runs } = this.host
      const all = runs.all
      const sizes = all.map((run) => ({ bytes: run.bytes, live: runs.liveBytes(run) }))
      const plan = planMerge(sizes, this.host.mostBytes())
      if (plan === undefined) return
      await this.#mergeRuns(all.slice(plan.from, plan.to), plan.to < all.length, era)
    }
  }

  async #mergeRuns(before: readonly Run[], keepDeletions: boolean, era: number): Promise<void> {
    const files: FileHandle[] = []
    try {
      for (const run of before) files.push(await open(runFile(this.host.folder, run.head.run), 'r'))
      const ids = new Set(before.flatMap((run) => [...run.index.sections.keys()]))
      const live = [...ids].filter((store) => this.host.isLive(store)).sort((a, b) => a - b)
      const sourcesOf = (store: number): MergeSource[] =>
        before.flatMap((run, i) => {
          const section = run.section(store)
          return section === undefined ? [] : [new RunMergeSource(run, section, files[i] as FileHandle)]
        })
      const count = (store: number) => before.reduce((sum, run) => sum + (run.section(store)?.entries ?? 0), 0)
      await this.#write({
        stores: sourcesByStore(live, sourcesOf),
        entries: live.reduce((sum, store) => sum + count(store), 0),
        upTo: (before[0] as Run).head.upTo,
        before,
        keepDeletions,
        era,
      })
    } finally {
      for (const file of files) await file.close()
    }
  }

  async #write(job: Job): Promise<void> {
    const { folder } = this.host
    const run = this.host.nextRun()
    const isWanted = () => job.era === this.#era
    const pause = this.#pauses(job.era)
    const writer = await RunWriter.create(folder, run, job.entries)
    let head: RunHead | undefined
    try {
      await writeRun(writer, job.stores, { keepDeletions: job.keepDeletions, pause })
      head = await writer.finish(job.upTo, pause)
    } catch (error) {
      await writer.abandon()
      await this.remove(run)
      throw error
    }
    // What fails from here on may count nevertheless: then the file is looked at when the folder is opened anew.
    const installed = await this.host.install({ before: job.before, head, isFlush: job.before.length === 0, isWanted })
    if (head === undefined || !installed) await this.remove(run)
  }

  #pauses(era: number): () => Promise<void> {
    return pausing(this.host.clock, PIECE_MS, () => {
      if (era !== this.#era) throw new NoLongerWanted()
    })
  }

  /** Removes the file of a run. One that cannot be removed is when the folder is opened the next time. */
  async remove(run: number): Promise<void> {
    await unlink(runFile(this.host.folder, run)).catch(() => undefined)
  }
}

function* sourcesByStore(
  stores: readonly number[],
  sourcesOf: (store: number) => readonly MergeSource[],
): StoreSources {
  for (const store of stores) yield [store, sourcesOf(store)]
}

interface Job {
  readonly stores: StoreSources
  readonly entries: number
  readonly upTo: number
  readonly before: readonly Run[]
  readonly keepDeletions: boolean
  readonly era: number
}
