import { ClassicLevel } from 'classic-level'
import { diskError, isCorrupt, notReadAgain, openError, type WriteFacts, writeError } from './diskErrors.js'
import { type StateHead, type StoreHead, seal, toJsonBytes } from './levelLayout.js'
import { type RunHead, removeRuns } from './Run.js'

export type Level = ClassicLevel<Uint8Array, Uint8Array>

export type Batch = ReturnType<Level['batch']>

/** The database of a folder: one write after the other, and after one that failed what is there is read again. */
export class StateDatabase {
  readonly level: Level
  /** Restores of several stores come side by side. */
  #writing: Promise<void> = Promise.resolve()
  /** What a write has failed with, while what is there has not been read again. */
  #failure: { readonly cause: unknown } | undefined

  /**
   * @param forget what was read counts for nothing any more
   * @param load reads what is there
   */
  constructor(
    private readonly folder: string,
    private readonly forget: () => void,
    private readonly load: () => Promise<void>,
  ) {
    this.level = new ClassicLevel(folder, {
      keyEncoding: 'view',
      valueEncoding: 'view',
      // What is in it is written once, read at the start, and soon deleted.
      compression: false,
    })
  }

  /** @throws StreamError STATE_CORRUPT, STATE_LOCKED, STATE_UNAVAILABLE; then it is closed again */
  async open(): Promise<void> {
    try {
      await this.level.open()
      await this.load()
    } catch (error) {
      await this.level.close()
      this.forget()
      throw await openError(this.folder, error)
    }
  }

  /** Deletes all that the folder holds. Not while it is open. */
  async empty(): Promise<void> {
    try {
      await removeRuns(this.folder, new Set())
      await ClassicLevel.destroy(this.folder)
    } catch (error) {
      throw diskError(this.folder, 'Emptying', error)
    }
  }

  /** @throws StreamError STATE_UNAVAILABLE after a write that failed, until what is there has been read again */
  check(): void {
    if (this.#failure !== undefined) throw notReadAgain(this.folder, this.#failure.cause)
  }

  /** Does something when all that was begun before is done. */
  async inTurn(work: () => Promise<void>): Promise<void> {
    const turn = this.#writing.then(work).catch(async (error: unknown) => {
      // Where that fails too it is for `recover` to try again.
      if (this.#failure !== undefined) await this.#reopen().catch(() => undefined)
      throw error
    })
    // The next one does not fail because this one does.
    this.#writing = turn.catch(() => undefined)
    try {
      await turn
    } catch (error) {
      throw diskError(this.folder, 'Writing', error)
    }
  }

  async write(batch: Batch, sync: boolean, facts: WriteFacts = { bytes: 0, stores: [] }): Promise<void> {
    try {
      await batch.write({ sync })
    } catch (error) {
      // Whether the batch counts only LevelDB's log can tell.
      this.#failure = { cause: error }
      throw await writeError(this.folder, error, facts)
    }
  }

  async recover(): Promise<void> {
    await this.inTurn(async () => {
      if (this.#failure !== undefined) await this.#reopen()
    })
  }

  /** Resolves when what was begun is done. */
  async idle(): Promise<void> {
    await this.#writing
  }

  /** After a write that failed LevelDB takes no other one. */
  async #reopen(): Promise<void> {
    this.forget()
    await this.level.close()
    try {
      await this.open()
    } catch (error) {
      if (!isCorrupt(error)) throw error
      await this.empty()
      await this.open()
    }
    this.#failure = undefined
  }
}

export function putHead(batch: Batch, key: Uint8Array, value: StateHead | StoreHead | RunHead): void {
  batch.put(key, seal(key, toJsonBytes(value)))
}
