import type { WireSnapshot } from '@lanescope/shared'

type NodeCounts = WireSnapshot['nodes'][number]
type LaneCounts = WireSnapshot['lanes'][number]

/** One snapshot with its counters looked up by name, so that a rate costs one look-up a reading. */
export interface Reading {
  /** Wall-clock ms at which the run read its counters. */
  readonly at: number
  readonly nodes: ReadonlyMap<string, NodeCounts>
  readonly edges: ReadonlyMap<string, number>
  readonly lanes: ReadonlyMap<string, LaneCounts>
}

/** What rates are made of. Both lists are in order of time, the newest last. */
export interface History {
  /** Every reading of the last second, and the one just before it. */
  readonly recent: readonly Reading[]
  /** One reading a second, over the last minute. */
  readonly minute: readonly Reading[]
}

export const RATE_WINDOW_MS = 1_000
export const HISTORY_MS = 60_000
/** From less, one record more or less would make a rate of its own: a first one after 50 ms reads as 20 a second. */
const LEAST_RATE_SPAN_MS = 500

export const emptyHistory: History = { recent: [], minute: [] }

export function edgeKey(from: string, to: string): string {
  return `${from}\u0000${to}`
}

/** The names that an edge's key is made of. */
export function edgeEnds(key: string): { readonly from: string; readonly to: string } {
  const [from = '', to = ''] = key.split('\u0000')
  return { from, to }
}

export function laneKey(subTopology: number, lane: number): string {
  return `${subTopology}/${lane}`
}

export function toReading(snapshot: WireSnapshot): Reading {
  return {
    at: snapshot.at,
    nodes: new Map(snapshot.nodes.map((node) => [node.node, node])),
    edges: new Map(snapshot.edges.map((edge) => [edgeKey(edge.from, edge.to), edge.count])),
    lanes: new Map(snapshot.lanes.map((lane) => [laneKey(lane.subTopology, lane.lane), lane])),
  }
}

/** Adds the newest reading; one that is not newer than the last is left out. */
export function addReading(history: History, reading: Reading): History {
  const last = history.recent.at(-1)
  if (last !== undefined && reading.at <= last.at) return history
  const lastSecond = history.minute.at(-1)
  const opensSecond = lastSecond === undefined || Math.floor(reading.at / 1_000) > Math.floor(lastSecond.at / 1_000)
  return {
    recent: keepSpan([...history.recent, reading], RATE_WINDOW_MS),
    minute: opensSecond ? keepSpan([...history.minute, reading], HISTORY_MS) : history.minute,
  }
}

/** Drops what a window of `spanMs` that ends at the last reading no longer needs; keeps the one it starts from. */
function keepSpan(readings: readonly Reading[], spanMs: number): readonly Reading[] {
  const end = readings.at(-1)?.at ?? 0
  let first = 0
  while (first + 1 < readings.length && (readings[first + 1]?.at ?? end) <= end - spanMs) first++
  return first === 0 ? readings : readings.slice(first)
}

/**
 * How much a counter grew over these readings. A counter that fell has started again from 0 in between
 * (the run restarted in place), so what it shows then is what was added. Unknown values are stepped over.
 */
export function increase(values: readonly (number | undefined)[]): number | null {
  let before: number | undefined
  let grown: number | null = null
  for (const value of values) {
    if (value === undefined) continue
    if (before !== undefined) grown = (grown ?? 0) + (value >= before ? value - before : value)
    before = value
  }
  return grown
}

/** Growth per second; null while no two readings know the counter that are half a second apart. */
export function ratePerSecond(
  readings: readonly Reading[],
  read: (reading: Reading) => number | undefined,
): number | null {
  const known = readings.filter((reading) => read(reading) !== undefined)
  const first = known[0]
  const last = known.at(-1)
  if (first === undefined || last === undefined || last.at - first.at < LEAST_RATE_SPAN_MS) return null
  const grown = increase(known.map(read))
  return grown === null ? null : (grown * 1_000) / (last.at - first.at)
}

/** A rate for each pair of neighbouring readings, for a sparkline; `ageMs` counts back from the last reading. */
export function rateSeries(
  readings: readonly Reading[],
  read: (reading: Reading) => number | undefined,
): readonly { readonly ageMs: number; readonly perSecond: number }[] {
  const end = readings.at(-1)?.at ?? 0
  return readings.slice(1).flatMap((reading, index) => {
    const perSecond = ratePerSecond([readings[index] ?? reading, reading], read)
    return perSecond === null ? [] : [{ ageMs: end - reading.at, perSecond }]
  })
}
