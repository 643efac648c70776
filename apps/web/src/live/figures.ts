import type { WireHotKey, WireSnapshot } from '@lanescope/shared'
import { edgeEnds, edgeKey, laneKey, type Reading, ratePerSecond } from './readings.js'

/** What is known of a node now. Rates are over the last second; null while they are not known yet. */
export interface NodeFigures {
  readonly node: string
  readonly subTopology: number
  readonly in: number
  readonly out: number
  readonly inPerSecond: number | null
  readonly outPerSecond: number | null
  /** How many callbacks were busy on average, over its lanes: 1 is one lane all the time. */
  readonly busy: number | null
  readonly eventClock: number
  readonly timers: TimerFigures | null
}

export interface TimerFigures {
  readonly pending: number
  readonly fired: number
  readonly replaced: number
  readonly deleted: number
  readonly splits: number
  readonly firedPerSecond: number | null
  readonly replacedPerSecond: number | null
  readonly splitsPerSecond: number | null
}

export interface LaneFigures {
  readonly subTopology: number
  readonly lane: number
  readonly queued: number
  readonly capacity: number
  /** Whether the queue is longer than at the start of the window. */
  readonly growing: boolean
  readonly processed: number
  readonly timersFired: number
  readonly perSecond: number | null
  readonly timersPerSecond: number | null
  /** 0 … 1 of the last second. */
  readonly busy: number | null
  readonly current: string | null
  readonly awaitingMs: number
  /** The key with the largest share of the lane's records in the last second. */
  readonly topKey: { readonly key: string; readonly share: number } | null
}

export interface Figures {
  readonly nodes: ReadonlyMap<string, NodeFigures>
  /** Records per second by `edgeKey`. */
  readonly edges: ReadonlyMap<string, number | null>
  readonly lanes: readonly LaneFigures[]
}

export const noFigures: Figures = { nodes: new Map(), edges: new Map(), lanes: [] }

/** Figures of the newest reading. What did not change keeps its identity, so that a view of it does not render. */
export function toFigures(
  readings: readonly Reading[],
  hotKeys: readonly WireHotKey[],
  previous: Figures = noFigures,
): Figures {
  const newest = readings.at(-1)
  if (newest === undefined) return noFigures
  const nodes = new Map<string, NodeFigures>()
  for (const counts of newest.nodes.values()) {
    nodes.set(counts.node, keep(previous.nodes.get(counts.node), nodeFigures(counts, readings)))
  }
  const edges = new Map<string, number | null>()
  for (const key of newest.edges.keys()) {
    edges.set(
      key,
      ratePerSecond(readings, (reading) => reading.edges.get(key)),
    )
  }
  // Of several for one lane the first counts.
  const hottest = new Map(hotKeys.toReversed().map((hot) => [laneKey(hot.subTopology, hot.lane), hot]))
  const lanes = [...newest.lanes.entries()].map(([key, counts], index) =>
    keep(previous.lanes[index], laneFigures(key, counts, readings, hottest.get(key))),
  )
  return { nodes, edges, lanes }
}

/** One node of the document that the topology runs as several: what enters, what leaves, and all their work. */
export function combineNodes(figures: Figures, names: readonly string[]): NodeFigures | undefined {
  const parts = names.flatMap((name) => figures.nodes.get(name) ?? [])
  const first = parts[0]
  const last = parts.at(-1)
  if (first === undefined || last === undefined || parts.length === 1) return first
  const known = parts.flatMap((part) => part.busy ?? [])
  const entries = entriesOf(figures, parts)
  const rates = entries.flatMap((part) => part.inPerSecond ?? [])
  return {
    ...first,
    in: entries.reduce((sum, part) => sum + part.in, 0),
    inPerSecond: rates.length === 0 ? null : rates.reduce((sum, rate) => sum + rate, 0),
    out: last.out,
    outPerSecond: last.outPerSecond,
    busy: known.length === 0 ? null : known.reduce((sum, busy) => sum + busy, 0),
    eventClock: Math.max(...parts.map((part) => part.eventClock)),
    timers: parts.find((part) => part.timers !== null)?.timers ?? null,
  }
}

/** Whether anything leads into one of these nodes from another one. */
export function isFed(figures: Figures, names: readonly string[]): boolean {
  return [...figures.edges.keys()].some((key) => {
    const { from, to } = edgeEnds(key)
    return names.includes(to) && !names.includes(from)
  })
}

/** Those of a document node's parts that something from outside leads into. */
export function entryNames(figures: Figures, names: readonly string[]): readonly string[] {
  const parts = names.flatMap((name) => figures.nodes.get(name) ?? [])
  return parts.length === 0 ? names : entriesOf(figures, parts).map((part) => part.node)
}

/** The parts that something from outside leads into, such as both sides of a join; else the first. */
function entriesOf(figures: Figures, parts: readonly NodeFigures[]): readonly NodeFigures[] {
  const inside = new Set(parts.map((part) => part.node))
  const entered = new Set<string>()
  for (const key of figures.edges.keys()) {
    const { from, to } = edgeEnds(key)
    if (!inside.has(from)) entered.add(to)
  }
  const entries = parts.filter((part) => entered.has(part.node))
  return entries.length === 0 ? parts.slice(0, 1) : entries
}

/** What crosses from one node of the document to another, over the nodes that they run as. */
export function combineEdges(figures: Figures, from: readonly string[], to: readonly string[]): number | null {
  const known = from.flatMap((one) => to.flatMap((other) => edgeRate(figures, one, other) ?? []))
  return known.length === 0 ? null : known.reduce((sum, rate) => sum + rate, 0)
}

export function edgeRate(figures: Figures, from: string, to: string): number | null {
  return figures.edges.get(edgeKey(from, to)) ?? null
}

export function lanesOf(figures: Figures, subTopology: number): readonly LaneFigures[] {
  return figures.lanes.filter((lane) => lane.subTopology === subTopology)
}

function nodeFigures(counts: WireSnapshot['nodes'][number], readings: readonly Reading[]): NodeFigures {
  const rate = (read: (node: WireSnapshot['nodes'][number]) => number | undefined) =>
    ratePerSecond(readings, (reading) => {
      const node = reading.nodes.get(counts.node)
      return node && read(node)
    })
  const busyMsPerSecond = rate((node) => node.busyMs)
  return {
    node: counts.node,
    subTopology: counts.subTopology ?? 0,
    in: counts.in,
    out: counts.out,
    inPerSecond: rate((node) => node.in),
    outPerSecond: rate((node) => node.out),
    busy: busyMsPerSecond === null ? null : busyMsPerSecond / 1_000,
    eventClock: counts.eventClock,
    timers: counts.timers
      ? {
          ...counts.timers,
          firedPerSecond: rate((node) => node.timers?.fired),
          replacedPerSecond: rate((node) => node.timers?.replaced),
          splitsPerSecond: rate((node) => node.timers?.splits),
        }
      : null,
  }
}

function laneFigures(
  key: string,
  counts: WireSnapshot['lanes'][number],
  readings: readonly Reading[],
  top: WireHotKey | undefined,
): LaneFigures {
  const busyMsPerSecond = ratePerSecond(readings, (reading) => reading.lanes.get(key)?.busyMs)
  const before = readings[0]?.lanes.get(key)
  const { subTopology, lane } = counts
  return {
    subTopology,
    lane,
    queued: counts.queued,
    capacity: counts.capacity,
    growing: before !== undefined && counts.queued > before.queued,
    processed: counts.processed,
    timersFired: counts.timersFired,
    perSecond: ratePerSecond(readings, (reading) => reading.lanes.get(key)?.processed),
    timersPerSecond: ratePerSecond(readings, (reading) => reading.lanes.get(key)?.timersFired),
    busy: busyMsPerSecond === null ? null : Math.min(1, busyMsPerSecond / 1_000),
    current: counts.current,
    awaitingMs: counts.awaitingMs,
    topKey: top ? { key: top.key, share: top.share } : null,
  }
}

function keep<T extends object>(before: T | undefined, now: T): T {
  return before !== undefined && JSON.stringify(before) === JSON.stringify(now) ? before : now
}
