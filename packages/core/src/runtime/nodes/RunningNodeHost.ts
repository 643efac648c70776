import { StaleIncarnationError } from '../../errors/index.js'
import type { DropReason, SilentLossReason } from '../../events/EngineEvent.js'
import type { Record } from '../../model/Record.js'
import type { PunctuationType, Punctuator } from '../../processor/contexts.js'
import type { ScheduleOptions } from '../../processor/OperatorContext.js'
import type { StoreInstance } from '../../state/StoreBuilder.js'
import type { Cancellable, Clock } from '../../time/Clock.js'
import type { Random } from '../../time/Random.js'
import type { TimerRegistration, TimerTarget } from '../../timers/Timer.js'
import type { CompiledNode } from '../../topology/CompiledTopology.js'
import type { ClockBoard } from '../clocks/ClockBoard.js'
import type { Lane } from '../scheduling/Lane.js'
import type { TopologyRunner } from '../TopologyRunner.js'
import type { NodeHost, NodeInstance } from './NodeInstance.js'
import type { ChildLink, NodeRuntime } from './NodeRuntime.js'
import type { RecordFlow } from './RecordFlow.js'
import type { WorkItem } from './WorkItem.js'

/** What the callbacks of a topology at work reach of it: its one way in for user code. */
export class RunningNodeHost implements NodeHost {
  readonly applicationId: string
  readonly clock: Clock
  readonly random: Random
  readonly clocks: ClockBoard
  readonly emulatesKafka: boolean
  /** Whether the time of each record that reaches a node moves its clock at once: the driver under `stream-time` (W2). */
  readonly clocksFollowRecords: boolean
  readonly #isDriver: boolean
  readonly #byWatermark: boolean

  constructor(
    private readonly runner: TopologyRunner,
    private readonly flow: RecordFlow,
  ) {
    this.applicationId = runner.applicationId
    this.clock = runner.clock
    this.random = runner.random
    this.clocks = runner.clocks
    this.emulatesKafka = runner.emulatesKafka
    this.#isDriver = runner.options.driver
    this.#byWatermark = runner.config['time.mode'] === 'watermark'
    this.clocksFollowRecords = this.#isDriver && !this.#byWatermark
  }

  get signal(): AbortSignal {
    return this.runner.signal
  }

  get halted(): boolean {
    return this.runner.halted
  }

  stale(node: string, lane: number): StaleIncarnationError {
    this.runner.counters.add('stale_calls_total')
    return new StaleIncarnationError({ node, lane })
  }

  deliver(
    from: NodeRuntime,
    link: ChildLink,
    record: Record<unknown, unknown>,
    item: WorkItem,
    lane: Lane,
  ): void | Promise<void> {
    return this.flow.deliver(from, link, record, item, lane)
  }

  deliverOnLaneOf(
    laneBytes: Uint8Array,
    from: NodeRuntime,
    link: ChildLink,
    record: Record<unknown, unknown>,
    item: WorkItem,
    lane: Lane,
  ): void | Promise<void> {
    return this.flow.deliverOnLaneOf(laneBytes, from, link, record, item, lane)
  }

  observe(node: NodeRuntime, item: WorkItem, timestamp: number): number {
    const stamped = item.stamp.values[node.clockGroup] as number
    if (this.#byWatermark) return stamped
    if (!this.#isDriver) return Math.max(stamped, timestamp)
    const { clock } = node
    clock.observed = Math.max(clock.observed, timestamp)
    return clock.observed
  }

  /** The event clock that a callback sees (W7). In the driver's stream time the record that it is about counts, too (B.2). */
  eventTime(node: NodeRuntime, item: WorkItem): number {
    // There what has yet to cross holds nobody back: one stream time for all (`kafka-streams.md` B.2).
    const clock = this.runner.isKafkasDriver
      ? this.clocks.sourceClock(node.clockGroup)
      : this.clocks.eventClock(node.clockGroup, node.subTopology.index)
    return this.clocksFollowRecords ? Math.max(clock, item.coordinates?.timestamp ?? -1) : clock
  }

  drop(reason: DropReason, node: string, item: WorkItem, detail: string): void {
    this.runner.drop(reason, node, item, detail)
  }

  silentLoss(reason: SilentLossReason, node: string, item: WorkItem, detail: string): void {
    this.runner.losses.silent(reason, node, item.coordinates, detail)
  }

  warn(node: string, message: string): void {
    this.runner.log.warnOncePerMinute(`warn/${node}`, message, node)
  }

  processingFailed(
    error: unknown,
    node: NodeRuntime,
    item: WorkItem,
    input: Record<unknown, unknown> | undefined,
  ): unknown {
    return this.runner.gates.processingFailed(error, node, item, input)
  }

  compiledNode(name: string): CompiledNode {
    return this.runner.options.compiled.node(name)
  }

  registerTimer(node: NodeRuntime, timer: TimerRegistration<unknown>, keyBytes: Uint8Array): void {
    this.runner.timers.register(node, timer, keyBytes)
  }

  deleteTimer(node: NodeRuntime, timer: TimerTarget<unknown>, keyBytes: Uint8Array): void {
    this.runner.timers.delete(node, timer, keyBytes)
  }

  schedule(
    instance: NodeInstance,
    intervalMs: number,
    type: PunctuationType,
    callback: Punctuator,
    options: ScheduleOptions | undefined,
  ): Cancellable {
    return this.runner.punctuations.schedule(instance, intervalMs, type, callback, options)
  }

  storeInstance(name: string): StoreInstance<unknown, unknown> | undefined {
    return this.runner.stores.get(name)
  }
}
