import type { DocumentNode, SourceNode, ThroughNode } from './TopologyDocument.js'

/**
 * What the engine hangs on the name of a join when it makes several nodes of it. The filter in front of a boundary is not
 * among them: it stays with what gives the new key, so that the boundary is the edge between the two.
 */
const JOIN_PARTS = [
  ...['this-windowed', 'other-windowed', 'this-join', 'other-join', 'merge'],
  ...['outer-this-join', 'outer-other-join', 'join-this', 'join-other'],
]

/** Whether a node of a compiled topology has its name from this node of the document. */
export function isPartName(node: DocumentNode, compiledName: string | undefined): boolean {
  if (compiledName === undefined) return false
  if (compiledName === node.name) return true
  if (node.kind === 'source') return compiledName === sourceName(node)
  if (node.kind === 'through') return compiledName === writingName(node)
  return node.kind === 'join' && JOIN_PARTS.some((part) => compiledName === `${node.name}-${part}`)
}

/** The name under which a node's description stands: the last that it makes. */
export function describedName(node: DocumentNode): string {
  return node.kind === 'join' && node.properties.of === 'stream-stream' ? `${node.name}-merge` : node.name
}

/** The name of the engine's source node: a table has a node of its own behind it, which has the name. */
export function sourceName({ name, properties }: SourceNode): string {
  return properties.table === undefined ? name : `${name}-source`
}

/** The name of the engine's sink in front of a topic that is gone through; what reads it has the node's own. */
export function writingName({ name }: ThroughNode): string {
  return `${name}-sink`
}
