import { StreamError } from '../../errors/StreamError.js'
import type { ChangelogEnds, StateBackend, StoreChanges } from '../../state/StateBackend.js'
import type { Clock } from '../../time/Clock.js'
import type { SavedChangelogs } from '../epoch/EpochRecord.js'
import { PackedOutputs } from '../epoch/PackedOutputs.js'
import { visitOutputs } from '../OutputView.js'
import type { InternalTopics, Outputs } from '../RecordLog.js'
import { fromChangelog, toChangelog } from './changelogRecord.js'
import { type LoggedStore, ownerOf } from './loggedStores.js'

/** Stores that are rebuilt side by side. */
const AT_ONCE = 4
const TELL_EVERY_MS = 2000

/** How far the rebuilding of one store is. */
export interface RestoreProgress {
  readonly owner: string
  readonly topic: string
  readonly records: number
  readonly bytes: number
  /** Offsets that are still to be read. */
  readonly left: number
  readonly elapsedMs: number
}

/**
 * The topics that state can be rebuilt from (E6): one for each store and for the timers of each processor. An epoch's
 * final value of each key goes there in the epoch's own commit, so that the log knows of state exactly what it knows
 * of outputs and positions. What the local backend holds is a cache of them.
 */
export class Changelogs {
  readonly #byOwner: ReadonlyMap<string, LoggedStore>
  /** Where each partition's history begins, and what it is known to hold by now. */
  readonly #from = new Map<string, readonly number[]>()
  #ends = new Map<string, readonly number[]>()
  /** What the last epoch said of changelogs whose stores this topology does not have: they may come back. */
  #leftBehind: SavedChangelogs = {}

  private constructor(
    private readonly internal: InternalTopics,
    private readonly stores: readonly LoggedStore[],
    private readonly onFormatChange: 'refuse' | 'reset',
  ) {
    this.#byOwner = new Map(stores.map((store) => [store.owner, store]))
  }

  /**
   * Makes the topics that are missing. One that is there keeps the partitions that it was made with, though the topics
   * that are read may have more by now.
   *
   * @param onFormatChange `state.format-change`
   */
  static async open(
    internal: InternalTopics,
    stores: readonly LoggedStore[],
    onFormatChange: 'refuse' | 'reset',
  ): Promise<Changelogs> {
    const made: LoggedStore[] = []
    for (const store of stores) {
      made.push({ ...store, partitions: await internal.ensure(store.topic, store.partitions, store.settings) })
    }
    return new Changelogs(internal, made, onFormatChange)
  }

  /** What the next epoch records say of the changelogs. */
  get saved(): SavedChangelogs {
    const saved: { [topic: string]: SavedChangelogs[string] } = {}
    for (const [topic, left] of Object.entries(this.#leftBehind)) saved[topic] = { ...left, unused: true }
    for (const { topic, format } of this.stores) saved[topic] = { from: this.#from.get(topic) ?? [], format }
    return saved
  }

  /**
   * Brings the backend to what the log has committed: by what it lacks where it is an earlier state of this history,
   * else from the beginning.
   *
   * @param last the log's last epoch and what it says of the changelogs; undefined when a new history begins
   * @returns the stores that begin empty because their format has changed
   * @throws StreamError STATE_MISMATCH when a store's bytes were written in another format than they would be read in,
   * unless those are to be reset; or when the partitions of a changelog have changed (E11)
   */
  async restore(
    backend: StateBackend,
    last: { readonly epoch: number; readonly changelogs: SavedChangelogs } | undefined,
    clock: Clock,
    tell: (progress: RestoreProgress) => void,
  ): Promise<readonly string[]> {
    const changed = this.#changedFormats(last?.changelogs)
    const topics = new Set(this.stores.map(({ topic }) => topic))
    this.#leftBehind = Object.fromEntries(
      Object.entries(last?.changelogs ?? {}).filter(([topic]) => !topics.has(topic)),
    )
    const bounds = new Map<string, Bounds>()
    for (const { topic } of this.stores) bounds.set(topic, await this.internal.bounds(topic))
    for (const [topic, partitions] of bounds) {
      const starts = changed.has(topic) ? undefined : last?.changelogs[topic]?.from
      checkPartitions(topic, partitions.length, starts?.length)
      // A store that the last epoch did not know begins where its changelog ends.
      this.#from.set(
        topic,
        partitions.map(({ start, end }, i) => (starts === undefined ? end : Math.max(start, starts[i] ?? 0))),
      )
      this.#ends.set(
        topic,
        partitions.map(({ end }) => end),
      )
    }
    if (last === undefined) {
      if (backend.committedEpoch !== undefined || backend.names('').length > 0) await backend.reset()
      return []
    }
    const usable = changed.size === 0 && this.#isUsable(backend, last.epoch, bounds)
    if (!usable) await backend.reset()
    const known = usable ? backend.changelogEnds : new Map<string, readonly number[]>()
    const waiting = [...this.stores]
    const worker = async () => {
      for (let store = waiting.shift(); store !== undefined; store = waiting.shift()) {
        await this.#restoreStore(backend, store, known.get(store.topic), clock, tell)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, worker))
    await backend.commit(last.epoch, [], this.#ends)
    return [...changed.values()]
  }

  /** Changelogs that the last epoch went on with and this topology does not: of stores renamed, or taken out. */
  get leftBehind(): readonly string[] {
    return Object.entries(this.#leftBehind).flatMap(([topic, { unused }]) => (unused ? [] : [topic]))
  }

  /** An epoch's changes as records of their changelogs. Packed, because they live as long as its commit. */
  outputs(changes: readonly StoreChanges[], timestamp: number): PackedOutputs {
    const outputs = new PackedOutputs()
    for (const { store: byteStore, entries } of changes) {
      const store = this.#byOwner.get(ownerOf(byteStore))
      if (store === undefined) continue
      for (const entry of entries) {
        const output = toChangelog(store, byteStore, entry, timestamp)
        if (output !== undefined) outputs.add(output)
      }
    }
    return outputs
  }

  /**
   * Where the changelogs end once these records are in them, at least: a log may put marks of its own between records.
   * Replaying from there again changes nothing.
   */
  endsWith(outputs: Outputs): ChangelogEnds {
    const ends = new Map<string, number[]>()
    visitOutputs(outputs, ({ topic, partition }) => {
      let known = ends.get(topic)
      if (known === undefined) {
        known = [...(this.#ends.get(topic) ?? [])]
        ends.set(topic, known)
      }
      known[partition] = (known[partition] ?? 0) + 1
    })
    this.#ends = new Map([...this.#ends, ...ends])
    return this.#ends
  }

  /** Owners by topic. */
  #changedFormats(saved: SavedChangelogs | undefined): ReadonlyMap<string, string> {
    const changed = new Map<string, string>()
    for (const { owner, topic, format } of this.stores) {
      const written = saved?.[topic]?.format
      if (written === undefined || written === format) continue
      if (this.onFormatChange === 'refuse') throw otherFormat(owner, topic, written, format)
      changed.set(topic, owner)
    }
    return changed
  }

  /** E11. */
  #isUsable(backend: StateBackend, epoch: number, bounds: ReadonlyMap<string, Bounds>): boolean {
    const { committedEpoch, changelogEnds } = backend
    if (committedEpoch === undefined || committedEpoch > epoch) return false
    return this.stores.every(({ owner, topic }) => {
      const known = changelogEnds.get(topic)
      // One that is new has nothing to lack; of one that was away for some epochs the rows are of some earlier day.
      if (known === undefined) return !backend.names(owner).some((name) => ownerOf(name) === owner)
      const partitions = bounds.get(topic) ?? []
      const starts = this.#from.get(topic) ?? []
      return (
        known.length === partitions.length &&
        known.every((offset, i) => offset >= (starts[i] as number) && offset <= (partitions[i]?.end ?? -1))
      )
    })
  }

  async #restoreStore(
    backend: StateBackend,
    store: LoggedStore,
    known: readonly number[] | undefined,
    clock: Clock,
    tell: (progress: RestoreProgress) => void,
  ): Promise<void> {
    const { owner, topic } = store
    const ends = this.#ends.get(topic) ?? []
    const next = ends.map((_, i) => known?.[i] ?? this.#from.get(topic)?.[i] ?? 0)
    const spans = ends.map((to, partition) => ({ partition, from: next[partition] as number, to }))
    const missing = spans.filter(({ from, to }) => from < to)
    if (missing.length === 0) return
    const started = clock.monotonic()
    let told = started
    let records = 0
    let bytes = 0
    const progress = (now: number) => ({
      owner,
      topic,
      records,
      bytes,
      left: ends.reduce((sum, end, i) => sum + Math.max(0, end - (next[i] as number)), 0),
      elapsedMs: now - started,
    })
    await this.internal.replay(topic, missing, async (partition, batch, nextOffset) => {
      await backend.restore(batch.map((record) => fromChangelog(store, record)))
      next[partition] = nextOffset
      records += batch.length
      for (const { key, value } of batch) bytes += (key?.length ?? 0) + (value?.length ?? 0)
      const now = clock.monotonic()
      if (now - told < TELL_EVERY_MS) return
      told = now
      tell(progress(now))
    })
    tell(progress(clock.monotonic()))
  }
}

type Bounds = readonly { readonly start: number; readonly end: number }[]

function otherFormat(owner: string, topic: string, written: string, format: string): StreamError {
  return new StreamError(
    `The state of "${owner}" in "${topic}" was written as ${written}, and this topology reads ${format}. To go on would ` +
      'read its bytes as something else. Declare what wrote it, rename the store, reset the application to begin anew, or ' +
      'let such stores begin empty with state.format-change: reset.',
    { code: 'STATE_MISMATCH', kind: 'operational', retriable: false, context: { store: owner, topic } },
  )
}

function checkPartitions(topic: string, partitions: number, recorded: number | undefined): void {
  if (recorded === undefined || recorded === partitions) return
  throw new StreamError(
    `The changelog "${topic}" had ${recorded} partitions when the last epoch ended, and has ${partitions} now, so its keys ` +
      'would lie in two places. Bring the topic back as it was, or reset the application to begin anew.',
    { code: 'STATE_MISMATCH', kind: 'operational', retriable: false, context: { topic } },
  )
}
