import type { CompiledBoundary, CompiledTopology } from '../topology/CompiledTopology.js'

/** Operators whose `Grouped` names the serde of the keys that come to them. */
const GROUPED = new Set(['windowed-count', 'count', 'reduce', 'aggregate'])

/**
 * The node behind a boundary at which its key serde can be declared (B2): the nearest aggregation, or sink, that the
 * keys reach unchanged. Undefined where there is none.
 */
export function declarerBelow(topology: CompiledTopology, { to }: Pick<CompiledBoundary, 'to'>): string | undefined {
  const reached = new Set([to])
  for (const name of reached) {
    const { kind, facts, changesKey, children } = topology.node(name)
    if (kind === 'sink' || GROUPED.has(facts?.operator ?? '')) return name
    if (!changesKey) for (const child of children) reached.add(child)
  }
  return undefined
}
