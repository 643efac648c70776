import { StaleIncarnationError } from '../errors/index.js'
import type { DropReason, SilentLossReason } from '../events/EngineEvent.js'
import type { EventHub } from '../events/EventHub.js'
import { RingQueue } from '../lanes/RingQueue.js'
import type { Record, RecordCoordinates } from '../model/Record.js'
import type { PunctuationType, Punctuator } from '../processor/contexts.js'
import type { ScheduleOptions } from '../processor/OperatorContext.js'
import type { StoreInstance } from '../state/StoreBuilder.js'
import type { Cancellable, Clock } from '../time/Clock.js'
import type { Random } from '../time/Random.js'
import type { TimerRegistration, TimerTarget } from '../timers/Timer.js'
import type { CompiledBoundary, CompiledNode, CompiledTopology } from '../topology/CompiledTopology.js'
import type { EngineConfig } from '../topology/EngineConfig.js'
import { type Assembly, assemble } from './assembly/assemble.js'
import { equip } from './assembly/equip.js'
import { restoreClocks } from './assembly/restoreClocks.js'
import { Counters } from './Counters.js'
import type { ClockBoard } from './clocks/ClockBoard.js'
import { EngineLog } from './EngineLog.js'
import { EpochBuffer, type FinishedEpoch } from './epoch/EpochBuffer.js'
import type { SavedClocks } from './epoch/EpochRecord.js'
import { PunctuationDesk, type PunctuationHost } from './firing/PunctuationDesk.js'
import { TimerDesk, type TimerDeskHost } from './firing/TimerDesk.js'
import { ErrorGates } from './gates/ErrorGates.js'
import { keyOf } from './inspection/takeSnapshot.js'
import { Losses } from './Losses.js'
import { Crossings } from './nodes/Crossings.js'
import type { NodeHost, NodeInstance } from './nodes/NodeInstance.js'
import type { ChildLink, NodeRuntime } from './nodes/NodeRuntime.js'
import { type FlowHost, RecordFlow } from './nodes/RecordFlow.js'
import type { WorkItem } from './nodes/WorkItem.js'
import type { RunnerOptions } from './RunnerOptions.js'
import { Budget } from './scheduling/Budget.js'
import { earlier } from './scheduling/earlier.js'
import type { Lane, LaneHost } from './scheduling/Lane.js'
import type { SubTopologyRuntime } from './scheduling/SubTopologyRuntime.js'

/**
 * A topology at work: lanes, timers, clocks, stores, outputs. It knows no log and no loop:
 * the engine and the test driver feed it records and take its epochs.
 */
export class TopologyRunner implements LaneHost, NodeHost, TimerDeskHost, PunctuationHost, FlowHost {
  readonly config: EngineConfig
  readonly clock: Clock
  readonly random: Random
  readonly events: EventHub
  readonly counters: Counters
  readonly log: EngineLog
  readonly losses: Losses
  readonly gates: ErrorGates
  readonly epoch = new EpochBuffer()
  readonly stores = new Map<string, StoreInstance<unknown, unknown>>()
  readonly budget: Budget
  readonly timers: TimerDesk
  readonly punctuations: PunctuationDesk
  /** Writes into the open epoch what is kept in memory meanwhile: called before each cut. */
  readonly beforeCut: (() => void)[] = []
  /** Bytes of what waits at boundaries, about: it was read, and is not done (E3). */
  waitingBytes = 0
  readonly isKafkasDriver: boolean
  readonly #crossings = new Crossings()
  /** How many records of sources have been handed to lanes. */
  recordsRead = 0
  readonly #assembly: Assembly
  readonly #abort = new AbortController()
  readonly #ready = new RingQueue<Lane>()
  #draining = false
  /** No lane runs before the next macrotask (L12). */
  #resting = false
  /** An item has finished, and `onProgress` has not been told. */
  #progressed = false
  #halted = false
  #cutting = false
  /** Of the callbacks that the cut under way has waited for. */
  #slowest: FinishedEpoch['slowest']
  #onQuiet: (() => void) | undefined
  readonly #flow: RecordFlow

  constructor(readonly options: RunnerOptions) {
    this.config = options.config
    this.clock = options.clock
    this.random = options.random
    this.events = options.events
    this.isKafkasDriver = options.driver && options.config.compat === 'kafka-streams'
    this.log = new EngineLog(options.events, options.clock)
    this.counters = options.counters ?? new Counters()
    this.losses = new Losses((counter) => this.count(counter), this.log, options.events)
    this.budget = new Budget(options.clock)
    this.gates = new ErrorGates({
      config: this.config,
      topics: options.topics,
      isGlobal: (node) => isGlobal(options.compiled, node),
      emitOutput: (output) => this.epoch.output(output),
      dropped: (reason, node, coordinates, detail, lane) =>
        this.losses.dropped(reason, node, coordinates, detail, lane),
    })
    const oneClock = options.driver && this.config['time.mode'] === 'stream-time'
    this.#assembly = assemble(options.compiled, this.config['lanes.queue-capacity'], this, options.driver, oneClock)
    this.timers = new TimerDesk(this)
    this.punctuations = new PunctuationDesk(this)
    this.#flow = new RecordFlow(this)
  }

  /**
   * Gives the nodes their stores, timers and processors, as the last commit left them: before anything runs or
   * fires (T8).
   *
   * @param saved the clocks to go on from (W6); undefined at the first start
   */
  equip(saved?: SavedClocks): void {
    if (saved !== undefined) restoreClocks(this, saved)
    equip(this, this.#assembly, saved)
  }

  /** Whether the time of each record that reaches a node moves its clock at once: the driver under `stream-time` (W2). */
  get clocksFollowRecords(): boolean {
    return this.options.driver && this.config['time.mode'] === 'stream-time'
  }

  get applicationId(): string {
    return this.config['application.id']
  }

  get nodes(): ReadonlyMap<string, NodeRuntime> {
    return this.#assembly.nodes
  }

  get subTopologies(): readonly SubTopologyRuntime[] {
    return this.#assembly.subTopologies
  }

  get lanes(): readonly Lane[] {
    return this.#assembly.lanes
  }

  get clocks(): ClockBoard {
    return this.#assembly.clocks
  }

  get clockGroups(): readonly (readonly string[])[] {
    return this.#assembly.clockGroups
  }

  /** Clock groups that the ticks of each scheduled source move (W2). */
  get tickedGroups(): ReadonlyMap<string, readonly number[]> {
    return this.#assembly.tickedGroups
  }

  get emulatesKafka(): boolean {
    return this.config.compat === 'kafka-streams'
  }

  get halted(): boolean {
    return this.#halted
  }

  get cutting(): boolean {
    return this.#cutting
  }

  stale(node: string, lane: number): StaleIncarnationError {
    this.counters.add('stale_calls_total')
    return new StaleIncarnationError({ node, lane })
  }

  get signal(): AbortSignal {
    return this.#abort.signal
  }

  async init(): Promise<void> {
    for (const node of this.nodes.values()) for (const instance of node.instances) await instance.init()
    this.punctuations.open()
  }

  /** Ends this incarnation: nothing starts any more, `ctx.signal` aborts, processors close. */
  async close(): Promise<void> {
    this.#halted = true
    this.#abort.abort()
    const problems: unknown[] = []
    for (const node of this.nodes.values()) {
      for (const instance of node.instances) await instance.close().catch((error: unknown) => problems.push(error))
    }
    if (problems.length > 1) throw new AggregateError(problems, problems.map(messageOf).join('; '))
    if (problems.length === 1) throw problems[0]
  }

  // ---- items ---------------------------------------------------------------------------------

  /**
   * Puts a source record on its lane and runs what can be run at once. The caller has checked that it fits (L7). On a
   * lane that is idle it runs without being queued: that is what synchronous topologies live on (L8).
   *
   * @returns whether it has run to its end, and so nobody holds the item any more: what waits for a promise keeps it
   */
  offer(item: WorkItem): boolean {
    const sub = item.entry.subTopology
    const lane = sub.lanes[sub.running(item.lane)] as Lane
    if (this.#draining || !lane.isIdle) {
      this.enqueue(item, sub, false)
      this.drain()
      return false
    }
    this.clocks.hold(item.stamp, sub.index)
    this.#draining = true
    let done: boolean
    try {
      done = lane.runAtOnce(item)
    } finally {
      this.#draining = false
    }
    this.drain()
    return done
  }

  /** Runs the lanes that have something to do, until this macrotask has lasted long enough. */
  drain(): void {
    if (this.#draining || this.#resting) return
    this.#draining = true
    try {
      while (!this.#resting) {
        const lane = this.#ready.shift()
        if (lane === undefined) break
        lane.work()
      }
    } finally {
      this.#draining = false
    }
    this.#told()
  }

  ready(lane: Lane): void {
    this.#ready.push(lane)
    this.drain()
  }

  monotonic(): number {
    return this.clock.monotonic()
  }

  overBudget(): boolean {
    return this.budget.isSpent()
  }

  /** All lanes wait with this one, which is served last then: one macrotask after the other would be one each (L12). */
  defer(lane: Lane): void {
    const resting = this.#resting
    this.#resting = true
    lane.makeReady()
    if (resting) return
    // Nobody awaits the lanes' next turn: what goes wrong in it arrives at `failed`.
    void this.clock.yield().then(() => {
      this.#resting = false
      this.budget.begin()
      this.drain()
    })
  }

  run(item: WorkItem, lane: Lane): void | Promise<void> {
    this.waitingBytes -= item.waitingBytes
    item.waitingBytes = 0
    return this.#flow.run(item, lane)
  }

  deliver(
    from: NodeRuntime,
    link: ChildLink,
    record: Record<unknown, unknown>,
    item: WorkItem,
    lane: Lane,
  ): void | Promise<void> {
    return this.#flow.deliver(from, link, record, item, lane)
  }

  deliverOnLaneOf(
    laneBytes: Uint8Array,
    from: NodeRuntime,
    link: ChildLink,
    record: Record<unknown, unknown>,
    item: WorkItem,
    lane: Lane,
  ): void | Promise<void> {
    return this.#flow.deliverOnLaneOf(laneBytes, from, link, record, item, lane)
  }

  finished(item: WorkItem, lane: Lane, atOnce = false): void {
    const sub = item.entry.subTopology
    if (item.record !== undefined) (sub.processed[lane.index] as number)++
    else if (item.timer !== undefined) (sub.timersFired[lane.index] as number)++
    else this.punctuations.finished(item)
    if (item.progress !== null) {
      item.progress.finish((item.coordinates as RecordCoordinates).offset)
      this.epoch.records++
    } else if (item.timer !== undefined) {
      this.epoch.timersFired++
    }
    if (this.clocks.release(item.stamp, sub.index)) this.clocksMoved(null)
    if (atOnce && item.progress === null && item.record !== undefined) this.#flow.spare(item)
    this.#progressed = true
    if (!this.#draining) this.#told()
  }

  /** Tells what has come of the items that ran, once for all of them. */
  #told(): void {
    if (this.#progressed) {
      this.#progressed = false
      this.options.onProgress()
    }
    this.#tellQuiet()
  }

  awaited(item: WorkItem, lane: Lane, tookMs: number): void {
    if (!this.#cutting || tookMs < (this.#slowest?.ms ?? 0)) return
    const key = keyOf(item)
    this.#slowest = { node: item.at.name, lane: lane.index, ...(key === undefined ? {} : { key }), ms: tookMs }
  }

  failed(error: unknown, item?: WorkItem, lane?: Lane): void {
    if (this.#halted) return
    if (this.options.driver) {
      // As in Kafka's driver, a test may go on after a failing record: it has used its offset and its time.
      this.options.onFailed(error)
      // There a schedule that has thrown is not put back into its queue.
      if (this.isKafkasDriver) item?.punctuation?.punctuation.cancel()
      if (item !== undefined && lane !== undefined) this.finished(item, lane)
      return
    }
    this.#halted = true
    this.options.onFailed(error)
    this.#tellQuiet()
  }

  /** Puts an item on its lane; the lane runs after the callback that feeds it, never within it. */
  enqueue(item: WorkItem, sub: SubTopologyRuntime, boundary: boolean): void {
    const running = sub.running(item.lane)
    this.clocks.hold(item.stamp, sub.index)
    if (boundary) {
      item.waitingBytes = item.weight
      this.waitingBytes += item.waitingBytes
    }
    sub.enqueue(item, running, boundary)
    const lane = sub.lanes[running] as Lane
    lane.makeReady()
  }

  cross(item: WorkItem, boundary: CompiledBoundary): void {
    if (!this.isKafkasDriver) {
      this.enqueue(item, item.entry.subTopology, true)
      return
    }
    const topic = boundary.topic ?? `${boundary.from} ${boundary.to}`
    if (!this.#crossings.join(topic, item)) {
      const { record } = item
      this.options.onCrossing?.(item, boundary)
      this.#crossings.add(topic, item, record)
    }
    this.clocks.hold(item.stamp, item.entry.subTopology.index)
  }

  /** The time of the next record that `takeCrossing` would take up, in ms; undefined when none waits. */
  get earliestCrossing(): number | undefined {
    return this.#crossings.earliest
  }

  /**
   * Takes up the next record that has crossed a boundary, as Kafka's driver does once all that came before is done
   * and has punctuated. Its time moves the clock, too.
   *
   * @returns whether there was one
   */
  takeCrossing(): boolean {
    const items = this.#crossings.take()
    for (const item of items) {
      const { subTopology } = item.entry
      this.enqueue(item, subTopology, true)
      this.clocks.release(item.stamp, subTopology.index)
    }
    this.drain()
    const [first] = items
    if (first?.record === undefined) return false
    const { entry, record, coordinates } = first
    if (this.clocks.advance(entry.clockGroup, record.timestamp)) this.clocksMoved(coordinates)
    return true
  }

  // ---- timers --------------------------------------------------------------------------------

  takeDueTimer(lane: Lane, sub: SubTopologyRuntime, recordsWait: boolean): WorkItem | undefined {
    return this.timers.takeDue(lane, sub, recordsWait)
  }

  takeDuePunctuation(lane: Lane, sub: SubTopologyRuntime): WorkItem | undefined {
    return this.punctuations.takeDue(lane, sub)
  }

  atRest(): void {
    this.punctuations.atRest()
  }

  schedule(
    instance: NodeInstance,
    intervalMs: number,
    type: PunctuationType,
    callback: Punctuator,
    options: ScheduleOptions | undefined,
  ): Cancellable {
    return this.punctuations.schedule(instance, intervalMs, type, callback, options)
  }

  registerTimer(node: NodeRuntime, timer: TimerRegistration<unknown>, keyBytes: Uint8Array): void {
    this.timers.register(node, timer, keyBytes)
  }

  deleteTimer(node: NodeRuntime, timer: TimerTarget<unknown>, keyBytes: Uint8Array): void {
    this.timers.delete(node, timer, keyBytes)
  }

  planned(at: number): void {
    this.options.onPlanned?.(at)
  }

  /** The wall clock has moved: what is due by it gets to run. */
  wallClockMoved(): void {
    this.timers.wakeDue()
    this.punctuations.wallClockMoved()
  }

  /** When wall-clock time makes a timer or a schedule due next; undefined when nothing waits for it. */
  earliestByWallClock(): number | undefined {
    return earlier(this.timers.earliestByWallClock(), this.punctuations.earliestByWallClock())
  }

  /** The clock has moved: windowed stores expire by it (S7), and lanes with a due timer get to run. */
  clocksMoved(causedBy: RecordCoordinates | null): void {
    // First of all: what these scans are to send on holds the clocks behind them back (W7).
    this.punctuations.noticeScans()
    for (const store of this.stores.values()) store.clockMoved(causedBy)
    this.timers.wakeDue()
    this.punctuations.wakeDue()
  }

  // ---- clocks and drops ----------------------------------------------------------------------

  observe(node: NodeRuntime, item: WorkItem, timestamp: number): number {
    const stamped = item.stamp.values[node.clockGroup] as number
    if (this.config['time.mode'] === 'watermark') return stamped
    if (!this.options.driver) return Math.max(stamped, timestamp)
    const { clock } = node
    clock.observed = Math.max(clock.observed, timestamp)
    return clock.observed
  }

  /** Counts what a record or a tick has come to: at the commit of its epoch (G3), in the test driver at once. */
  count(counter: string): void {
    if (this.options.driver) this.counters.add(counter)
    else this.epoch.count(counter)
  }

  /** The event clock that a callback sees (W7). In the driver's stream time the record that it is about counts, too (B.2). */
  eventTime(node: NodeRuntime, item: WorkItem): number {
    const clock = this.clocks.eventClock(node.clockGroup, node.subTopology.index)
    if (!this.options.driver || this.config['time.mode'] === 'watermark') return clock
    return Math.max(clock, item.coordinates?.timestamp ?? -1)
  }

  drop(reason: DropReason, node: string, item: WorkItem, detail: string): void {
    this.losses.dropped(reason, node, item.coordinates, detail, item.lane)
  }

  silentLoss(reason: SilentLossReason, node: string, item: WorkItem, detail: string): void {
    this.losses.silent(reason, node, item.coordinates, detail)
  }

  compiledNode(name: string): CompiledNode {
    return this.options.compiled.node(name)
  }

  warn(node: string, message: string): void {
    this.log.warnOncePerMinute(`warn/${node}`, message, node)
  }

  processingFailed(error: unknown, node: NodeRuntime, item: WorkItem): unknown {
    return this.gates.ask(
      'processing',
      error,
      node.name,
      item.coordinates,
      item.record?.key ?? item.timer?.key,
      item.lane,
      item.punctuation === undefined ? undefined : 'in a punctuator',
      item.punctuation?.at,
    )
  }

  storeInstance(name: string): StoreInstance<unknown, unknown> | undefined {
    return this.stores.get(name)
  }

  // ---- the cut -------------------------------------------------------------------------------

  /** Whether no callback is in flight and nothing has still to cross a boundary. */
  get isQuiet(): boolean {
    for (const lane of this.lanes) if (lane.busy) return false
    for (const sub of this.subTopologies)
      for (const queue of sub.queues) if (queue.fromBoundary.length > 0) return false
    return true
  }

  /** Whether nothing at all is left to do. */
  get isIdle(): boolean {
    if (!this.isQuiet) return false
    for (const sub of this.subTopologies) for (const queue of sub.queues) if (queue.length > 0) return false
    return this.#ready.length === 0
  }

  /**
   * Ends the epoch over all lanes (E8): callbacks in flight finish, boundary items drain, source items stay queued.
   *
   * Nothing starts until `resume`.
   *
   * @returns what the epoch has produced
   */
  async cut(): Promise<FinishedEpoch> {
    this.#cutting = true
    this.#slowest = undefined
    this.punctuations.yieldToCut()
    if (!this.isQuiet) {
      await new Promise<void>((resolve) => {
        this.#onQuiet = resolve
      })
    }
    return { ...this.epoch.take(), ...(this.#slowest === undefined ? {} : { slowest: this.#slowest }) }
  }

  /** Lets the lanes go on after a cut. */
  resume(): void {
    this.#cutting = false
    for (const lane of this.lanes) lane.makeReady()
    this.punctuations.wakeDue()
  }

  #tellQuiet(): void {
    const onQuiet = this.#onQuiet
    if (onQuiet === undefined || !(this.#halted || this.isQuiet)) return
    this.#onQuiet = undefined
    onQuiet()
  }
}

/** Whether all that reaches a node comes from sources of global stores. */
function isGlobal(compiled: CompiledTopology, name: string): boolean {
  const node = compiled.nodes.find((one) => one.name === name)
  const sources = node?.kind === 'source' ? [name] : (node?.sources ?? [])
  return sources.length > 0 && sources.every((source) => compiled.node(source).source?.feeds === 'global')
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
