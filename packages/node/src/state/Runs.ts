import type { PageCache } from './PageCache.js'
import type { Run } from './Run.js'

/** The runs that count, the newest first, and what their stores still have in them. */
export class Runs {
  #runs: readonly Run[] = []
  /** Bytes of stores that are gone, by run. */
  readonly #dead = new Map<Run, number>()
  #version = 0

  constructor(readonly cache: PageCache) {}

  get all(): readonly Run[] {
    return this.#runs
  }

  /** Changes whenever the runs do. */
  get version(): number {
    return this.#version
  }

  /** @returns undefined when no run has the key, or the newest that has it says that it is deleted */
  get(store: number, hash: number, key: Uint8Array): Uint8Array | undefined {
    for (const run of this.#runs) {
      const value = run.get(store, hash, key, this.cache)
      if (value !== undefined) return value ?? undefined
    }
    return undefined
  }

  mayHave(store: number, hash: number): boolean {
    return this.#runs.some((run) => run.mayHave(store, hash))
  }

  /** Bytes of a run that belong to stores that are there. */
  liveBytes(run: Run): number {
    return run.bytes - (this.#dead.get(run) ?? 0)
  }

  /**
   * Puts a run in the place of others, or adds one.
   *
   * @param isLive whether a store with this id is there
   */
  replace(before: readonly Run[], run: Run | undefined, isLive: (store: number) => boolean): void {
    const left = this.#runs.filter((other) => !before.includes(other))
    if (run !== undefined) {
      left.push(run)
      left.sort((a, b) => b.head.upTo - a.head.upTo)
      for (const { store } of run.index.sections.values()) if (!isLive(store)) this.#bury(run, store)
    }
    this.#runs = left
    this.#version++
    for (const gone of before) {
      this.#dead.delete(gone)
      this.cache.forget(gone)
      gone.close()
    }
  }

  /** A store is gone. Its entries are not looked at. */
  bury(store: number): void {
    for (const run of this.#runs) this.#bury(run, store)
  }

  #bury(run: Run, store: number): void {
    const bytes = run.section(store)?.bytes ?? 0
    if (bytes > 0) this.#dead.set(run, (this.#dead.get(run) ?? 0) + bytes)
  }
}
