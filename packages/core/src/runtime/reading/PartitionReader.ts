import { laneOf } from '../../lanes/murmur3.js'
import { keyText } from '../../model/keyText.js'
import type { Record } from '../../model/Record.js'
import type { Serde } from '../../serde/Serde.js'
import { string } from '../../serde/string.js'
import type { PartitionClock } from '../clocks/PartitionClock.js'
import type { PartitionProgress } from '../epoch/PartitionProgress.js'
import { TimesByOffset } from '../epoch/TimesByOffset.js'
import { WorkItem } from '../nodes/WorkItem.js'
import type { FetchedBatch, LogRecord } from '../RecordLog.js'
import type { TopologyRunner } from '../TopologyRunner.js'
import type { SourceClocks } from './SourceClocks.js'
import type { SourceGate } from './SourceGate.js'
import { SourceRecord } from './SourceRecord.js'

/** One partition of one source: what was fetched and not yet dispatched, its position and its clock. */
export class PartitionReader {
  #records: readonly LogRecord[] = []
  #index = 0
  /** Batches behind the one being read. */
  readonly #waiting: FetchedBatch[] = []
  #nextOffset: number | undefined
  #buffered = 0
  readonly #byPartition: boolean
  /** The one serde of which it matters that it has read the keys (`WorkItem.keySerde`). */
  readonly #keySerde: Serde<any> | undefined
  #emptySince: number | undefined
  readonly #times: TimesByOffset
  /** Waits for its turn (W4) or for room on its lane (L7), which is settled; its stamp is not. */
  #head: Record<unknown, unknown> | undefined
  #headRaw: LogRecord | undefined
  #headLane = 0
  /** An item that nobody holds any more: the next record gets it. */
  #spare: WorkItem | undefined
  lastStableOffset: number | undefined
  #firstEnd: number | undefined
  /** The offset that the next fetch starts at. */
  fetchedTo: number

  constructor(
    readonly gate: SourceGate,
    readonly clock: PartitionClock,
    readonly progress: PartitionProgress,
    private readonly runner: TopologyRunner,
    private readonly clocks: SourceClocks,
  ) {
    this.fetchedTo = progress.offset
    this.#times = new TimesByOffset(clock.maxTimestamp)
    const { laneBy, keyDeserializer } = gate.node.compiled.source ?? {}
    this.#byPartition = laneBy === 'partition'
    this.#keySerde = keyDeserializer === string ? string : undefined
  }

  /** The highest timestamp below the committed offset, in ms (W6); −1 while unknown. */
  committedTime(): number {
    return this.#times.below(this.progress.offset)
  }

  /** How many fetched records wait here. */
  get buffered(): number {
    return this.#buffered
  }

  get hasBuffered(): boolean {
    return this.#head !== undefined || this.#buffered > 0
  }

  /** Records before the last stable offset that are not done (E13); 0 while unknown. */
  get lag(): number {
    return this.lastStableOffset === undefined ? 0 : Math.max(0, this.lastStableOffset - this.progress.offset)
  }

  /** Everything up to the last stable offset has been handed to the lanes. */
  get isCaughtUp(): boolean {
    return (
      this.lastStableOffset !== undefined &&
      this.fetchedTo >= this.lastStableOffset &&
      this.#head === undefined &&
      this.#buffered === 0
    )
  }

  /** Nothing waits here, though the log is known to have more (W4). */
  get isStarved(): boolean {
    return (
      this.#head === undefined &&
      this.#buffered === 0 &&
      this.lastStableOffset !== undefined &&
      this.fetchedTo < this.lastStableOffset
    )
  }

  /** All that the log held when it was first asked is done. */
  get isLoaded(): boolean {
    return this.#firstEnd !== undefined && this.progress.offset >= this.#firstEnd
  }

  /** How long it has been asked for records in vain, in ms; 0 at the first time. */
  emptyFor(monotonicMs: number): number {
    this.#emptySince ??= monotonicMs
    return monotonicMs - this.#emptySince
  }

  add(batch: FetchedBatch): void {
    if (batch.records.length > 0) this.#emptySince = undefined
    this.fetchedTo = batch.nextOffset
    this.lastStableOffset = batch.lastStableOffset
    this.#firstEnd ??= batch.lastStableOffset
    this.#buffered += batch.records.length
    this.#waiting.push(batch)
    this.#nextBatch()
  }

  /**
   * The next record that may enter, already judged; undefined when none is buffered.
   *
   * @throws StreamError as `SourceGate.admit`
   */
  peek(): Record<unknown, unknown> | undefined {
    while (this.#head === undefined) {
      const raw = this.#records[this.#index]
      if (raw === undefined) {
        if (!this.#nextBatch()) return undefined
        continue
      }
      this.#index++
      this.#buffered--
      this.#head = this.#prepare(raw)
      if (this.#head === undefined) this.#release()
      else this.#headRaw = raw
    }
    return this.#head
  }

  /** The offset of what `peek` gives. */
  get headOffset(): number | undefined {
    return this.#head === undefined ? undefined : this.#headRaw?.offset
  }

  /** Whether the head's lane has room. */
  get fits(): boolean {
    const sub = this.gate.node.subTopology
    return this.#head !== undefined && sub.hasRoom(sub.running(this.#headLane))
  }

  /** Hands the head to its lane and moves the clocks by it. */
  dispatch(): void {
    const record = this.#head
    const raw = this.#headRaw
    if (record === undefined || raw === undefined) return
    this.#head = undefined
    const { offset } = raw
    const source = new SourceRecord(this.clock.topic, this.clock.partition, offset, record.timestamp, raw)
    source.readAs(this.runner.recordsRead++)
    if (this.runner.events.listening('record-dispatched')) this.#tellDispatched(record, source)
    this.progress.begin(offset)
    this.#times.note(offset, record.timestamp)
    this.#release()
    const item = this.#item(record, raw.key, source)
    this.#spare = this.runner.offer(item) ? item : undefined
    // After the offer: now the item holds its stamp, and only what is not done with it keeps the old clock.
    this.clocks.observe(this.clock, source)
  }

  #prepare(raw: LogRecord): Record<unknown, unknown> | undefined {
    if (this.progress.isReread(raw.offset)) {
      this.runner.counters.add('reread_records_total')
      return undefined
    }
    if (this.progress.isDone(raw.offset)) {
      // It moves the clocks again as it did then, and passes no guard a second time (W6).
      const source = this.gate.reread(raw, this.clock)
      if (source !== undefined) {
        this.#times.note(raw.offset, source.timestamp)
        this.clocks.observe(this.clock, source)
      }
      this.progress.skip(raw.offset)
      return undefined
    }
    const admitted = this.gate.admit(raw, this.clock)
    if (admitted === undefined) {
      this.progress.skip(raw.offset)
      this.runner.epoch.records++
      return undefined
    }
    this.#headLane = this.#laneOf(raw.key)
    return admitted
  }

  /** Stamped before the record moves a clock: what was on time when it was read stays so (W3). */
  #item(record: Record<unknown, unknown>, key: Uint8Array | null, source: SourceRecord): WorkItem {
    const stamp = this.runner.clocks.current
    const hashed = key !== null && !this.#byPartition
    const lane = this.#headLane
    if (this.#spare !== undefined) return this.#spare.again(this.gate.node, record, key, hashed, lane, stamp, source)
    const item = new WorkItem(this.gate.node, record, key, hashed, lane, stamp, source, this.progress, undefined)
    item.keySerde = this.#keySerde
    return item
  }

  #laneOf(key: Uint8Array | null): number {
    const sub = this.gate.node.subTopology
    if (this.#byPartition) return this.clock.partition % sub.laneCount
    return key === null ? sub.nextLane() : laneOf(key, sub.laneCount)
  }

  #tellDispatched({ key }: Record<unknown, unknown>, source: SourceRecord): void {
    this.runner.events.emit<'record-dispatched'>({
      type: 'record-dispatched',
      subTopology: this.gate.node.subTopology.index,
      lane: this.#headLane,
      source: this.gate.node.name,
      coordinates: source,
      keyBytes: source.raw.key,
      key: key === null || key === undefined ? null : keyText(key),
    })
  }

  /** Once a batch is used up, what lies behind its last record (markers, compacted gaps) counts as passed. */
  #release(): void {
    if (this.#index < this.#records.length || this.#nextOffset === undefined) return
    this.progress.passed(this.#nextOffset)
    this.#nextOffset = undefined
  }

  #nextBatch(): boolean {
    if (this.#index < this.#records.length || this.#head !== undefined) return false
    const batch = this.#waiting.shift()
    if (batch === undefined) return false
    this.#records = batch.records
    this.#index = 0
    this.#nextOffset = batch.nextOffset
    this.#release()
    return true
  }
}
