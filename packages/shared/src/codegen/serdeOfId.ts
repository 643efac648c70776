import {
  builtInSerde,
  type DocumentNode,
  type SerdeRef,
  type SourceNode,
  type TopologyDocument,
} from '../document/TopologyDocument.js'

/** How the document names the serde of this id. JSON takes the type that the source names. */
export function serdeOf(serdeId: string, type: string): SerdeRef | undefined {
  if (serdeId === 'json') return { kind: 'json', type }
  const builtIn = builtInSerde.safeParse(serdeId)
  return builtIn.success ? { kind: 'built-in', name: builtIn.data } : undefined
}

/** The nearest source above a node. */
export function sourceOf(node: DocumentNode, document: TopologyDocument): SourceNode | undefined {
  const seen = new Set<string>()
  const queue = [node.id]
  for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
    if (seen.has(id)) continue
    seen.add(id)
    const found = document.nodes.find((candidate) => candidate.id === id)
    if (found?.kind === 'source') return found
    queue.push(...document.edges.filter((edge) => edge.to === id).map((edge) => edge.from))
  }
  return undefined
}
