import type { CompiledNode, CompiledTopology } from '@lanescope/core'
import { isAggregating } from '../document/nodeForms.js'
import { isPartName } from '../document/partNames.js'
import type { DocumentNode, TopologyDocument } from '../document/TopologyDocument.js'

/**
 * Which document node each node of a compiled topology came from. Names agree where the document's node is one call;
 * a DSL operator makes several, which belong to the node that their names begin with or whose store they keep, or else to
 * what they follow.
 */
export class NodeOwners {
  readonly #owners = new Map<string, DocumentNode>()
  readonly #edges: TopologyDocument['edges']

  constructor(topology: CompiledTopology, document: TopologyDocument) {
    this.#edges = document.edges
    const byName = new Map(document.nodes.map((node) => [node.name, node]))
    for (const node of topology.nodes) {
      const owner =
        byName.get(node.name) ??
        document.nodes.find((candidate) => isPartName(candidate, node.name)) ??
        matching(node, document) ??
        this.#owners.get(node.parents[0] ?? '')
      if (owner !== undefined) this.#owners.set(node.name, owner)
    }
  }

  idOf(compiledName: string): string | undefined {
    return this.#owners.get(compiledName)?.id
  }

  /** The name in the document of what a compiled node came from; its own where that is unknown. */
  nameOf(compiledName: string): string {
    return this.#owners.get(compiledName)?.name ?? compiledName
  }

  /** Compiled nodes of a document node, in topological order. */
  namesOf(nodeId: string): readonly string[] {
    return [...this.#owners].filter(([, owner]) => owner.id === nodeId).map(([name]) => name)
  }

  edgeIdOf(from: string, to: string): string | undefined {
    const ids = [this.idOf(from), this.idOf(to)]
    return this.#edges.find((edge) => edge.from === ids[0] && edge.to === ids[1])?.id
  }
}

function matching(node: CompiledNode, document: TopologyDocument): DocumentNode | undefined {
  return document.nodes.find((candidate) => {
    switch (candidate.kind) {
      case 'source':
        return candidate.properties.topics.some((topic) => node.source?.topics.includes(topic) === true)
      case 'through':
        return candidate.properties.topic === node.sink?.topic
      case 'sink':
        return node.sink !== undefined && candidate.properties.topic === node.sink.topic
      default: {
        const hasOwn = isAggregating(candidate) || candidate.kind === 'cogroup' || candidate.kind === 'to-table'
        const store = hasOwn ? candidate.properties.storeName : undefined
        return store !== undefined && node.stores.includes(store)
      }
    }
  })
}
