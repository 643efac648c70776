import type { SourceNode, TopologyDocument } from '@lanescope/shared'

/** What a drawing has to do with a topic; `both` where it writes what it reads. */
export type TopicRole = 'source' | 'sink' | 'both' | 'none'

type Drawing = Pick<TopologyDocument, 'nodes'>

/** The first source that reads a topic. */
export function sourceOfTopic({ nodes }: Drawing, topic: string): SourceNode | undefined {
  return nodes.find((node): node is SourceNode => node.kind === 'source' && node.properties.topics.includes(topic))
}

export function roleOf(drawing: Drawing, topic: string): TopicRole {
  const read = sourceOfTopic(drawing, topic) !== undefined
  const writes = drawing.nodes.filter((node) => node.kind === 'sink' || node.kind === 'through')
  const written = writes.filter(({ properties }) => properties.topic === topic)
  if (written.some(({ kind }) => kind === 'through') || (read && written.length > 0)) return 'both'
  if (read) return 'source'
  return written.length > 0 ? 'sink' : 'none'
}

/** What is read first, then what is written, then the rest; each as it was. */
export function inOrderOfRole<T extends { readonly topic: string }>(drawing: Drawing, topics: readonly T[]): T[] {
  const rank = ({ topic }: T) => RANKS[roleOf(drawing, topic)]
  return topics.toSorted((one, other) => rank(one) - rank(other))
}

const RANKS: { readonly [role in TopicRole]: number } = { source: 0, both: 1, sink: 2, none: 3 }

/** Where one would feed a drawing: the topic of the selected source, else what its first source reads. */
export function topicToFeed({ nodes }: Drawing, selected: string | undefined): string | undefined {
  const sources = nodes.filter((node): node is SourceNode => node.kind === 'source')
  const own = sources.find(({ id }) => id === selected)?.properties.topics[0]
  return own ?? sources.flatMap(({ properties }) => properties.topics)[0]
}
