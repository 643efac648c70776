import { branchNames } from './branches.js'
import type { DocumentNode, SourceNode, ThroughNode } from './TopologyDocument.js'

/**
 * What the engine hangs on the name of a join when it makes several nodes of it. The filter in front of a boundary is not
 * among them: it stays with what gives the new key, so that the boundary is the edge between the two.
 */
const JOIN_PARTS = [
  ...['this-windowed', 'other-windowed', 'this-join', 'other-join', 'merge'],
  ...['outer-this-join', 'outer-other-join', 'join-this', 'join-other'],
]

/** The same of a join by foreign key, whose rows cross to the lane of that key and back. */
const FOREIGN_KEY_PARTS = [
  ...['registration-processor', 'registration-sink', 'registration-source', 'receive', 'join-foreign'],
  ...['response-sink', 'response-source', 'response-resolver'],
].map((part) => `subscription-${part}`)

/** Whether a node of a compiled topology has its name from this node of the document. */
export function isPartName(node: DocumentNode, compiledName: string | undefined): boolean {
  if (compiledName === undefined) return false
  if (compiledName === node.name) return true
  if (node.kind === 'cogroup') return compiledName.replace(COGROUP_PART, '') === node.name
  return partsOf(node).some((part) => compiledName === part)
}

function partsOf(node: DocumentNode): readonly string[] {
  const { name } = node
  switch (node.kind) {
    case 'source':
      return [sourceName(node)]
    case 'through':
      return [writingName(node)]
    case 'branch':
      return branchNames(node).map((branch) => `${name}-${branch}`)
    // Its own filter is all that is left of it when records cross in memory: the boundary is the edge behind it.
    case 'repartition':
      return ['filter', 'sink', 'source'].map((part) => `${name}-repartition-${part}`)
    case 'join':
      return [...JOIN_PARTS, ...FOREIGN_KEY_PARTS, 'foreign-join-subscription', 'result'].map(
        (part) => `${name}-${part}`,
      )
    default:
      return []
  }
}

const COGROUP_PART = /-cogroup-(agg-\d+|merge)$/

/** The name under which a node's description stands: the last that it makes. */
export function describedName(node: DocumentNode): string {
  const { name } = node
  switch (node.kind) {
    case 'join':
      if (node.properties.of === 'foreign-key') return `${name}-result`
      return node.properties.of === 'stream-stream' ? `${name}-merge` : name
    case 'repartition':
      return `${name}-repartition-source`
    case 'cogroup':
      return `${name}-cogroup-merge`
    default:
      return name
  }
}

/** The name of the engine's source node: a table has a node of its own behind it, which has the name. */
export function sourceName({ name, properties }: SourceNode): string {
  return properties.table === undefined ? name : `${name}-source`
}

/** The name of the engine's sink in front of a topic that is gone through; what reads it has the node's own. */
export function writingName({ name }: ThroughNode): string {
  return `${name}-sink`
}
