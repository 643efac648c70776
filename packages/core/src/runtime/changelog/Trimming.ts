import type { InternalTopics } from '../RecordLog.js'

/** Epochs between two looks at their own topic. */
const EPOCHS = 1000
/** The first epoch that commits after a look may have been sent before it. */
const SURELY_BEHIND = 2

export interface TrimmingHost {
  /** Where a changelog ends by now, at least: records of epochs that are cut from here on lie behind. */
  ends(topic: string, ends: readonly number[]): void
  /** What could not be deleted stays until more is to go. */
  failed(topic: string, error: unknown): void
}

/**
 * Deletes what nothing needs any more from the beginnings of changelogs, and epoch records that others have followed
 * (E12): in the background, behind the commits, and never what only an open epoch does without.
 */
export class Trimming {
  /** By topic: what has been asked for, and what is to be. */
  readonly #asked = new Map<string, readonly number[]>()
  #wanted: ReadonlyMap<string, readonly number[]> = new Map()
  #underWay: Promise<void> | undefined
  #closed = false
  /** Where the epochs' topic ended at the last look. */
  #epochsEnd: readonly number[] | undefined
  /** Epochs that have committed since then, and how many there are to be. */
  #epochs = 0
  #nextLook = 1

  /**
   * @param starts where each topic begins
   * @param epochTopic the epoch records'
   */
  constructor(
    private readonly internal: InternalTopics,
    private readonly epochTopic: string,
    starts: ReadonlyMap<string, readonly number[]>,
    private readonly host: TrimmingHost,
  ) {
    for (const [topic, offsets] of starts) this.#asked.set(topic, offsets)
  }

  /**
   * An epoch has committed.
   *
   * @param needed by changelog the lowest offset that is needed in each partition, as of that epoch
   */
  committed(needed: ReadonlyMap<string, readonly number[]>): void {
    this.#wanted = needed
    this.#epochs++
    const looks = this.#epochs >= this.#nextLook
    if (this.#closed || this.#underWay !== undefined || (!looks && this.#next() === undefined)) return
    this.#underWay = this.#work(looks).finally(() => {
      this.#underWay = undefined
    })
  }

  /** Resolves once nothing is deleted any more. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#underWay
  }

  async #work(looks: boolean): Promise<void> {
    if (looks) await this.#trimEpochs()
    for (let next = this.#next(); next !== undefined && !this.#closed; next = this.#next()) {
      const [topic, offsets] = next
      this.#asked.set(topic, offsets)
      await this.#guarded(topic, async () => {
        await this.internal.deleteBelow(topic, offsets)
        this.host.ends(topic, await this.#ends(topic))
      })
    }
  }

  async #trimEpochs(): Promise<void> {
    const ended = this.#epochsEnd
    // A log may hear of what has just been committed a moment later.
    const isEmpty = ended === undefined || ended.every((end) => end === 0)
    this.#nextLook = EPOCHS
    await this.#guarded(this.epochTopic, async () => {
      if (!isEmpty) await this.internal.deleteBelow(this.epochTopic, ended)
      this.#epochsEnd = await this.#ends(this.epochTopic)
      // What earlier runs have left goes soon.
      if (isEmpty) this.#nextLook = SURELY_BEHIND
    })
    this.#epochs = 0
  }

  async #ends(topic: string): Promise<readonly number[]> {
    return (await this.internal.bounds(topic)).map(({ end }) => end)
  }

  #next(): readonly [topic: string, offsets: readonly number[]] | undefined {
    for (const [topic, offsets] of this.#wanted) {
      const asked = this.#asked.get(topic) ?? []
      if (offsets.some((offset, partition) => offset > (asked[partition] ?? 0))) return [topic, offsets]
    }
    return undefined
  }

  async #guarded(topic: string, work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.host.failed(topic, error)
    }
  }
}
