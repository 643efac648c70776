import { StreamError } from '../errors/index.js'
import type { DropReason, SilentLossReason, TimerDomain } from '../events/EngineEvent.js'
import type { EventHub } from '../events/EventHub.js'
import { laneOf } from '../lanes/murmur3.js'
import { toHex } from '../model/bytes.js'
import { Headers } from '../model/Headers.js'
import { keyText } from '../model/keyText.js'
import type { Record, RecordCoordinates } from '../model/Record.js'
import type { StoreInstance } from '../state/StoreBuilder.js'
import type { Clock } from '../time/Clock.js'
import type { Random } from '../time/Random.js'
import type { TimerRegistration, TimerTarget } from '../timers/Timer.js'
import { compareTimers, type PendingTimer } from '../timers/TimerQueue.js'
import { TimerSequence } from '../timers/TimerService.js'
import type { CompiledBoundary, CompiledTopology } from '../topology/CompiledTopology.js'
import type { EngineConfig } from '../topology/EngineConfig.js'
import { type Assembly, assemble } from './assembly/assemble.js'
import { equip } from './assembly/equip.js'
import { Counters } from './Counters.js'
import type { ClockBoard } from './clocks/ClockBoard.js'
import { EngineLog } from './EngineLog.js'
import { EpochBuffer, type FinishedEpoch } from './epoch/EpochBuffer.js'
import { ErrorGates } from './gates/ErrorGates.js'
import type { NodeHost, NodeInstance } from './nodes/NodeInstance.js'
import type { ChildLink, NodeRuntime } from './nodes/NodeRuntime.js'
import { WorkItem } from './nodes/WorkItem.js'
import type { TopicInfo } from './RecordLog.js'
import { Budget } from './scheduling/Budget.js'
import type { Lane, LaneHost } from './scheduling/Lane.js'
import type { SubTopologyRuntime } from './scheduling/SubTopologyRuntime.js'

/** Timers that a pass has itself made are bounded to so many before a waiting record gets its turn (T5). */
const OWN_TIMERS_A_PASS = 1000

/** One item in so many is timed; the figures are scaled by it. */
const TIMED_ONE_IN = 8

/** A pass over a lane's due timers: where its own registrations begin, and how many of those it has fired (T5). */
interface TimerPass {
  start: number
  own: number
}

export interface RunnerOptions {
  readonly compiled: CompiledTopology
  readonly config: EngineConfig
  readonly clock: Clock
  readonly random: Random
  readonly events: EventHub
  readonly topics: ReadonlyMap<string, TopicInfo>
  /** As the test driver runs (D1): one running lane, one clock, every record checked (A6). */
  readonly driver: boolean
  /** The run cannot go on. Called once. */
  readonly onFailed: (error: unknown) => void
  /** Something has finished: there may be room, or an epoch to cut. */
  readonly onProgress: () => void
}

/**
 * A topology at work: lanes, timers, clocks, stores, outputs. It knows no log and no loop:
 * the engine and the test driver feed it records and take its epochs.
 */
export class TopologyRunner implements LaneHost, NodeHost {
  readonly config: EngineConfig
  readonly clock: Clock
  readonly random: Random
  readonly events: EventHub
  readonly counters = new Counters()
  readonly log: EngineLog
  readonly gates: ErrorGates
  readonly epoch = new EpochBuffer()
  readonly stores = new Map<string, StoreInstance<unknown, unknown>>()
  readonly budget: Budget
  readonly #assembly: Assembly
  readonly #abort = new AbortController()
  readonly #sequence = new TimerSequence()
  readonly #passes = new Map<Lane, TimerPass>()
  #ready: Lane[] = []
  #draining = false
  #halted = false
  #cutting = false
  #onQuiet: (() => void) | undefined
  #items = 0

  constructor(readonly options: RunnerOptions) {
    this.config = options.config
    this.clock = options.clock
    this.random = options.random
    this.events = options.events
    this.log = new EngineLog(options.events, options.clock)
    this.budget = new Budget(options.clock)
    this.gates = new ErrorGates({
      config: this.config,
      topics: options.topics,
      emitOutput: (output) => this.epoch.output(output),
      dropped: (reason, node, coordinates, detail) => this.dropped(reason, node, coordinates, detail),
    })
    const oneClock = options.driver && this.config['time.mode'] === 'stream-time'
    this.#assembly = assemble(options.compiled, this.config['lanes.queue-capacity'], this, options.driver, oneClock)
    equip(this, this.#assembly, this.#sequence)
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

  get halted(): boolean {
    return this.#halted
  }

  get cutting(): boolean {
    return this.#cutting
  }

  get signal(): AbortSignal {
    return this.#abort.signal
  }

  async init(): Promise<void> {
    for (const node of this.nodes.values()) for (const instance of node.instances) await instance.init()
  }

  /** Ends this incarnation: nothing starts any more, `ctx.signal` aborts, processors close. */
  async close(): Promise<void> {
    this.#halted = true
    this.#abort.abort()
    for (const node of this.nodes.values()) for (const instance of node.instances) await instance.close()
  }

  // ---- items ---------------------------------------------------------------------------------

  /** Puts a source record on its lane and runs what can be run at once. The caller has checked that it fits (L7). */
  offer(item: WorkItem): void {
    const sub = item.entry.subTopology
    this.#enqueue(item, sub, false)
    this.drain()
  }

  /** Runs the lanes that have something to do. */
  drain(): void {
    if (this.#draining) return
    this.#draining = true
    for (let i = 0; i < this.#ready.length; i++) (this.#ready[i] as Lane).work()
    this.#ready = []
    this.#draining = false
    this.#tellQuiet()
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

  defer(lane: Lane): void {
    // Nobody awaits a lane's next turn: what goes wrong in it arrives at `failed`.
    void this.clock.yield().then(() => {
      this.budget.begin()
      lane.makeReady()
    })
  }

  run(item: WorkItem, lane: Lane): void | Promise<void> {
    item.timed = ++this.#items % TIMED_ONE_IN === 0
    if (!item.timed) return this.#enter(item, lane)
    const started = this.clock.monotonic()
    const settling = this.#enter(item, lane)
    if (settling === undefined) lane.busyMs += (this.clock.monotonic() - started) * TIMED_ONE_IN
    return settling
  }

  finished(item: WorkItem, lane: Lane): void {
    const sub = item.entry.subTopology
    if (item.timer === undefined) (sub.processed[lane.index] as number)++
    if (item.timer !== undefined) (sub.timersFired[lane.index] as number)++
    if (item.progress !== null) {
      item.progress.finish((item.coordinates as RecordCoordinates).offset)
      this.epoch.records++
    } else if (item.timer !== undefined) {
      this.epoch.timersFired++
    }
    if (this.clocks.release(item.stamp, sub.index)) this.clocksMoved(null)
    this.options.onProgress()
    if (!this.#draining) this.#tellQuiet()
  }

  failed(error: unknown, item?: WorkItem, lane?: Lane): void {
    if (this.#halted) return
    if (this.options.driver) {
      // As in Kafka's driver, a test may go on after a failing record: it has used its offset and its time.
      this.options.onFailed(error)
      if (item !== undefined && lane !== undefined) this.finished(item, lane)
      return
    }
    this.#halted = true
    this.options.onFailed(error)
    this.#tellQuiet()
  }

  #enter(item: WorkItem, lane: Lane): void | Promise<void> {
    const { entry, record } = item
    if (item.timer !== undefined) return this.#fire(item, lane)
    entry.in++
    const taken = record as Record<unknown, unknown>
    if (entry.compiled.kind === 'source') return this.#fanOut(entry, taken, item, lane)
    return this.#process(entry, taken, item, lane)
  }

  /** Hands a source's record to its children, one after the other. */
  #fanOut(source: NodeRuntime, record: Record<unknown, unknown>, item: WorkItem, lane: Lane): void | Promise<void> {
    let pending: Promise<void> | undefined
    for (const link of source.children) {
      if (pending !== undefined) pending = pending.then(() => this.deliver(source, link, record, item, lane))
      else {
        const settling = this.deliver(source, link, record, item, lane)
        if (settling !== undefined) pending = settling
      }
    }
    return pending
  }

  deliver(
    from: NodeRuntime,
    link: ChildLink,
    record: Record<unknown, unknown>,
    item: WorkItem,
    lane: Lane,
  ): void | Promise<void> {
    link.count++
    from.out++
    if (this.events.listening('record-forwarded')) this.#tellForwarded(from, link.child, record, item)
    if (link.boundary !== undefined) return this.#cross(link.boundary, link.child, record, item)
    link.child.in++
    if (link.child.sink !== undefined) return this.#sink(link.child, record, item)
    return this.#process(link.child, record, item, lane)
  }

  #process(node: NodeRuntime, record: Record<unknown, unknown>, item: WorkItem, lane: Lane): void | Promise<void> {
    const instance = node.instances[lane.index] as NodeInstance
    if (!item.timed) return instance.process(record, item)
    const outer = item.childMs
    item.childMs = 0
    const started = this.clock.monotonic()
    const done = () => {
      const took = this.clock.monotonic() - started
      node.busyMs += (took - item.childMs) * TIMED_ONE_IN
      item.childMs = outer + took
    }
    const settling = instance.process(record, item)
    if (settling === undefined) {
      done()
      return undefined
    }
    return settling.then(done)
  }

  #sink(node: NodeRuntime, record: Record<unknown, unknown>, item: WorkItem): void {
    try {
      this.epoch.output((node.sink as NonNullable<NodeRuntime['sink']>).write(record))
    } catch (error) {
      const gated = this.gates.ask('production', error, node.name, item.coordinates, record.key)
      if (gated !== undefined) throw gated
    }
  }

  /** Crosses to the lane of the record's key, in memory (B1). */
  #cross(boundary: CompiledBoundary, child: NodeRuntime, record: Record<unknown, unknown>, item: WorkItem): void {
    const target = child.subTopology
    const { keyBytes, lane, hashed } = this.#laneBehind(boundary, record, target)
    const crossed = new WorkItem(
      child,
      record,
      keyBytes,
      hashed,
      lane,
      item.stamp,
      item.coordinates,
      null,
      undefined,
      0,
    )
    if (this.events.listening('boundary-crossed')) {
      this.events.emit<'boundary-crossed'>({
        type: 'boundary-crossed',
        from: boundary.from,
        to: boundary.to,
        fromLane: item.lane,
        toLane: lane,
      })
    }
    this.#enqueue(crossed, target, true)
  }

  #laneBehind(
    boundary: CompiledBoundary,
    record: Record<unknown, unknown>,
    target: SubTopologyRuntime,
  ): { keyBytes: Uint8Array | null; lane: number; hashed: boolean } {
    if (boundary.partitioner !== undefined) {
      const lane = boundary.partitioner(record.key, record.value, target.laneCount)
      return { keyBytes: null, lane, hashed: false }
    }
    if (record.key === null || record.key === undefined) {
      return { keyBytes: null, lane: target.nextLane(), hashed: false }
    }
    const serde = boundary.key.serde
    try {
      if (serde === undefined) throw new TypeError('no serde is declared for it')
      const written = serde.serialize(`${boundary.from}-${boundary.to}`, Headers.empty, record.key)
      const keyBytes = serde.laneBytes ? serde.laneBytes(written) : written
      return { keyBytes, lane: laneOf(keyBytes, target.laneCount), hashed: true }
    } catch (cause) {
      throw new StreamError(
        `The key ${keyText(record.key)} cannot be written at the boundary ${boundary.from} → ${boundary.to}: ` +
          `${cause instanceof Error ? cause.message : String(cause)}. Declare its serde upstream, or set default.key.serde.`,
        { code: 'LANE_KEY_SERIALIZATION', kind: 'user', retriable: false, context: { node: boundary.to }, cause },
      )
    }
  }

  #enqueue(item: WorkItem, sub: SubTopologyRuntime, boundary: boolean): void {
    const running = sub.running(item.lane)
    this.clocks.hold(item.stamp, sub.index)
    sub.enqueue(item, running, boundary)
    const lane = sub.lanes[running] as Lane
    // While draining the lane is only noted, so that it runs after the callback that feeds it, never within it.
    lane.makeReady()
  }

  // ---- timers --------------------------------------------------------------------------------

  takeDueTimer(lane: Lane, sub: SubTopologyRuntime, recordsWait: boolean): WorkItem | undefined {
    const due = this.#earliestDue(lane, sub)
    const pass = this.#passOf(lane)
    if (due === undefined) {
      pass.start = this.#sequence.upcoming
      pass.own = 0
      return undefined
    }
    if (due.timer.sequence >= pass.start && recordsWait) {
      if (pass.own >= OWN_TIMERS_A_PASS) {
        pass.start = this.#sequence.upcoming
        pass.own = 0
        return undefined
      }
      pass.own++
    }
    return this.#timerItem(due.node, due.domain, lane, due.clock)
  }

  #passOf(lane: Lane): TimerPass {
    const known = this.#passes.get(lane)
    if (known !== undefined) return known
    const pass = { start: this.#sequence.upcoming, own: 0 }
    this.#passes.set(lane, pass)
    return pass
  }

  #earliestDue(
    lane: Lane,
    sub: SubTopologyRuntime,
  ): { node: NodeRuntime; domain: TimerDomain; timer: PendingTimer; clock: number } | undefined {
    let best: { node: NodeRuntime; domain: TimerDomain; timer: PendingTimer; clock: number } | undefined
    for (const node of sub.timerNodes) {
      for (const domain of node.compiled.timers) {
        const timer = node.timers?.peek(domain, lane.index)
        if (timer === undefined) continue
        const clock = this.#clockOf(node, domain)
        if (timer.at > clock) continue
        if (best === undefined || compareTimers(timer, best.timer) < 0) best = { node, domain, timer, clock }
      }
    }
    return best
  }

  #clockOf(node: NodeRuntime, domain: TimerDomain): number {
    return domain === 'event-time' ? this.clocks.eventClock(node.clockGroup, node.subTopology.index) : this.clock.now()
  }

  #timerItem(node: NodeRuntime, domain: TimerDomain, lane: Lane, clock: number): WorkItem | undefined {
    const timer = node.timers?.takeDue(domain, lane.index, clock)
    const affinity = node.affinity
    if (timer === undefined || affinity === undefined) return undefined
    const stamp = this.clocks.stampFor(node.subTopology.index)
    this.clocks.hold(stamp, node.subTopology.index)
    const key = this.#readTimerKey(node, timer)
    return new WorkItem(
      node,
      undefined,
      timer.keyBytes,
      true,
      affinity.laneOfTimer(timer.keyBytes),
      stamp,
      null,
      null,
      { key, at: timer.at, domain, ...(timer.name === undefined ? {} : { name: timer.name }) },
      clock,
    )
  }

  /** Nothing is ever decoded as a different key in silence (T9): what cannot be read stops the run. */
  #readTimerKey(node: NodeRuntime, timer: PendingTimer): NonNullable<unknown> {
    try {
      const key = node.affinity?.read(timer.keyBytes)
      if (key === null || key === undefined) throw new TypeError('the serde gave no key for it')
      return key
    } catch (cause) {
      throw new StreamError(
        `The key of a timer of node "${node.name}" at ${timer.at} cannot be read back from its bytes ${toHex(timer.keyBytes, ' ')}: ` +
          `${cause instanceof Error ? cause.message : String(cause)}. The timer key serde must read what it writes.`,
        { code: 'DESERIALIZATION_FAILED', kind: 'user', retriable: false, context: { node: node.name }, cause },
      )
    }
  }

  #fire(item: WorkItem, lane: Lane): void | Promise<void> {
    const node = item.entry
    const instance = node.instances[lane.index] as NodeInstance
    const timer = item.timer as NonNullable<WorkItem['timer']>
    return instance.onTimer(timer, item, (forwarded) => {
      if (!this.events.listening('timer-fired')) return
      this.events.emit<'timer-fired'>({
        type: 'timer-fired',
        forwarded,
        ...this.#timerFacts(node, timer, item.keyBytes as Uint8Array),
      })
    })
  }

  registerTimer(node: NodeRuntime, timer: TimerRegistration<unknown>, keyBytes: Uint8Array): void {
    const { running } = this.#timerLane(node, keyBytes)
    const registered = node.timers?.register(timer.domain, running, keyBytes, timer.at, timer.name)
    this.epoch.touch()
    if (registered?.outcome === 'added' && this.events.listening('timer-registered')) {
      this.events.emit<'timer-registered'>({ type: 'timer-registered', ...this.#timerFacts(node, timer, keyBytes) })
    }
    if (registered?.outcome === 'replaced' && this.events.listening('timer-replaced')) {
      const previousAt = registered.previousAt
      this.events.emit<'timer-replaced'>({
        type: 'timer-replaced',
        previousAt,
        ...this.#timerFacts(node, timer, keyBytes),
      })
    }
    // It may be due already, on a lane that has nothing else to do (T7).
    if (timer.at <= this.#clockOf(node, timer.domain)) (node.subTopology.lanes[running] as Lane).makeReady()
    else if (timer.domain === 'processing-time') this.options.onProgress()
  }

  deleteTimer(node: NodeRuntime, timer: TimerTarget<unknown>, keyBytes: Uint8Array): void {
    const { running } = this.#timerLane(node, keyBytes)
    const gone = node.timers?.delete(timer.domain, running, keyBytes, timer.at ?? 0, timer.name)
    if (gone === undefined) return
    this.epoch.touch()
    if (!this.events.listening('timer-deleted')) return
    const facts = this.#timerFacts(
      node,
      { key: timer.key, domain: timer.domain, at: gone.at, ...(gone.name === undefined ? {} : { name: gone.name }) },
      keyBytes,
    )
    this.events.emit<'timer-deleted'>({ type: 'timer-deleted', ...facts })
  }

  #timerLane(node: NodeRuntime, keyBytes: Uint8Array): { lane: number; running: number } {
    const lane = node.affinity?.laneOfTimer(keyBytes) ?? 0
    return { lane, running: node.subTopology.running(lane) }
  }

  #timerFacts(
    node: NodeRuntime,
    timer: { readonly key: unknown; readonly at: number; readonly domain: TimerDomain; readonly name?: string },
    keyBytes: Uint8Array,
  ) {
    return {
      node: node.name,
      lane: this.#timerLane(node, keyBytes).lane,
      domain: timer.domain,
      at: timer.at,
      key: keyText(timer.key),
      keyBytes,
      ...(timer.name === undefined ? {} : { name: timer.name }),
    }
  }

  /** The clock has moved: windowed stores expire by it (S7), and lanes with a due timer get to run. */
  clocksMoved(causedBy: RecordCoordinates | null): void {
    if (this.config['time.mode'] === 'watermark') {
      for (const store of this.stores.values()) store.clockMoved(causedBy)
    }
    this.wakeDueTimers()
  }

  wakeDueTimers(): void {
    for (const sub of this.subTopologies) {
      for (const node of sub.timerNodes) {
        for (const domain of node.compiled.timers) {
          const clock = this.#clockOf(node, domain)
          const earliest = node.timers?.earliest(domain)
          if (earliest === undefined || earliest > clock) continue
          for (const lane of sub.lanes) {
            const next = node.timers?.peek(domain, lane.index)
            if (next !== undefined && next.at <= clock) lane.makeReady()
          }
        }
      }
    }
  }

  // ---- clocks and drops ----------------------------------------------------------------------

  observe(node: NodeRuntime, item: WorkItem, timestamp: number): number {
    const stamped = item.stamp.values[node.clockGroup] as number
    if (this.config['time.mode'] === 'watermark') return stamped
    if (!this.options.driver) return Math.max(stamped, timestamp)
    node.observed = Math.max(node.observed, timestamp)
    return node.observed
  }

  drop(reason: DropReason, node: string, item: WorkItem, detail: string): void {
    this.dropped(reason, node, item.coordinates, detail, item.lane)
  }

  dropped(
    reason: DropReason,
    node: string,
    coordinates: RecordCoordinates | null,
    detail: string,
    lane?: number,
  ): void {
    this.countDropped(reason)
    this.log.warnOncePerMinute(`${reason}/${node}`, detail, node)
    if (!this.events.listening('record-dropped')) return
    this.events.emit<'record-dropped'>({
      type: 'record-dropped',
      reason,
      node,
      coordinates,
      detail,
      ...(lane === undefined ? {} : { lane }),
    })
  }

  countDropped(reason: DropReason): void {
    this.counters.add(`dropped_records_total{reason="${reason}"}`)
  }

  silentLoss(reason: SilentLossReason, node: string, item: WorkItem, detail: string): void {
    this.counters.add(`silent_loss_total{reason="${reason}"}`)
    this.log.warnOncePerMinute(`${reason}/${node}`, detail, node)
    if (!this.events.listening('silent-loss')) return
    this.events.emit<'silent-loss'>({ type: 'silent-loss', reason, node, coordinates: item.coordinates, detail })
  }

  processingFailed(error: unknown, node: NodeRuntime, item: WorkItem): unknown {
    return this.gates.ask(
      'processing',
      error,
      node.name,
      item.coordinates,
      item.record?.key ?? item.timer?.key,
      item.lane,
    )
  }

  storeInstance(name: string): StoreInstance<unknown, unknown> | undefined {
    return this.stores.get(name)
  }

  #tellForwarded(from: NodeRuntime, to: NodeRuntime, record: Record<unknown, unknown>, item: WorkItem): void {
    this.events.emit<'record-forwarded'>({
      type: 'record-forwarded',
      from: from.name,
      to: to.name,
      lane: item.lane,
      key: record.key,
      value: record.value,
      timestamp: record.timestamp,
      keyBytes: item.keyBytes,
      coordinates: item.coordinates,
    })
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
   * @returns what the epoch has produced; the next one is open when it resolves
   */
  async cut(): Promise<FinishedEpoch> {
    this.#cutting = true
    if (!this.isQuiet) {
      await new Promise<void>((resolve) => {
        this.#onQuiet = resolve
      })
    }
    const taken = this.epoch.take()
    this.#cutting = false
    return taken
  }

  /** Lets the lanes go on after a cut. */
  resume(): void {
    for (const lane of this.lanes) lane.makeReady()
  }

  #tellQuiet(): void {
    const onQuiet = this.#onQuiet
    if (onQuiet === undefined || !(this.#halted || this.isQuiet)) return
    this.#onQuiet = undefined
    onQuiet()
  }
}
