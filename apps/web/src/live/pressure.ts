import type { WireSnapshot } from '@lanescope/shared'
import type { Figures, LaneFigures } from './figures.js'

/** A lane that holds records back, and by what it was judged. */
export interface LaneCause {
  readonly subTopology: number
  readonly lane: number
  readonly why: 'full' | 'busy'
  readonly queued: number
  readonly capacity: number
  readonly busy: number | null
}

/** Who causes back-pressure and who waits on it: two different things, drawn apart. */
export interface Pressure {
  readonly lanes: readonly LaneCause[]
  /** By node: the lane that makes it the cause. */
  readonly causes: ReadonlyMap<string, LaneCause>
  /** By source: the node it waits on, and how many of its records were not read yet. */
  readonly victims: ReadonlyMap<string, { readonly waitsOn: string; readonly lag: number }>
}

export const noPressure: Pressure = { lanes: [], causes: new Map(), victims: new Map() }

/** A lane is that busy, and its queue grows: it cannot keep up. */
export const BUSY_LIMIT = 0.95

export function causeOf(lane: LaneFigures): LaneCause | null {
  const full = lane.capacity > 0 && lane.queued >= lane.capacity
  const overloaded = lane.busy !== null && lane.busy >= BUSY_LIMIT && lane.growing
  if (!full && !overloaded) return null
  const { subTopology, queued, capacity, busy } = lane
  return { subTopology, lane: lane.lane, why: full ? 'full' : 'busy', queued, capacity, busy }
}

/** Finds the busiest step of each sub-topology with a pressed lane, and the lagging sources upstream of it. */
export function toPressure(figures: Figures, snapshot: WireSnapshot): Pressure {
  const lanes = figures.lanes.flatMap((lane) => causeOf(lane) ?? [])
  if (lanes.length === 0) return noPressure
  const lagOf = new Map<string, number>()
  for (const { source, lag } of snapshot.clocks.partitions) lagOf.set(source, (lagOf.get(source) ?? 0) + lag)
  const causes = new Map<string, LaneCause>()
  const victims = new Map<string, { waitsOn: string; lag: number }>()
  for (const cause of lanes) {
    const node = busiestNode(figures, cause.subTopology, lagOf)
    if (node === null || isWorse(causes.get(node), cause)) continue
    causes.set(node, cause)
    for (const source of upstream(node, snapshot.edges)) {
      const lag = lagOf.get(source) ?? 0
      if (lag > 0 && source !== node) victims.set(source, { waitsOn: node, lag })
    }
  }
  return { lanes, causes, victims }
}

function isWorse(known: LaneCause | undefined, other: LaneCause): boolean {
  if (known === undefined) return false
  return known.why === other.why ? (known.busy ?? 0) >= (other.busy ?? 0) : known.why === 'full'
}

function busiestNode(figures: Figures, subTopology: number, sources: ReadonlyMap<string, number>): string | null {
  let found: string | null = null
  let most = 0
  for (const node of figures.nodes.values()) {
    if (node.subTopology !== subTopology || sources.has(node.node)) continue
    if ((node.busy ?? 0) > most) {
      most = node.busy ?? 0
      found = node.node
    }
  }
  return found
}

function upstream(node: string, edges: WireSnapshot['edges']): ReadonlySet<string> {
  const reached = new Set([node])
  for (const name of reached) for (const edge of edges) if (edge.to === name) reached.add(edge.from)
  return reached
}
