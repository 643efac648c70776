import type { TopologyDocument } from '../document/TopologyDocument.js'
import { buildableNodes } from './buildable.js'

export interface DocumentTopic {
  readonly topic: string
  readonly partitions: number
}

/** Partitions of a topic about which the document says nothing. */
const DEFAULT_PARTITIONS = 4

/**
 * The topics that a topology reads and writes, with the partitions to make them with where they do not exist:
 * a generator's number for its own topic; else as many as the most of those.
 */
export function topicsOf(document: TopologyDocument): DocumentTopic[] {
  const stated = new Map(document.generators.map(({ topic, partitions }) => [topic, partitions]))
  const otherwise = stated.size === 0 ? DEFAULT_PARTITIONS : Math.max(...stated.values())
  const names = buildableNodes(document).nodes.flatMap(({ node }) => {
    if (node.kind === 'source') return node.properties.topics
    return node.kind === 'sink' || node.kind === 'through' ? [node.properties.topic] : []
  })
  return [...new Set(names)].map((topic) => ({ topic, partitions: stated.get(topic) ?? otherwise }))
}
