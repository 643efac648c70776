import type { RestoreFacts } from '../../events/EngineEvent.js'
import { arePacked } from '../../state/epoch/PackedChanges.js'
import type { ChangelogMark, ChangelogMarks, StateBackend, StoreChanges } from '../../state/StateBackend.js'
import type { Clock } from '../../time/Clock.js'
import type { SavedChangelogs } from '../epoch/EpochRecord.js'
import { PackedOutputs } from '../epoch/PackedOutputs.js'
import { visitOutputs } from '../OutputView.js'
import type { InternalTopics, LogRecord, Outputs, ReplaySpan, TopicTraits } from '../RecordLog.js'
import { checkChangelog, otherFormat } from './changelogErrors.js'
import { addAsStored, fromChangelog, isAsStored, toChangelog } from './changelogRecord.js'
import { isSegment, LiveOffsets } from './LiveOffsets.js'
import { rowsOf, type Unusable, whyUnusable } from './localState.js'
import { type LoggedStore, ownerOf } from './loggedStores.js'
import { RestoreStopped } from './RestoreStopped.js'
import { Restoring, type StoreRestore } from './Restoring.js'

/** Stores that are rebuilt side by side. */
const AT_ONCE = 4
const noTraits: TopicTraits = {}

/** What a restore tells of. */
export interface RestoreReport {
  progress(progress: RestoreFacts): void
  /** Local state of a store is left, and it is rebuilt from the beginning of its changelog. */
  unusable(owner: string, why: string): void
  /** Whether to leave off; asked at each batch of records. */
  isOver?(): boolean
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
  /** By topic, of those whose beginning the engine may delete (E12). */
  readonly #live = new Map<string, LiveOffsets>()
  readonly #starts = new Map<string, readonly number[]>()

  private constructor(
    private readonly internal: InternalTopics,
    private readonly stores: readonly LoggedStore[],
    private readonly traits: ReadonlyMap<string, TopicTraits>,
    private readonly onFormatChange: 'refuse' | 'reset',
  ) {
    this.#byOwner = new Map(stores.map((store) => [store.owner, store]))
    for (const { topic, partitions, isTrimmed } of stores)
      if (isTrimmed) this.#live.set(topic, new LiveOffsets(partitions))
  }

  /**
   * Makes the topics that are missing. One that is there keeps the partitions that it was made with, though the topics
   * that are read may have more by now.
   *
   * @param onFormatChange `state.format-change`
   * @param traitsOf what identifies topics; undefined where the log cannot tell
   */
  static async open(
    internal: InternalTopics,
    stores: readonly LoggedStore[],
    onFormatChange: 'refuse' | 'reset',
    traitsOf: (topics: readonly string[]) => Promise<ReadonlyMap<string, TopicTraits>> | undefined = () => undefined,
  ): Promise<Changelogs> {
    const made: LoggedStore[] = []
    for (const store of stores) {
      made.push({ ...store, partitions: await internal.ensure(store.topic, store.partitions, store.settings) })
    }
    const traits = await traitsOf(made.map(({ topic }) => topic))
    return new Changelogs(internal, made, traits ?? new Map(), onFormatChange)
  }

  /** What the next epoch records say of the changelogs. */
  get saved(): SavedChangelogs {
    const saved: { [topic: string]: SavedChangelogs[string] } = {}
    for (const [topic, left] of Object.entries(this.#leftBehind)) saved[topic] = { ...left, unused: true }
    for (const { topic, format } of this.stores) {
      const { id } = this.#traitsOf(topic)
      const ends = this.#ends.get(topic) ?? []
      saved[topic] = { from: this.#from.get(topic) ?? [], ends, format, ...(id === undefined ? {} : { id }) }
    }
    return saved
  }

  /**
   * Brings the backend to what the log has committed, store by store: by what it lacks where it is an earlier state of
   * this history (E11), else from the beginning into nothing.
   *
   * @param last the log's last epoch and what it says of the changelogs; undefined when a new history begins
   * @returns the stores that begin empty because their format has changed
   * @throws StreamError STATE_MISMATCH when a store's bytes were written in another format than they would be read in,
   * unless those are to be reset; or when a changelog is not what the last epoch wrote to; RestoreStopped
   */
  async restore(
    backend: StateBackend,
    last: { readonly epoch: number; readonly changelogs: SavedChangelogs } | undefined,
    clock: Clock,
    report: RestoreReport,
  ): Promise<readonly string[]> {
    const changed = this.#changedFormats(last?.changelogs)
    const topics = new Set(this.stores.map(({ topic }) => topic))
    this.#leftBehind = Object.fromEntries(
      Object.entries(last?.changelogs ?? {}).filter(([topic]) => !topics.has(topic)),
    )
    const bounds = await this.#findBounds(last?.changelogs, changed)
    if (last === undefined) {
      const hasAny = backend.committedEpoch !== undefined || backend.changelogMarks.size > 0
      if (hasAny || backend.damaged.length > 0 || backend.names('').length > 0) await backend.reset()
      return []
    }
    const now = clock.now()
    const unusable = new Map<string, Unusable>()
    for (const store of this.stores) {
      const { topic } = store
      const from = this.#from.get(topic) ?? []
      const facts = { bounds: bounds.get(topic) ?? [], from, traits: this.#traitsOf(topic), lastEpoch: last.epoch, now }
      const found = changed.has(topic)
        ? { why: 'its format has changed', hasRows: true }
        : whyUnusable(backend, store, facts)
      if (found === undefined) continue
      unusable.set(topic, found)
      if (found.hasRows && !changed.has(topic)) report.unusable(store.owner, found.why)
    }
    const marks = new Map([...backend.changelogMarks].filter(([topic]) => topics.has(topic) && !unusable.has(topic)))
    await this.#clear(backend, last.epoch, unusable, marks)
    for (const [topic, live] of this.#live) live.restore(marks.get(topic)?.live)
    await this.#fill(backend, last.epoch, marks, report, new Restoring(clock, (progress) => report.progress(progress)))
    this.#settleLive(backend)
    await backend.commit(last.epoch, [], this.marks(last.epoch, clock.now()))
    return [...changed.values()]
  }

  /** Changelogs that the last epoch went on with and this topology does not: of stores renamed, or taken out. */
  get leftBehind(): readonly string[] {
    return Object.entries(this.#leftBehind).flatMap(([topic, { unused }]) => (unused ? [] : [topic]))
  }

  /**
   * An epoch's changes as records of their changelogs. Packed, because they live as long as its commit.
   *
   * @param before what the changes are to be made to
   */
  outputs(changes: readonly StoreChanges[], timestamp: number, before: Pick<StateBackend, 'open'>): PackedOutputs {
    const outputs = new PackedOutputs()
    for (const { store: byteStore, cleared, entries } of changes) {
      const store = this.#byOwner.get(ownerOf(byteStore))
      if (store === undefined) continue
      const live = this.#live.get(store.topic)
      const part = byteStore.slice(store.owner.length)
      const ends = this.#ends.get(store.topic) ?? []
      if (cleared) live?.dropped(part)
      if (cleared && store.buriesRows) {
        for (const [row] of before.open(byteStore).range()) {
          const output = toChangelog(store, byteStore, [row, undefined], timestamp)
          if (output !== undefined) outputs.add(output)
        }
      }
      if (live === undefined && isAsStored(store, part) && arePacked(entries)) {
        addAsStored(outputs, store, entries, timestamp)
        continue
      }
      for (const entry of entries) {
        const output = toChangelog(store, byteStore, entry, timestamp)
        if (output === undefined) continue
        outputs.add(output)
        live?.wrote(part, entry[0], entry[1] === undefined, output.partition, ends[output.partition] ?? 0)
      }
    }
    return outputs
  }

  /**
   * Takes note of where the changelogs end once these records are in them, at least: a log may put marks of its own
   * between records. Replaying from there again changes nothing.
   */
  grow(outputs: Outputs): void {
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
  }

  /**
   * What local state of this epoch is stamped with.
   *
   * @param at wall clock in ms, when it is level with the log
   */
  marks(epoch: number, at: number): ChangelogMarks {
    const marks = new Map<string, ChangelogMark>()
    for (const { topic } of this.stores) {
      const { id } = this.#traitsOf(topic)
      const live = this.#live.get(topic)
      marks.set(topic, {
        ends: this.#ends.get(topic) ?? [],
        epoch,
        at,
        ...(id === undefined ? {} : { topicId: id }),
        ...(live === undefined ? {} : { live: live.saved }),
      })
    }
    return marks
  }

  /** By changelog the lowest offset that is needed in each partition, once what is noted by now is committed (E12). */
  get needed(): ReadonlyMap<string, readonly number[]> {
    return new Map([...this.#live].map(([topic, live]) => [topic, live.needed(this.#ends.get(topic) ?? [])]))
  }

  /** Where the changelogs began at the restore, of those whose beginning may be deleted. */
  get starts(): ReadonlyMap<string, readonly number[]> {
    return this.#starts
  }

  /** The log says that a changelog ends there by now: what is cut later lies behind. */
  raise(topic: string, ends: readonly number[]): void {
    const known = this.#ends.get(topic) ?? []
    this.#ends = new Map([...this.#ends, [topic, ends.map((end, i) => Math.max(end, known[i] ?? 0))]])
  }

  #traitsOf(topic: string): TopicTraits {
    return this.traits.get(topic) ?? noTraits
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

  /** Reads where each changelog begins and ends, and settles from where to where its history goes. */
  async #findBounds(
    saved: SavedChangelogs | undefined,
    changed: ReadonlyMap<string, string>,
  ): Promise<ReadonlyMap<string, Bounds>> {
    const all = new Map<string, Bounds>()
    for (const store of this.stores) {
      const { topic } = store
      const bounds = await this.internal.bounds(topic)
      all.set(topic, bounds)
      if (store.isTrimmed) {
        this.#starts.set(
          topic,
          bounds.map(({ start }) => start),
        )
      }
      const known = changed.has(topic) ? undefined : saved?.[topic]
      checkChangelog(store, bounds, this.#traitsOf(topic), known)
      // A store that the last epoch did not know begins where its changelog ends.
      const from = bounds.map(({ start, end }, i) => (known === undefined ? end : Math.max(start, known.from[i] ?? 0)))
      this.#from.set(topic, from)
      this.#ends.set(
        topic,
        bounds.map(({ end }) => end),
      )
    }
    return all
  }

  /** Empties what is rebuilt, and what no changelog can bring to the last epoch though it is not known to be of it. */
  async #clear(
    backend: StateBackend,
    lastEpoch: number,
    unusable: ReadonlyMap<string, Unusable>,
    marks: ChangelogMarks,
  ): Promise<void> {
    const names = new Set(backend.damaged)
    for (const { owner, topic } of this.stores) {
      if (unusable.has(topic)) for (const name of rowsOf(backend, owner)) names.add(name)
    }
    const { committedEpoch } = backend
    const isStrange = [...unusable.values()].some((found) => found.isStrange)
    if (committedEpoch === undefined || committedEpoch > lastEpoch || isStrange) {
      for (const name of backend.names('')) if (!this.#byOwner.has(ownerOf(name))) names.add(name)
    }
    if (names.size === 0) return
    await backend.restore(
      [...names].map((store) => ({ store, cleared: true, entries: [] })),
      marks,
    )
  }

  async #fill(
    backend: StateBackend,
    lastEpoch: number,
    marks: ChangelogMarks,
    report: RestoreReport,
    restoring: Restoring,
  ): Promise<void> {
    const waiting: Gap[] = []
    for (const store of this.stores) {
      const { topic, owner } = store
      const mark = marks.get(topic)
      // Behind the last epoch's records are markers alone, and what was aborted.
      if (mark?.epoch === lastEpoch) continue
      const known = mark?.ends
      const ends = this.#ends.get(topic) ?? []
      const spans = ends
        .map((to, partition) => ({
          partition,
          from: known?.[partition] ?? this.#from.get(topic)?.[partition] ?? 0,
          to,
        }))
        .filter(({ from, to }) => from < to)
      if (spans.length === 0) continue
      const left = spans.reduce((sum, { from, to }) => sum + to - from, 0)
      waiting.push({ store, spans, counts: restoring.add(owner, topic, left) })
    }
    const worker = async () => {
      for (let gap = waiting.shift(); gap !== undefined; gap = waiting.shift()) {
        await this.#fillOne(backend, gap, marks, report)
      }
    }
    const ended = await Promise.allSettled(Array.from({ length: AT_ONCE }, worker))
    // Whoever goes on after a failure finds nobody at work on the backend.
    for (const end of ended) if (end.status === 'rejected') throw end.reason
  }

  async #fillOne(
    backend: StateBackend,
    { store, spans, counts }: Gap,
    marks: ChangelogMarks,
    report: RestoreReport,
  ): Promise<void> {
    const next = new Map(spans.map(({ partition, from }) => [partition, from]))
    counts.begin()
    await this.internal.replay(store.topic, spans, async (partition, batch, nextOffset) => {
      if (report.isOver?.()) throw new RestoreStopped()
      const changes = batch.map((record) => fromChangelog(store, record))
      await backend.restore(changes, marks)
      this.#noteReplayed(store, partition, batch, changes)
      const bytes = batch.reduce((sum, { key, value }) => sum + (key?.length ?? 0) + (value?.length ?? 0), 0)
      counts.took(batch.length, bytes, nextOffset - (next.get(partition) ?? nextOffset))
      next.set(partition, nextOffset)
    })
    counts.end()
  }

  #noteReplayed(
    { owner, topic }: LoggedStore,
    partition: number,
    batch: readonly LogRecord[],
    changes: readonly StoreChanges[],
  ): void {
    const live = this.#live.get(topic)
    if (live === undefined) return
    for (const [i, { offset }] of batch.entries()) {
      const { store, entries } = changes[i] as StoreChanges
      for (const [key, value] of entries) {
        live.wrote(store.slice(owner.length), key, value === undefined, partition, offset)
      }
    }
  }

  /** What has no rows any more needs nothing; of rows that nothing is known of, all may be needed. */
  #settleLive(backend: StateBackend): void {
    for (const { owner, topic } of this.stores) {
      const live = this.#live.get(topic)
      if (live === undefined) continue
      const segments = rowsOf(backend, owner)
        .map((name) => name.slice(owner.length))
        .filter(isSegment)
      live.keep(new Set(segments))
      for (const segment of segments) live.assume(segment, this.#starts.get(topic) ?? [])
    }
  }
}

/** What one store lacks. */
interface Gap {
  readonly store: LoggedStore
  readonly spans: readonly ReplaySpan[]
  readonly counts: StoreRestore
}

type Bounds = readonly { readonly start: number; readonly end: number }[]
