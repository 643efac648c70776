import type { DocumentNode, SourceNode, TopologyDocument } from '@lanescope/shared'
import { kafkaNameProblem } from '../names.js'
import { freeName, namesOf } from '../queries.js'
import { changeNode } from './nodes.js'

/** A name that the palette gave. */
const GIVEN = /^(source|table)(-\d+)?$/

/** Sets what a source reads. One that nobody has named goes by its topic, and one that does follows it while it is typed. */
export function setTopics(document: TopologyDocument, id: string, topics: readonly string[]): TopologyDocument {
  return changeNode(document, id, (node) => {
    if (node.kind !== 'source') return node
    return {
      ...node,
      name: nameFor(document, node, topics[0]),
      properties: { ...node.properties, topics: [...topics] },
    }
  })
}

function nameFor({ nodes }: TopologyDocument, node: SourceNode, topic: string | undefined): string {
  const others = nodes.filter((other: DocumentNode) => other.id !== node.id)
  const isGiven = GIVEN.test(node.name) || node.name === node.properties.topics[0]
  if (!isGiven || topic === undefined || kafkaNameProblem(topic) !== undefined) return node.name
  return freeName(namesOf(others), topic)
}
