import type { DropReason } from '../../events/EngineEvent.js'
import type { EventHub } from '../../events/EventHub.js'
import { laneOf } from '../../lanes/murmur3.js'
import { keyText } from '../../model/keyText.js'
import type { Record } from '../../model/Record.js'
import type { Clock } from '../../time/Clock.js'
import type { CompiledBoundary } from '../../topology/CompiledTopology.js'
import type { EpochBuffer } from '../epoch/EpochBuffer.js'
import type { PunctuationDesk } from '../firing/PunctuationDesk.js'
import type { TimerDesk } from '../firing/TimerDesk.js'
import type { ErrorGates } from '../gates/ErrorGates.js'
import type { Lane } from '../scheduling/Lane.js'
import { chosenLanes, type LaneBehind, laneBehind } from '../scheduling/laneBehind.js'
import type { SubTopologyRuntime } from '../scheduling/SubTopologyRuntime.js'
import type { NodeInstance } from './NodeInstance.js'
import type { ChildLink, NodeRuntime } from './NodeRuntime.js'
import { WorkItem } from './WorkItem.js'

/** One item in so many is timed; the figures are scaled by it. */
const TIMED_ONE_IN = 16
/** More items than this are seldom at boundaries at once where nothing waits. */
const MOST_SPARE = 256

export interface FlowHost {
  readonly clock: Clock
  readonly events: EventHub
  readonly epoch: EpochBuffer
  readonly gates: ErrorGates
  readonly timers: TimerDesk
  readonly punctuations: PunctuationDesk
  /** It runs as Kafka's test driver does: one lane, `compat: kafka-streams`. */
  readonly isKafkasDriver: boolean
  enqueue(item: WorkItem, sub: SubTopologyRuntime, boundary: boolean): void
  /** Lets an item wait behind its boundary. */
  cross(item: WorkItem, boundary: CompiledBoundary): void
  drop(reason: DropReason, node: string, item: WorkItem, detail: string): void
}

/** How a record goes from node to node: within a lane by calls, over a boundary by a queue, into a sink's output. */
export class RecordFlow {
  #items = 0
  /** Items of boundaries that nobody holds any more. */
  readonly #spare: WorkItem[] = []

  constructor(private readonly host: FlowHost) {}

  /** The item of a boundary has run to its end without a promise: it serves again. */
  spare(item: WorkItem): void {
    if (this.#spare.length < MOST_SPARE) this.#spare.push(item)
  }

  run(item: WorkItem, lane: Lane): void | Promise<void> {
    item.timed = ++this.#items % TIMED_ONE_IN === 0
    if (!item.timed) return this.#enter(item, lane)
    const started = this.host.clock.monotonic()
    const settling = this.#enter(item, lane)
    if (settling === undefined) lane.busyMs += (this.host.clock.monotonic() - started) * TIMED_ONE_IN
    return settling
  }

  #enter(item: WorkItem, lane: Lane): void | Promise<void> {
    const { entry, record } = item
    if (record === undefined) return this.#fire(item, lane)
    entry.in++
    if (entry.compiled.kind === 'source') return this.#fanOut(entry, record, item, lane)
    if (entry.sink !== undefined) return this.#sink(entry, record, item)
    return this.#process(entry, record, item, lane)
  }

  #fire(item: WorkItem, lane: Lane): void | Promise<void> {
    return item.timer === undefined ? this.host.punctuations.fire(item) : this.host.timers.fire(item, lane)
  }

  /** Hands a source's record to its children, one after the other. */
  #fanOut(source: NodeRuntime, record: Record<unknown, unknown>, item: WorkItem, lane: Lane): void | Promise<void> {
    const { children } = source
    for (let i = 0; i < children.length; i++) {
      const settling = this.#handOut(source, children[i] as ChildLink, record, item, lane)
      if (settling !== undefined) return this.#fanOutAfter(settling, children.slice(i + 1), source, record, item, lane)
    }
    return undefined
  }

  /** Goes on once a child has settled. Apart, so that what is synchronous makes no closure (L8). */
  #fanOutAfter(
    settling: Promise<void>,
    rest: readonly ChildLink[],
    source: NodeRuntime,
    record: Record<unknown, unknown>,
    item: WorkItem,
    lane: Lane,
  ): Promise<void> {
    let pending = settling
    for (const link of rest) pending = pending.then(() => this.#handOut(source, link, record, item, lane))
    return pending
  }

  /** A source has no callback around its `deliver`: what fails at a boundary right behind it has its gate here. */
  #handOut(
    source: NodeRuntime,
    link: ChildLink,
    record: Record<unknown, unknown>,
    item: WorkItem,
    lane: Lane,
  ): void | Promise<void> {
    if (link.boundary === undefined) return this.deliver(source, link, record, item, lane)
    try {
      return this.deliver(source, link, record, item, lane)
    } catch (error) {
      const gated = this.host.gates.processingFailed(error, source, item)
      if (gated !== undefined) throw gated
      return undefined
    }
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
    if (this.host.events.listening('record-forwarded')) this.#tellForwarded(from, link.child, record, item)
    if (link.boundary !== undefined) return this.#cross(link.boundary, link, record, item, lane)
    link.child.in++
    if (link.child.sink !== undefined) return this.#sink(link.child, record, item)
    return this.#process(link.child, record, item, lane)
  }

  /** Hands a record to a child on the lane that these bytes hash to: at once if it is this one, else as an item of it (W5). */
  deliverOnLaneOf(
    laneBytes: Uint8Array,
    from: NodeRuntime,
    link: ChildLink,
    record: Record<unknown, unknown>,
    item: WorkItem,
    lane: Lane,
  ): void | Promise<void> {
    const { subTopology } = from
    const laneOfKey = laneOf(laneBytes, subTopology.laneCount)
    // A boundary and a sink are entered from any lane.
    const entered = link.boundary !== undefined || link.child.sink !== undefined
    if (entered || subTopology.running(laneOfKey) === lane.index) return this.deliver(from, link, record, item, lane)
    link.count++
    from.out++
    if (this.host.events.listening('record-forwarded')) this.#tellForwarded(from, link.child, record, item)
    const { stamp, coordinates } = item
    const sent = new WorkItem(link.child, record, laneBytes, true, laneOfKey, stamp, coordinates, null, undefined)
    this.host.enqueue(sent, subTopology, true)
    return undefined
  }

  #process(node: NodeRuntime, record: Record<unknown, unknown>, item: WorkItem, lane: Lane): void | Promise<void> {
    const instance = node.instances[lane.index] as NodeInstance
    return item.timed ? this.#processTimed(node, instance, record, item) : instance.process(record, item)
  }

  #processTimed(
    node: NodeRuntime,
    instance: NodeInstance,
    record: Record<unknown, unknown>,
    item: WorkItem,
  ): void | Promise<void> {
    const outer = item.childMs
    item.childMs = 0
    const started = this.host.clock.monotonic()
    const done = () => {
      const took = this.host.clock.monotonic() - started
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
    const sink = node.sink as NonNullable<NodeRuntime['sink']>
    try {
      if (sink.isPartitioned) this.#sinkChosen(node, record, item)
      else sink.write(record, this.host.epoch.outputs, item.coordinates)
    } catch (error) {
      const { coordinates, lane } = item
      const gated = this.host.gates.ask(
        'production',
        error,
        node.name,
        coordinates,
        record.key,
        lane,
        undefined,
        undefined,
        record,
      )
      if (gated !== undefined) throw gated
    }
  }

  /** To the partitions that the user's partitioner picks; to none, the record is dropped, as in Kafka Streams (G3). */
  #sinkChosen(node: NodeRuntime, record: Record<unknown, unknown>, item: WorkItem): void {
    const sink = node.sink as NonNullable<NodeRuntime['sink']>
    const written = sink.writeChosen(record, this.host.epoch.outputs, item.coordinates)
    if (written === 0) this.#dropUnplaced(node.name, record, item)
  }

  #dropUnplaced(node: string, { key }: Record<unknown, unknown>, item: WorkItem): void {
    this.host.drop(
      'no_partition',
      node,
      item,
      `The partitioner of "${node}" picked no place for the key ${keyText(key)}.`,
    )
  }

  /** Crosses to the lane of the record's key, in memory (B1), or to those that a partitioner picks (L9). */
  #cross(
    boundary: CompiledBoundary,
    { child, place }: ChildLink,
    record: Record<unknown, unknown>,
    item: WorkItem,
    lane: Lane,
  ): void | Promise<void> {
    const target = child.subTopology
    const lanes = chosenLanes(boundary, record, target)
    if (lanes === undefined) {
      const crossed = this.#crossed(boundary, child, record, item, laneBehind(boundary, place, record, target))
      // Where Kafka Streams does not cross, its driver goes on at once, depth first (B6, D1).
      if (boundary.by === 'rule' && this.host.isKafkasDriver) return this.#enterAtOnce(crossed, item, lane)
      this.host.cross(crossed, boundary)
      return undefined
    }
    if (lanes.length === 0) this.#dropUnplaced(boundary.from, record, item)
    for (const lane of lanes) {
      const crossed = this.#crossed(boundary, child, record, item, { lane, keyBytes: null, hashed: false })
      this.host.cross(crossed, boundary)
    }
    return undefined
  }

  #enterAtOnce(crossed: WorkItem, from: WorkItem, lane: Lane): void | Promise<void> {
    try {
      return this.#enter(crossed, lane)
    } finally {
      // Whoever catches it in front of the boundary hides nothing (A3).
      from.fatal ??= crossed.fatal
    }
  }

  /** The item that a record is behind a boundary. */
  #crossed(
    boundary: CompiledBoundary,
    child: NodeRuntime,
    record: Record<unknown, unknown>,
    item: WorkItem,
    { lane, keyBytes, hashed, serde }: LaneBehind,
  ): WorkItem {
    if (this.host.events.listening('boundary-crossed')) {
      this.host.events.emit<'boundary-crossed'>({
        type: 'boundary-crossed',
        from: boundary.from,
        to: boundary.to,
        fromLane: item.lane,
        toLane: lane,
      })
    }
    const { stamp, coordinates } = item
    const crossed =
      this.#spare.pop()?.again(child, record, keyBytes, hashed, lane, stamp, coordinates) ??
      new WorkItem(child, record, keyBytes, hashed, lane, stamp, coordinates, null, undefined)
    crossed.keySerde = serde
    return crossed
  }

  #tellForwarded(from: NodeRuntime, to: NodeRuntime, record: Record<unknown, unknown>, item: WorkItem): void {
    this.host.events.emit<'record-forwarded'>({
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
}
