import type { AnalysedNode, TopologyDocument } from '@lanescope/shared'

/** Ids of the serdes of a topic's keys and values; undefined where nothing tells. */
export interface SidesOfTopic {
  readonly key: string | undefined
  readonly value: string | undefined
}

/** As who writes the topic resolves them, else as who reads it: what a sink writes, and in what windows, it knows best. */
export function serdesOfTopic(
  { nodes }: Pick<TopologyDocument, 'nodes'>,
  analysed: readonly Pick<AnalysedNode, 'nodeId' | 'keyChip' | 'valueChip'>[],
  topic: string,
): SidesOfTopic {
  const writers = nodes.filter(
    (node) => (node.kind === 'sink' || node.kind === 'through') && node.properties.topic === topic,
  )
  const readers = nodes.filter((node) => node.kind === 'source' && node.properties.topics.includes(topic))
  const chips = [...writers, ...readers].flatMap(({ id }) => analysed.find(({ nodeId }) => nodeId === id) ?? [])
  const known = (side: 'keyChip' | 'valueChip') => {
    const chip = chips.map((node) => node[side]).find(({ status }) => status !== 'unresolved')
    // Of a windowed key the label is only the key's inside: its window's bytes would be read as part of it.
    return chip?.windowed ? chip.windowedId : chip?.label
  }
  return { key: known('keyChip'), value: known('valueChip') }
}
