import type { EngineState, TimerFacts } from '../../events/EngineEvent.js'
import { keyText } from '../../model/keyText.js'
import type { NodeRuntime } from '../nodes/NodeRuntime.js'
import type { WorkItem } from '../nodes/WorkItem.js'
import type { PartitionReader } from '../reading/PartitionReader.js'
import type { SourceReaders } from '../reading/SourceReaders.js'
import type { EngineSnapshot, TimerInspection } from '../Snapshot.js'
import type { LaneQueue, SubTopologyRuntime } from '../scheduling/SubTopologyRuntime.js'
import type { TopologyRunner } from '../TopologyRunner.js'

type NodeFacts = EngineSnapshot['nodes'][number]

export interface SnapshotFacts {
  readonly state: EngineState
  readonly startedAt: number
  readonly epoch: EngineSnapshot['epoch']
  readonly reference: number
  readonly schedules: NonNullable<EngineSnapshot['schedules']>
}

/** Reads all counters and clocks of a run at one moment. */
export function takeSnapshot(
  runner: TopologyRunner,
  readers: SourceReaders | undefined,
  facts: SnapshotFacts,
): EngineSnapshot {
  const wall = runner.clock.now()
  return {
    at: wall,
    state: facts.state,
    uptimeMs: runner.clock.monotonic() - facts.startedAt,
    epoch: facts.epoch,
    clocks: {
      mode: runner.config['time.mode'],
      wall,
      reference: facts.reference,
      partitions: readers === undefined ? [] : readers.all.map(partitionFacts),
    },
    nodes: [...runner.nodes.values()].map((node) => nodeFacts(runner, node)),
    ...(facts.schedules.length === 0 ? {} : { schedules: facts.schedules }),
    edges: [...runner.nodes.values()].flatMap((node) =>
      node.children.map((link) => ({ from: node.name, to: link.child.name, count: link.count })),
    ),
    lanes: runner.subTopologies.flatMap((sub) => laneFacts(runner, sub)),
    stores: [...runner.stores.values()].map((store) => store.inspect()),
    counters: runner.counters.all(),
  }
}

function partitionFacts(reader: PartitionReader): EngineSnapshot['clocks']['partitions'][number] {
  const { clock, progress } = reader
  return {
    source: clock.source,
    topic: clock.topic,
    partition: clock.partition,
    maxTimestamp: clock.maxTimestamp,
    watermark: clock.watermark,
    idle: clock.idle,
    position: progress.offset,
    lag: reader.lag,
  }
}

function nodeFacts(runner: TopologyRunner, node: NodeRuntime): EngineSnapshot['nodes'][number] {
  return {
    node: node.name,
    subTopology: node.subTopology.index,
    in: node.in,
    out: node.out,
    busyMs: node.busyMs,
    eventClock: runner.clocks.eventClock(node.clockGroup, node.subTopology.index),
    ...(node.timers === undefined ? {} : { timers: { pending: node.timers.pending, ...node.timers.counts } }),
    ...punctuationFacts(node),
  }
}

function punctuationFacts({ subTopology, instances }: NodeRuntime): Pick<NodeFacts, 'punctuations'> {
  if (subTopology.scheduled === 0) return {}
  const own = subTopology.lanes
    .flatMap(({ index }) => subTopology.punctuations(index))
    .filter(({ instance, cancelled, when }) => instances.includes(instance) && !cancelled && when === undefined)
  if (own.length === 0) return {}
  const next = (clock: string) => {
    const times = own.filter(({ type }) => type === clock).map((each) => each.next)
    return times.length === 0 ? null : Math.min(...times, Number.MAX_SAFE_INTEGER)
  }
  return {
    punctuations: {
      planned: own.length,
      nextStreamTime: next('stream-time'),
      nextWallClock: next('wall-clock-time'),
    },
  }
}

function laneFacts(runner: TopologyRunner, sub: SubTopologyRuntime): EngineSnapshot['lanes'][number][] {
  const now = runner.clock.monotonic()
  return sub.lanes.map((lane, index) => {
    const current = lane.current?.entry.subTopology === sub ? lane.current : undefined
    const awaiting = current === undefined ? 0 : now - lane.pendingSince
    return {
      subTopology: sub.index,
      lane: index,
      queued: (sub.queues[index] as LaneQueue).length,
      capacity: sub.capacity,
      processed: sub.processed[index] as number,
      timersFired: sub.timersFired[index] as number,
      busyMs: lane.busyMs + awaiting,
      current: current === undefined ? null : itemText(current),
      awaitingMs: awaiting,
    }
  })
}

/** What an item is, for people: `onTimer k0`, `process k0` or `punctuate 10`. */
export function itemText(item: WorkItem): string {
  if (item.punctuation !== undefined) return `punctuate ${item.punctuation.at}`
  return item.timer === undefined ? `process ${keyText(item.record?.key)}` : `onTimer ${keyText(item.timer.key)}`
}

/** The key that an item is for, as text; undefined where it is for none. */
export function keyOf({ record, timer }: WorkItem): string | undefined {
  if (timer !== undefined) return keyText(timer.key)
  return record === undefined ? undefined : keyText(record.key)
}

/** The earliest pending timers of each processor and lane (`perLane` of each domain). */
export function inspectTimers(runner: TopologyRunner, perLane: number): TimerInspection {
  const timers: TimerFacts[] = []
  let pending = 0
  for (const node of runner.nodes.values()) {
    const { timers: service, affinity } = node
    if (service === undefined || affinity === undefined) continue
    pending += service.pending
    for (const domain of service.domains) {
      for (const lane of node.subTopology.lanes) {
        for (const timer of service.inspect(domain, lane.index, perLane)) {
          timers.push({
            node: node.name,
            lane: affinity.laneOfTimer(timer.keyBytes),
            domain,
            at: timer.at,
            key: affinity.textOf(timer.keyBytes),
            keyBytes: timer.keyBytes,
            ...(timer.name === undefined ? {} : { name: timer.name }),
          })
        }
      }
    }
  }
  return { timers, leftOut: pending - timers.length }
}
