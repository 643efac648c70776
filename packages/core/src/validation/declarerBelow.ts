import type { CompiledBoundary, CompiledNode, CompiledTopology } from '../topology/CompiledTopology.js'

const AGGREGATIONS = ['count', 'reduce', 'aggregate'].flatMap((one) => [one, `windowed-${one}`])

/** Whether a node is an aggregation of the DSL: its `Grouped` names the serde of the keys that come to it. */
export function isAggregation({ facts }: Pick<CompiledNode, 'facts'>): boolean {
  return facts !== undefined && AGGREGATIONS.includes(facts.operator)
}

/**
 * The node behind a boundary at which its key serde can be declared (B2): the nearest aggregation, or sink, that the
 * keys reach unchanged. Undefined where there is none.
 */
export function declarerBelow(topology: CompiledTopology, { to }: Pick<CompiledBoundary, 'to'>): string | undefined {
  const reached = new Set([to])
  for (const name of reached) {
    const node = topology.node(name)
    const { kind, changesKey, children } = node
    if (kind === 'sink' || isAggregation(node)) return name
    if (!changesKey) for (const child of children) reached.add(child)
  }
  return undefined
}
