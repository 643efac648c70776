import type { NodeDefinition, SourceDefinition, TopicNameExtractor } from '../NodeDefinition.js'
import { scheduleText } from '../schedule/Schedule.js'
import type { TopologyDefinition } from '../TopologyDefinition.js'
import { topologyError } from '../topologyError.js'
import { Groups } from './Groups.js'
import { InsertionTree } from './InsertionTree.js'
import { javaHashOrder } from './javaHashOrder.js'

/** A node while its block is laid out; `size` counts itself and every path below it. */
interface DescribedNode {
  readonly definition: NodeDefinition
  readonly name: string
  size: number
  readonly predecessors: InsertionTree<DescribedNode>
  readonly successors: InsertionTree<DescribedNode>
}

/** Kafka Streams' `TopologyDescription` text, to the letter (B5, `kafka-streams.md` C.6). */
export function describeTopology(topology: TopologyDefinition): string {
  const blocks = kafkaSubTopologies(topology).map((names, id) => describeBlock(topology, names, id))
  return `Topologies:\n ${blocks.join('')}`
}

/** Kafka's sub-topologies: nodes connected by an edge or by a shared store (C.4). */
function kafkaSubTopologies(topology: TopologyDefinition): string[][] {
  const groups = new Groups(topology.nodes.keys())
  for (const node of topology.nodes.values()) {
    for (const parent of topology.parentsOf(node)) groups.join(parent, node.name)
  }
  for (const { processors } of topology.stores.values()) {
    const [first, ...others] = processors
    for (const other of others) groups.join(first as string, other)
  }
  return groups.list()
}

function describeBlock(topology: TopologyDefinition, names: readonly string[], id: number): string {
  const nodes = connect(topology, names)
  nodes.sort(bySizeThenName)
  const lines = nodes.flatMap((node) => describeNode(topology, node))
  const isGlobal = nodes.some(({ definition }) => definition.kind === 'source' && definition.feeds === 'global')
  if (isGlobal && nodes.length > 2) throw globalChildren(names)
  if (!isGlobal) return `  Sub-topology: ${id}\n${lines.join('\n')}\n\n`
  return `  Sub-topology: ${id} for global store (will not generate tasks)\n${lines.join('\n')}\n`
}

/** Kafka Streams cannot describe it either: a global store has its source and its processor. */
function globalChildren([source, processor, ...others]: readonly string[]) {
  return topologyError(
    `The global store that "${source}" and "${processor}" fill has more nodes behind it: ${others.join(', ')}. Forward ` +
      'nothing from a global store; read its topic by a source of its own.',
    { node: source as string },
  )
}

/** Walks the nodes as Kafka's HashMap does: the order decides how the lists of successors come out. */
function connect(topology: TopologyDefinition, names: readonly string[]): DescribedNode[] {
  const nodes = new Map<string, DescribedNode>()
  for (const name of names) {
    const definition = topology.nodes.get(name) as NodeDefinition
    nodes.set(name, {
      definition,
      name,
      size: 1,
      predecessors: new InsertionTree(bySizeThenName),
      successors: new InsertionTree(bySizeThenName),
    })
  }
  for (const name of javaHashOrder(names)) {
    const node = nodes.get(name) as DescribedNode
    for (const parentName of topology.parentsOf(node.definition)) {
      const parent = nodes.get(parentName) as DescribedNode
      node.predecessors.insert(parent)
      parent.successors.insert(node)
      grow(parent, node.size)
    }
  }
  return [...nodes.values()]
}

function grow(node: DescribedNode, by: number): void {
  node.size += by
  for (const predecessor of node.predecessors.toArray()) grow(predecessor, by)
}

function bySizeThenName(a: DescribedNode, b: DescribedNode): number {
  if (a.size !== b.size) return b.size - a.size
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0
}

function describeNode(topology: TopologyDefinition, { definition, name, ...node }: DescribedNode): string[] {
  const down = `      --> ${namesOf(node.successors)}`
  const up = `      <-- ${namesOf(node.predecessors)}`
  switch (definition.kind) {
    case 'source':
      return [`    Source: ${name} (${readsOf(definition)})`, down]
    case 'processor':
      return [`    Processor: ${name} (stores: [${javaHashOrder(topology.storesOf(name)).join(', ')}])`, down, up]
    case 'sink':
      return [`    Sink: ${name} (${targetOf(definition.topic)})`, up]
  }
}

function namesOf(nodes: InsertionTree<DescribedNode>): string {
  return (
    nodes
      .toArray()
      .map((node) => node.name)
      .join(', ') || 'none'
  )
}

/** Kafka has no word for a schedule. */
function readsOf({ topics, pattern, schedule }: SourceDefinition): string {
  return schedule === undefined
    ? `topics: ${topicsOf(topics, pattern)}`
    : `schedule: ${scheduleText(schedule.schedule)}`
}

function topicsOf(topics: readonly string[], pattern: RegExp | undefined): string {
  return pattern === undefined ? `[${javaHashOrder(topics).join(', ')}]` : pattern.source
}

function targetOf(topic: string | TopicNameExtractor<any, any>): string {
  if (typeof topic === 'string') return `topic: ${topic}`
  return `extractor class: ${topic.name === '' ? 'anonymous' : topic.name}`
}
