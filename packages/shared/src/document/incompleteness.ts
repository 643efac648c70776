import type { DocumentNode, TopologyDocument } from './TopologyDocument.js'

/** What a drawing still needs before it can run. It may be saved without. */
export interface MissingPart {
  readonly nodeId: string
  readonly node: string
  /** The property to fill in, or 'edges'. */
  readonly field: string
  readonly message: string
}

/** Kafka's rule for topic names; a sink's topic may be empty while it is drawn, so the schema does not hold it. */
const TOPIC = /^[A-Za-z0-9._-]{1,249}$/

/** What each node still needs for a run, in document order; nothing when the topology is whole. */
export function incompleteness(document: TopologyDocument): MissingPart[] {
  const parts: MissingPart[] = []
  for (const node of document.nodes) {
    const missing = (field: string, message: string) => parts.push({ nodeId: node.id, node: node.name, field, message })
    switch (node.kind) {
      case 'source':
        if (node.properties.topics.length === 0) missing('topics', `"${node.name}" reads no topic yet: name one.`)
        break
      case 'sink':
        if (node.properties.topic === '') missing('topic', `"${node.name}" has no topic to write to yet: name one.`)
        else if (!TOPIC.test(node.properties.topic) || /^\.\.?$/.test(node.properties.topic)) {
          missing(
            'topic',
            `"${node.properties.topic}" cannot be the name of a topic: use ASCII letters, digits, ".", "_" and "-".`,
          )
        }
        break
      default:
        break
    }
    if (node.kind !== 'source') checkInputs(document, node, missing)
  }
  return parts
}

function checkInputs(
  document: TopologyDocument,
  node: DocumentNode,
  missing: (field: string, message: string) => void,
): void {
  const inputs = document.edges.filter((edge) => edge.to === node.id)
  if (inputs.length === 0) missing('edges', `Nothing leads into "${node.name}" yet: draw an edge to it.`)
  if (inputs.length <= 1) return
  // In the DSL only a merge() has several inputs, and that is a node which the drawing would not show.
  if (node.kind === 'windowed-count')
    missing('edges', `"${node.name}" counts one stream, and ${inputs.length} lead into it.`)
  else if (document.nodes.some((other) => other.kind === 'windowed-count')) {
    missing('edges', `Beside a windowed count, "${node.name}" can have one input, and ${inputs.length} lead into it.`)
  }
}
