import type { DslGraph } from './DslGraph.js'

/** `reuse.ktable.source.topics`: a table's source topic restores its store, which then needs no changelog (C.2). */
export function reuseSourceTopics(graph: DslGraph): void {
  for (const node of graph.nodes) {
    const { tableStore } = node.step.facts
    if (tableStore !== undefined) node.restoreFrom(tableStore.store, tableStore.topic)
  }
}
