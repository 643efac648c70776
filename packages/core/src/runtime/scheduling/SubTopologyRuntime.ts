import { RingQueue } from '../../lanes/RingQueue.js'
import type { CompiledSubTopology } from '../../topology/CompiledTopology.js'
import type { Punctuation } from '../firing/Punctuation.js'
import type { NodeRuntime } from '../nodes/NodeRuntime.js'
import type { WorkItem } from '../nodes/WorkItem.js'
import type { Lane } from './Lane.js'

/** What waits on one lane for one sub-topology. Source and boundary items apart, so that a cut can drain the latter (E8). */
export class LaneQueue {
  readonly fromSource = new RingQueue<WorkItem>()
  readonly fromBoundary = new RingQueue<WorkItem>()

  get length(): number {
    return this.fromSource.length + this.fromBoundary.length
  }

  /** The item that came first; in a cut only boundary items count. */
  shift(boundaryOnly: boolean): WorkItem | undefined {
    return this.#first(boundaryOnly)?.shift()
  }

  /** What `shift` would take. */
  peek(boundaryOnly: boolean): WorkItem | undefined {
    return this.#first(boundaryOnly)?.peek()
  }

  #first(boundaryOnly: boolean): RingQueue<WorkItem> | undefined {
    const boundary = this.fromBoundary.peek()
    const source = boundaryOnly ? undefined : this.fromSource.peek()
    if (boundary === undefined) return source === undefined ? undefined : this.fromSource
    return source !== undefined && source.order < boundary.order ? this.fromSource : this.fromBoundary
  }
}

/** A sub-topology at work: its nodes, its queue on each lane, its counters. */
export class SubTopologyRuntime {
  readonly nodes: NodeRuntime[] = []
  /** Nodes that have keyed timers, in topological order. */
  readonly timerNodes: NodeRuntime[] = []
  readonly queues: readonly LaneQueue[]
  /** The lanes that serve it, one a running lane; may be shared with others (L1). */
  lanes: readonly Lane[] = []
  /** Sub-topologies that it feeds. */
  readonly downstream: SubTopologyRuntime[] = []
  readonly upstream: SubTopologyRuntime[] = []
  /** How many of its queues are over capacity: while there are any, what feeds it starts nothing new (L7). */
  overCapacity = 0
  /** Null keys go round (L3). */
  #next = 0
  #order = 0
  /** How many schedules its processors have, over all lanes (W5). */
  scheduled = 0
  readonly #punctuations: Punctuation[][]
  readonly processed: Float64Array
  readonly timersFired: Float64Array

  constructor(
    readonly compiled: CompiledSubTopology,
    /** Lanes that run; in the test driver one, whatever the topology says (A6). */
    readonly runningLanes: number,
    readonly capacity: number,
  ) {
    this.queues = Array.from({ length: runningLanes }, () => new LaneQueue())
    this.#punctuations = Array.from({ length: runningLanes }, () => [])
    this.processed = new Float64Array(runningLanes)
    this.timersFired = new Float64Array(runningLanes)
  }

  get index(): number {
    return this.compiled.index
  }

  /** The lane count that keys are hashed over (L5, A6). */
  get laneCount(): number {
    return this.compiled.laneCount
  }

  /** The schedules of a lane's processors, in the order in which they were made. */
  punctuations(running: number): readonly Punctuation[] {
    return this.#punctuations[running] as Punctuation[]
  }

  addPunctuation(running: number, punctuation: Punctuation): void {
    this.#punctuations[running]?.push(punctuation)
    this.scheduled++
  }

  /** Forgets the schedules of a lane that were cancelled. */
  dropCancelled(running: number): void {
    const kept = this.punctuations(running)
    if (!kept.some(({ cancelled }) => cancelled)) return
    const left = kept.filter(({ cancelled }) => !cancelled)
    this.scheduled -= kept.length - left.length
    this.#punctuations[running] = left
  }

  /** The lane of the next record with a null key (L3). */
  nextLane(): number {
    const lane = this.#next
    this.#next = (lane + 1) % this.laneCount
    return lane
  }

  /** The running lane of a lane. */
  running(lane: number): number {
    return this.runningLanes === 1 ? 0 : lane
  }

  /** Whether a source item for this lane fits (L7). */
  hasRoom(running: number): boolean {
    return (this.queues[running] as LaneQueue).length < this.capacity
  }

  enqueue(item: WorkItem, running: number, boundary: boolean): void {
    const queue = this.queues[running] as LaneQueue
    const target = boundary ? queue.fromBoundary : queue.fromSource
    item.order = this.#order++
    target.push(item)
    if (queue.length === this.capacity + 1) this.overCapacity++
  }

  /** @returns the next item of a lane, or undefined; tells whether back-pressure on upstream ends by taking it */
  shift(running: number, boundaryOnly: boolean): WorkItem | undefined {
    const queue = this.queues[running] as LaneQueue
    const item = queue.shift(boundaryOnly)
    if (item !== undefined && queue.length === this.capacity) {
      this.overCapacity--
      if (this.overCapacity === 0) for (const feeder of this.upstream) for (const lane of feeder.lanes) lane.makeReady()
    }
    return item
  }

  /** Whether an item for this lane would run next and alone: nothing waits before it, and nothing may fire before it. */
  isIdle(running: number): boolean {
    if (this.timerNodes.length > 0 || this.scheduled > 0) return false
    return (this.queues[running] as LaneQueue).length === 0 && this.mayStart
  }

  /** Whether it may start an item: nothing that it feeds is over capacity (L7). */
  get mayStart(): boolean {
    for (const fed of this.downstream) if (fed.overCapacity > 0) return false
    return true
  }
}
