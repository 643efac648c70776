import type { DslGraph } from './DslGraph.js'

/** `single.store.self.join`: a stream that is joined with itself is kept in one store instead of two (C.2). */
export function joinSelfInOneStore(graph: DslGraph): void {
  for (const join of [...graph.nodes]) {
    const { selfJoin } = join.step.facts
    if (selfJoin === undefined) continue
    const [left, right] = [selfJoin.left, selfJoin.right].map((name) =>
      graph.nodes.find((node) => node.nodes.some((own) => own.name === name)),
    )
    if (left === undefined || right === undefined || left.parents.join() !== right.parents.join()) continue
    graph.remove(right)
    join.clear()
    selfJoin.write(join)
  }
}
