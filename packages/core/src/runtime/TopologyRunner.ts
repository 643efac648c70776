import type { DropReason } from '../events/EngineEvent.js'
import type { EventHub } from '../events/EventHub.js'
import { keyText } from '../model/keyText.js'
import type { RecordCoordinates } from '../model/Record.js'
import type { StoreInstance } from '../state/StoreBuilder.js'
import type { Clock } from '../time/Clock.js'
import type { Random } from '../time/Random.js'
import type { CompiledBoundary } from '../topology/CompiledTopology.js'
import type { EngineConfig } from '../topology/EngineConfig.js'
import { type Assembly, assemble } from './assembly/assemble.js'
import { equip } from './assembly/equip.js'
import { restoreClocks } from './assembly/restoreClocks.js'
import { Counters } from './Counters.js'
import type { ClockBoard } from './clocks/ClockBoard.js'
import { EngineLog } from './EngineLog.js'
import { EpochBuffer, type FinishedEpoch } from './epoch/EpochBuffer.js'
import { EpochCut } from './epoch/EpochCut.js'
import type { SavedClocks } from './epoch/EpochRecord.js'
import { PunctuationDesk, type PunctuationHost } from './firing/PunctuationDesk.js'
import { TimerDesk, type TimerDeskHost } from './firing/TimerDesk.js'
import { ErrorGates } from './gates/ErrorGates.js'
import { isGlobalNode } from './gates/isGlobalNode.js'
import { maxAheadMsOf } from './gates/maxAheadMsOf.js'
import { Losses } from './Losses.js'
import { DriverCrossings } from './nodes/DriverCrossings.js'
import type { NodeHost } from './nodes/NodeInstance.js'
import type { NodeRuntime } from './nodes/NodeRuntime.js'
import { type FlowHost, RecordFlow } from './nodes/RecordFlow.js'
import { RunningNodeHost } from './nodes/RunningNodeHost.js'
import type { WorkItem } from './nodes/WorkItem.js'
import type { RunnerOptions } from './RunnerOptions.js'
import type { FaultCoordinates } from './restart/RestartBudget.js'
import type { Budget } from './scheduling/Budget.js'
import { earlier } from './scheduling/earlier.js'
import type { Lane, LaneHost } from './scheduling/Lane.js'
import { LaneTurns } from './scheduling/LaneTurns.js'
import type { SubTopologyRuntime } from './scheduling/SubTopologyRuntime.js'

/**
 * A topology at work: lanes, timers, clocks, stores, outputs. It knows no log and no loop:
 * the engine and the test driver feed it records and take its epochs.
 */
export class TopologyRunner implements LaneHost, TimerDeskHost, PunctuationHost, FlowHost {
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
  readonly timers: TimerDesk
  readonly punctuations: PunctuationDesk
  /** Writes into the open epoch what is kept in memory meanwhile: called before each cut. */
  readonly beforeCut: (() => void)[] = []
  /** Bytes of what waits at boundaries, about: it was read, and is not done (E3). */
  waitingBytes = 0
  readonly isKafkasDriver: boolean
  /** In Kafka's test driver alone anything is in them. */
  readonly crossings = new DriverCrossings(this)
  /** How many records of sources have been handed to lanes. */
  recordsRead = 0
  readonly #assembly: Assembly
  readonly #abort = new AbortController()
  readonly #turns: LaneTurns
  readonly #cut = new EpochCut(this)
  /** An item has finished, and `onProgress` has not been told. */
  #progressed = false
  #halted = false
  /** The timer whose callback has ended this incarnation; undefined when none has (E4). */
  failedTimer: FaultCoordinates | undefined
  readonly #flow: RecordFlow
  /** What the callbacks of its nodes reach. */
  readonly nodeHost: NodeHost

  constructor(readonly options: RunnerOptions) {
    this.config = options.config
    this.clock = options.clock
    this.random = options.random
    this.events = options.events
    this.isKafkasDriver = options.driver && options.config.compat === 'kafka-streams'
    this.log = new EngineLog(options.events, options.clock)
    this.counters = options.counters ?? new Counters()
    this.losses = new Losses((counter) => this.count(counter), this.log, options.events)
    this.#turns = new LaneTurns(options.clock, () => this.#told())
    this.gates = new ErrorGates({
      config: this.config,
      topics: options.topics,
      isGlobal: (node) => isGlobalNode(options.compiled, node),
      emitOutput: (output) => this.epoch.output(output),
      now: () => options.clock.now(),
      maxAheadMs: (topic) => maxAheadMsOf(options.compiled, topic) ?? this.config['future-timestamp.max-ahead-ms'],
      dropped: (reason, node, coordinates, detail, lane) =>
        this.losses.dropped(reason, node, coordinates, detail, lane),
    })
    const oneClock = options.driver && this.config['time.mode'] === 'stream-time'
    this.#assembly = assemble(options.compiled, this.config['lanes.queue-capacity'], this, options.driver, oneClock)
    this.timers = new TimerDesk(this)
    this.punctuations = new PunctuationDesk(this)
    this.#flow = new RecordFlow(this)
    this.nodeHost = new RunningNodeHost(this, this.#flow)
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
    return this.#cut.underWay
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

  /**
   * Puts a source record on its lane and runs what can be run at once. The caller has checked that it fits (L7). On a
   * lane that is idle it runs without being queued: that is what synchronous topologies live on (L8).
   *
   * @returns whether it has run to its end, and so nobody holds the item any more: what waits for a promise keeps it
   */
  offer(item: WorkItem): boolean {
    const sub = item.entry.subTopology
    const lane = sub.lanes[sub.running(item.lane)] as Lane
    if (this.#turns.underWay || !lane.isIdle) {
      this.enqueue(item, sub, false)
      this.drain()
      return false
    }
    this.clocks.hold(item.stamp, sub.index)
    return this.#turns.takeWith(lane, item)
  }

  /** Runs the lanes that have something to do, until this macrotask has lasted long enough. */
  drain(): void {
    this.#turns.take()
  }

  ready(lane: Lane): void {
    this.#turns.ready(lane)
  }

  monotonic(): number {
    return this.clock.monotonic()
  }

  overBudget(): boolean {
    return this.#turns.budget.isSpent()
  }

  get budget(): Budget {
    return this.#turns.budget
  }

  defer(lane: Lane): void {
    this.#turns.defer(lane)
  }

  run(item: WorkItem, lane: Lane): void | Promise<void> {
    this.waitingBytes -= item.waitingBytes
    item.waitingBytes = 0
    return this.#flow.run(item, lane)
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
      if (this.options.watchedTimer !== undefined) this.#watch(item)
    }
    if (this.clocks.release(item.stamp, sub.index)) this.clocksMoved(null)
    if (atOnce && item.progress === null) {
      if (item.record !== undefined) this.#flow.spare(item)
      else if (item.timer !== undefined) this.timers.spare(item)
    }
    this.#progressed = true
    if (!this.#turns.underWay) this.#told()
  }

  #watch(item: WorkItem): void {
    const { node, key } = this.options.watchedTimer ?? {}
    const timer = timerOf(item)
    if (timer?.node === node && timer?.key === key) this.epoch.failedTimerFired = true
  }

  /** Tells what has come of the items that ran, once for all of them. */
  #told(): void {
    if (this.#progressed) {
      this.#progressed = false
      this.options.onProgress()
    }
    this.#cut.tellQuiet()
  }

  awaited(item: WorkItem, lane: Lane, tookMs: number): void {
    this.#cut.awaited(item, lane, tookMs)
  }

  failed(error: unknown, item?: WorkItem, lane?: Lane): void {
    if (this.#halted) return
    if (this.options.driver) {
      // As in Kafka's driver, a test may go on after a failing record: it has used its offset and its time.
      this.options.onFailed(error)
      // There a schedule that has thrown is not put back into its queue.
      if (this.isKafkasDriver) item?.punctuation?.punctuation.cancel()
      if (item !== undefined && lane !== undefined) this.finished(item, lane)
      if (this.isKafkasDriver) this.punctuations.awaitRecord()
      return
    }
    this.#halted = true
    this.blame(item)
    this.options.onFailed(error)
    this.#cut.tellQuiet()
  }

  /** The incarnation ends with this item (E4). */
  blame(item: WorkItem | undefined): void {
    this.failedTimer = timerOf(item)
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
    if (this.isKafkasDriver) this.crossings.put(item, boundary)
    else this.enqueue(item, item.entry.subTopology, true)
  }

  takeDueTimer(lane: Lane, sub: SubTopologyRuntime, recordsWait: boolean): WorkItem | 'wait' | undefined {
    return this.timers.takeDue(lane, sub, recordsWait)
  }

  takeDuePunctuation(lane: Lane, sub: SubTopologyRuntime): WorkItem | undefined {
    return this.punctuations.takeDue(lane, sub)
  }

  atRest(): void {
    this.punctuations.atRest()
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

  /** Counts what a record or a tick has come to: at the commit of its epoch (G3), in the test driver at once. */
  count(counter: string): void {
    if (this.options.driver) this.counters.add(counter)
    else this.epoch.count(counter)
  }

  drop(reason: DropReason, node: string, item: WorkItem, detail: string): void {
    this.losses.dropped(reason, node, item.coordinates, detail, item.lane)
  }

  /** Whether no callback is in flight and nothing has still to cross a boundary. */
  get isQuiet(): boolean {
    return this.#cut.isQuiet
  }

  /** Whether nothing at all is left to do. */
  get isIdle(): boolean {
    if (!this.isQuiet) return false
    for (const sub of this.subTopologies) for (const queue of sub.queues) if (queue.length > 0) return false
    return this.#turns.isEmpty
  }

  /**
   * Ends the epoch over all lanes (E8): callbacks in flight finish, boundary items drain, source items stay queued.
   *
   * Nothing starts until `resume`.
   *
   * @returns what the epoch has produced
   */
  async cut(): Promise<FinishedEpoch> {
    this.#cut.begin()
    this.punctuations.yieldToCut()
    this.timers.yieldToCut()
    return this.#cut.take(this.epoch)
  }

  /** Lets the lanes go on after a cut. */
  resume(): void {
    this.#cut.end()
    this.timers.resumed()
    for (const lane of this.lanes) lane.makeReady()
    this.punctuations.wakeDue()
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function timerOf(item: WorkItem | undefined): FaultCoordinates | undefined {
  if (item?.timer === undefined) return undefined
  return { isTimer: true, node: item.entry.name, key: keyText(item.timer.key) }
}
