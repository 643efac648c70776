import type { WorkItem } from '../nodes/WorkItem.js'
import { SourceRecord } from '../reading/SourceRecord.js'
import type { LaneQueue, SubTopologyRuntime } from './SubTopologyRuntime.js'

/** What a lane asks of the runner that owns it. */
export interface LaneHost {
  /** Whether items may be started at all: false once the run has failed. */
  readonly halted: boolean
  /** A cut is under way: only boundary items, and the timers before them, run (E8). */
  readonly cutting: boolean
  /** Takes the next due timer of this lane, if it may fire now (T5); `wait`: nothing may start before it, nor it now (E4). */
  takeDueTimer(lane: Lane, subTopology: SubTopologyRuntime, recordsWait: boolean): WorkItem | 'wait' | undefined
  /** Takes what a schedule of this lane's processors is to do now (W5). It may hold the lane instead. */
  takeDuePunctuation(lane: Lane, subTopology: SubTopologyRuntime): WorkItem | undefined
  /** A lane that is held has nothing in flight any more. */
  atRest(): void
  /** Runs an item to its end. @returns a promise only when it is asynchronous */
  run(item: WorkItem, lane: Lane): void | Promise<void>
  /** The item has settled: progress, clocks, counters. `atOnce`: without a promise, and so nobody holds it. */
  finished(item: WorkItem, lane: Lane, atOnce?: boolean): void
  failed(error: unknown, item?: WorkItem, lane?: Lane): void
  /** An item that has waited for a promise is over; told before `finished` or `failed`. @param tookMs monotonic ms */
  awaited(item: WorkItem, lane: Lane, tookMs: number): void
  /** The lane has something to do and nobody is running it. */
  ready(lane: Lane): void
  /** Monotonic ms. */
  monotonic(): number
  /** Whether this macrotask has lasted long enough (L12). */
  overBudget(): boolean
  /** Runs the lane again in a later macrotask. */
  defer(lane: Lane): void
}

/**
 * One lane's turn (L1): one callback at a time. Sub-topologies that share a store share it; the most downstream
 * queue is served first, so that the last one always drains (L7).
 */
export class Lane {
  /** The item whose callback is pending; undefined when idle or synchronous. */
  current: WorkItem | undefined
  /** Monotonic time since which `current` has been pending. */
  pendingSince = 0
  busyMs = 0
  /** While it is held it starts nothing but `first` (W5). */
  held = false
  first: WorkItem | undefined
  #running = false
  #ready = false

  constructor(
    readonly index: number,
    /** Most downstream first. */
    readonly subTopologies: readonly SubTopologyRuntime[],
    private readonly host: LaneHost,
  ) {}

  /** Whether a callback is in flight. */
  get busy(): boolean {
    return this.current !== undefined || this.#running
  }

  makeReady(): void {
    if (this.#ready || this.#running || this.current !== undefined) return
    this.#ready = true
    this.host.ready(this)
  }

  /**
   * Whether an item may be run past the queue (`runAtOnce`) with the same outcome as through it: nobody runs this lane,
   * is about to, or holds it; no item waits on it in any sub-topology; and none of them has timers or schedules, which
   * could come before the item (T5, W5).
   */
  get isIdle(): boolean {
    if (this.#running || this.#ready || this.held || this.current !== undefined) return false
    if (this.host.halted || this.host.cutting) return false
    for (const subTopology of this.subTopologies) if (!subTopology.isIdle(this.index)) return false
    return true
  }

  /**
   * Runs an item on a lane that `isIdle`, without queueing it.
   *
   * @returns whether it has run to its end: false when it waits for a promise or has failed
   */
  runAtOnce(item: WorkItem): boolean {
    let running: WorkItem | undefined = item
    this.#running = true
    try {
      const settling = this.host.run(item, this)
      if (settling !== undefined) this.#await(item, settling)
      running = undefined
      if (settling === undefined) {
        this.host.finished(item, this)
        return true
      }
    } catch (error) {
      this.host.failed(error, running, this)
    } finally {
      this.#running = false
      // What the item has queued on its own lane, or has scheduled there.
      if (this.#mayHaveMore()) this.makeReady()
    }
    return false
  }

  /** Runs what is due until the lane is empty, waits for a promise, or the macrotask is over budget. */
  work(): void {
    this.#ready = false
    if (this.#running || this.current !== undefined) return
    this.#running = true
    let again = false
    let item: WorkItem | undefined
    try {
      while (!this.host.halted) {
        item = this.#next()
        if (item === undefined) break
        const settling = this.host.run(item, this)
        if (settling !== undefined) {
          this.#await(item, settling)
          break
        }
        const done = item
        item = undefined
        this.host.finished(done, this, true)
        if (this.host.overBudget()) {
          again = this.#mayHaveMore()
          break
        }
      }
    } catch (error) {
      this.host.failed(error, item, this)
      again = !this.host.halted
    } finally {
      this.#running = false
    }
    if (again) this.host.defer(this)
    if (this.held) this.host.atRest()
  }

  #await(item: WorkItem, settling: Promise<void>): void {
    this.current = item
    this.pendingSince = this.host.monotonic()
    settling.then(
      () => this.#settled(item, () => this.host.finished(item, this)),
      (error: unknown) => this.#settled(item, () => this.host.failed(error, item, this)),
    )
  }

  #settled(item: WorkItem, tell: () => void): void {
    const tookMs = this.host.monotonic() - this.pendingSince
    this.current = undefined
    this.busyMs += tookMs
    try {
      this.host.awaited(item, this, tookMs)
      tell()
    } catch (error) {
      // Nobody awaits this promise: what goes wrong here must still end the run.
      this.host.failed(error)
    }
    // Promises that settle one after the other in one macrotask are synchronous work to everybody else (L12).
    if (this.#mayHaveMore() && this.host.overBudget()) this.host.defer(this)
    else this.makeReady()
  }

  #mayHaveMore(): boolean {
    for (const { queues, timerNodes, scheduled } of this.subTopologies) {
      if (timerNodes.length > 0 || scheduled > 0 || (queues[this.index] as LaneQueue).length > 0) return true
    }
    return false
  }

  /** Timers that are due come before the lane's next record (T5); a record gets through after a bounded number of new ones. */
  #next(): WorkItem | undefined {
    if (this.held) return this.#takeFirst()
    const { cutting } = this.host
    let first: SubTopologyRuntime | undefined
    let firstRead = Number.POSITIVE_INFINITY
    for (const subTopology of this.subTopologies) {
      const queue = subTopology.queues[this.index] as LaneQueue
      if (cutting && queue.fromBoundary.length === 0) continue
      if (!subTopology.mayStart) continue
      if (subTopology.timerNodes.length > 0) {
        const timer = this.host.takeDueTimer(this, subTopology, queue.length > 0)
        if (timer === 'wait') return undefined
        if (timer !== undefined) return timer
      }
      if (subTopology.scheduled > 0 && !cutting) {
        const due = this.host.takeDuePunctuation(this, subTopology)
        if (due !== undefined || this.held) return due
      }
      const head = queue.peek(cutting)
      if (head === undefined) continue
      const read = readOrderOf(head)
      if (first !== undefined && read >= firstRead) continue
      first = subTopology
      firstRead = read
    }
    return first?.shift(this.index, cutting)
  }

  #takeFirst(): WorkItem | undefined {
    const item = this.first
    this.first = undefined
    return item
  }
}

/**
 * Sub-topologies that share a store take records in the order in which they were read (W4): a row of a table before what
 * was read after it and looks it up. What has crossed a boundary does not wait, nor does what comes from no record, a
 * timer's say: the result of a join that waited while a newer row went by would be the last word (L7).
 */
function readOrderOf({ coordinates, progress }: WorkItem): number {
  return progress !== null && coordinates instanceof SourceRecord ? coordinates.readOrder : -1
}
