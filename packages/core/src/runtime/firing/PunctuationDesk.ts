import { StreamError } from '../../errors/index.js'
import type { EventHub } from '../../events/EventHub.js'
import type { PunctuationType, Punctuator } from '../../processor/contexts.js'
import type { ScheduleOptions } from '../../processor/OperatorContext.js'
import type { Cancellable, Clock } from '../../time/Clock.js'
import type { ClockBoard } from '../clocks/ClockBoard.js'
import type { EpochBuffer } from '../epoch/EpochBuffer.js'
import type { NodeInstance } from '../nodes/NodeInstance.js'
import type { NodeRuntime } from '../nodes/NodeRuntime.js'
import { WorkItem } from '../nodes/WorkItem.js'
import type { Lane } from '../scheduling/Lane.js'
import type { SubTopologyRuntime } from '../scheduling/SubTopologyRuntime.js'
import { nextMultiple, Punctuation } from './Punctuation.js'

export interface PunctuationHost {
  readonly clock: Clock
  readonly clocks: ClockBoard
  readonly epoch: EpochBuffer
  readonly events: EventHub
  readonly subTopologies: readonly SubTopologyRuntime[]
  /** The sources that move each clock group. */
  readonly clockGroups: readonly (readonly string[])[]
  readonly isKafkasDriver: boolean
  /** Something is to fire at this wall-clock time. */
  planned(at: number): void
}

/** Lanes that are held until all of them rest, for a schedule of a whole node. */
interface Gathering {
  readonly punctuation: Punctuation
  readonly lanes: readonly Lane[]
  started: boolean
}

/** Plans and fires the schedules of processors (W5): each as an item of its lane, serial with the lane's records. */
export class PunctuationDesk {
  /** Schedules of whole nodes: the n-th of one instance is the n-th of every other, and there is one of it. */
  readonly #wholeNode = new Map<NodeRuntime, Punctuation[]>()
  readonly #wholeNodeCalls = new Map<NodeInstance, number>()
  readonly #scans: Punctuation[] = []
  #gathering: Gathering | undefined
  #open = false
  #waiting = false

  constructor(private readonly host: PunctuationHost) {}

  /** Every processor is ready: from now on schedules fire (T8). */
  open(): void {
    this.#open = true
    this.noticeScans()
    this.wakeDue()
  }

  /**
   * Something has failed in Kafka's driver: what is due by stream time waits until another record is done, as there
   * punctuation comes behind a record alone (`kafka-streams.md` C.8).
   */
  awaitRecord(): void {
    this.#waiting = true
  }

  /** A record is done. */
  recordDone(): void {
    if (!this.#waiting) return
    this.#waiting = false
    this.wakeDue()
  }

  /**
   * Looks which scans have something to do now that event clocks have moved. From then on until it is done, a scan's node
   * and all behind it see the clock from before: nothing of theirs closes, fires or expires before the results are there.
   */
  noticeScans(): void {
    if (!this.#open) return
    for (const scan of this.#scans) if (scan.pending === undefined && !scan.cancelled) this.#notice(scan)
  }

  /** @throws StreamError ILLEGAL_STATE for an interval, type or start that cannot be */
  schedule(
    instance: NodeInstance,
    intervalMs: number,
    type: PunctuationType,
    callback: Punctuator,
    { scope = 'lane', startMs, when }: ScheduleOptions = {},
  ): Cancellable {
    check(instance, intervalMs, type, startMs)
    const wholeNode = scope === 'node'
    const known = wholeNode ? this.#known(instance) : undefined
    if (known !== undefined) return known
    const first = this.#first(type, intervalMs, startMs)
    const made = new Punctuation(instance, type, intervalMs, callback, first, wholeNode, when)
    if (wholeNode) this.#wholeNode.get(instance.node)?.push(made)
    const { lane, node } = instance
    node.subTopology.addPunctuation(lane.index, made)
    if (when !== undefined) {
      made.seen = this.#streamTime(made)
      this.#scans.push(made)
    }
    if (type === 'wall-clock-time') this.host.planned(first)
    else if (this.#open && this.#isDue(made)) lane.makeReady()
    return made
  }

  /**
   * What a lane is to fire now: stream time before wall clock, the earliest first. One for the whole node holds the
   * node's lanes, and comes once they rest.
   */
  takeDue(lane: Lane, sub: SubTopologyRuntime): WorkItem | undefined {
    if (!this.#open) return undefined
    sub.dropCancelled(lane.index)
    let due: Punctuation | undefined
    for (const candidate of sub.punctuations(lane.index)) {
      if (!this.#isDue(candidate) || (due !== undefined && !comesBefore(candidate, due))) continue
      due = candidate
    }
    if (due === undefined) return undefined
    return due.wholeNode && sub.lanes.length > 1 ? this.#gather(due, lane, sub) : this.#item(due)
  }

  fire(item: WorkItem): void | Promise<void> {
    const { punctuation, at } = item.punctuation as NonNullable<WorkItem['punctuation']>
    return punctuation.instance.punctuate(punctuation.callback, at, item, (changed, forwarded) => {
      if (changed) this.host.epoch.touch()
      // Scans of the DSL's own operators are no schedules of anybody's.
      if (punctuation.when === undefined && this.host.events.listening('punctuated')) this.#tell(item, forwarded)
    })
  }

  #tell(item: WorkItem, forwarded: number): void {
    const { punctuation, at } = item.punctuation as NonNullable<WorkItem['punctuation']>
    const { instance, type: clock, wholeNode } = punctuation
    const scope = wholeNode ? 'node' : 'lane'
    const { node, lane } = instance
    this.host.events.emit<'punctuated'>({
      type: 'punctuated',
      node: node.name,
      lane: lane.index,
      clock,
      scope,
      at,
      forwarded,
    })
  }

  /** A callback of a schedule is over: lanes that it held go on. A scan that has not got through comes again. */
  finished(item: WorkItem): void {
    const scan = item.punctuation?.punctuation
    if (scan?.when !== undefined) {
      scan.pending = undefined
      this.#notice(scan, item.punctuation?.at)
    }
    if (item.punctuation?.punctuation === this.#gathering?.punctuation) this.#release()
  }

  /** A held lane has come to rest. */
  atRest(): void {
    const gathering = this.#gathering
    if (gathering === undefined || gathering.started || gathering.lanes.some((lane) => lane.busy)) return
    const { punctuation } = gathering
    if (!this.#isDue(punctuation)) {
      this.#release()
      return
    }
    gathering.started = true
    const owner = punctuation.instance.lane
    owner.first = this.#item(punctuation)
    owner.makeReady()
  }

  /** A cut begins: lanes that are held drain what crosses boundaries first (E8); the schedule stays due. */
  yieldToCut(): void {
    if (this.#gathering?.started === false) this.#release()
  }

  /** Stream time has moved, or lanes may start again: those with a schedule that is due get to run. */
  wakeDue(): void {
    if (!this.#open) return
    this.#forAll((punctuation) => {
      if (this.#isDue(punctuation)) punctuation.instance.lane.makeReady()
    })
  }

  /** The wall clock has moved. */
  wallClockMoved(): void {
    const now = this.host.clock.now()
    this.#forAll((punctuation) => {
      if (punctuation.type === 'wall-clock-time' && punctuation.next <= now) punctuation.marked = true
    })
    this.wakeDue()
  }

  /** The earliest wall-clock schedule that no lane has been told of; undefined when there is none. */
  earliestByWallClock(): number | undefined {
    let earliest: number | undefined
    this.#forAll(({ type, marked, next }) => {
      if (type !== 'wall-clock-time' || marked || next === Number.POSITIVE_INFINITY) return
      if (earliest === undefined || next < earliest) earliest = next
    })
    return earliest
  }

  /** The one of this node that another lane's instance has made at the same place; each call goes one place on. */
  #known(instance: NodeInstance): Punctuation | undefined {
    const place = this.#wholeNodeCalls.get(instance) ?? 0
    this.#wholeNodeCalls.set(instance, place + 1)
    const ofNode = this.#wholeNode.get(instance.node) ?? []
    this.#wholeNode.set(instance.node, ofNode)
    return ofNode[place]
  }

  /** B.4: stream time begins at 0, so with the first record; the wall clock an interval after the registration. */
  #first(type: PunctuationType, intervalMs: number, startMs: number | undefined): number {
    if (type === 'stream-time') return startMs ?? 0
    const now = this.host.clock.now()
    if (startMs === undefined) return nextMultiple(now, intervalMs, now)
    return startMs >= now ? startMs : nextMultiple(startMs, intervalMs, now)
  }

  #isDue(punctuation: Punctuation): boolean {
    if (punctuation.type === 'wall-clock-time') return punctuation.marked && !punctuation.cancelled
    if (punctuation.when !== undefined) return punctuation.pending !== undefined && !punctuation.cancelled
    return !this.#waiting && punctuation.next <= this.#streamTime(punctuation)
  }

  #notice(scan: Punctuation, at = this.#streamTime(scan)): void {
    if (at < 0 || scan.when?.(at) !== true) {
      scan.seen = Math.max(scan.seen, at)
      return
    }
    const { subTopology, clock } = scan.instance.node
    const groups = this.#groupsBehind(clock.clockGroup)
    scan.pending = { at, stamp: this.host.clocks.holdBefore(groups, scan.seen, subTopology.index) }
    scan.instance.lane.makeReady()
  }

  /** The clock groups of nodes that may lie behind one of this group: all of its sources move them too. */
  #groupsBehind(group: number): readonly number[] {
    const { clockGroups } = this.host
    const sources = clockGroups[group] as readonly string[]
    return clockGroups.flatMap((members, index) => (sources.every((source) => members.includes(source)) ? index : []))
  }

  #streamTime({ instance }: Punctuation): number {
    const node = instance.node.clock
    const { clocks, isKafkasDriver } = this.host
    // What has yet to cross holds nobody back there: one stream time for all (`kafka-streams.md` B.2).
    return isKafkasDriver
      ? clocks.sourceClock(node.clockGroup)
      : clocks.eventClock(node.clockGroup, node.subTopology.index)
  }

  #item(punctuation: Punctuation): WorkItem {
    const { clock, clocks } = this.host
    const { instance, type, pending } = punctuation
    const at = pending !== undefined ? pending.at : type === 'stream-time' ? this.#streamTime(punctuation) : clock.now()
    punctuation.fires(at)
    if (type === 'wall-clock-time') this.host.planned(punctuation.next)
    const sub = instance.node.subTopology.index
    const stamp = pending?.stamp ?? clocks.stampFor(sub)
    if (pending === undefined) clocks.hold(stamp, sub)
    const item = new WorkItem(instance.node, undefined, null, false, instance.lane.index, stamp, null, null, undefined)
    item.punctuation = { punctuation, at }
    return item
  }

  #gather(punctuation: Punctuation, lane: Lane, { lanes }: SubTopologyRuntime): WorkItem | undefined {
    // One at a time: whoever comes second is woken when the first is over.
    if (this.#gathering !== undefined) return undefined
    this.#gathering = { punctuation, lanes, started: false }
    for (const member of lanes) member.held = true
    if (lanes.some((member) => member !== lane && member.busy)) return undefined
    this.#gathering.started = true
    return this.#item(punctuation)
  }

  #release(): void {
    const gathering = this.#gathering
    this.#gathering = undefined
    for (const lane of gathering?.lanes ?? []) {
      lane.held = false
      lane.makeReady()
    }
    this.wakeDue()
  }

  #forAll(visit: (punctuation: Punctuation) => void): void {
    for (const sub of this.host.subTopologies) {
      if (sub.scheduled === 0) continue
      for (const lane of sub.lanes) for (const punctuation of sub.punctuations(lane.index)) visit(punctuation)
    }
  }
}

function comesBefore(a: Punctuation, b: Punctuation): boolean {
  if (a.type !== b.type) return a.type === 'stream-time'
  return a.next < b.next
}

function check(instance: NodeInstance, intervalMs: number, type: PunctuationType, startMs: number | undefined): void {
  const refuse = (problem: string) =>
    new StreamError(`Node "${instance.node.name}" scheduled a callback ${problem}`, {
      code: 'PUNCTUATION_INVALID',
      kind: 'user',
      retriable: false,
      context: { node: instance.node.name, lane: instance.lane.index },
    })
  if (!Number.isSafeInteger(intervalMs) || intervalMs < 1) {
    throw refuse(`every ${intervalMs} ms. The interval must be an integer of at least 1 ms.`)
  }
  if (type !== 'stream-time' && type !== 'wall-clock-time') {
    throw refuse(`by "${type}". Its clock is stream-time or wall-clock-time.`)
  }
  if (startMs !== undefined && (!Number.isSafeInteger(startMs) || startMs < 0)) {
    throw refuse(`from ${startMs} on. startMs must be an integer of 0 … 2^53−1 ms.`)
  }
}
