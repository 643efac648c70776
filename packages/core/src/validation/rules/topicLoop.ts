import type { CompiledNode, CompiledTopology } from '../../topology/CompiledTopology.js'
import { matches } from '../../topology/matches.js'
import type { Finding, Severity, ValidationRule } from '../Finding.js'
import { severityOf } from '../severity.js'

const id = 'topic-loop'

/**
 * V15: a sink writes a topic that is read above it. A chain that goes through a topic is none; one that comes back to
 * where it was gives each record to itself again, unless something on the way lets it go.
 */
export const topicLoop: ValidationRule = {
  id,
  spec: 'V15',
  check({ topology, config }) {
    const severity = severityOf(config, id)
    if (severity === undefined) return []
    return topology.nodes.flatMap((sink) => {
      const way = wayBack(topology, sink)
      return way === undefined ? [] : [finding(topology, sink, way, severity)]
    })
  },
}

/** From the source that reads what a sink writes to that sink, the shortest way, across other topics too. */
function wayBack(topology: CompiledTopology, sink: CompiledNode): readonly string[] | undefined {
  const from = new Map<string, string | undefined>(readersOf(topology, sink).map((name) => [name, undefined]))
  for (const name of from.keys()) {
    if (name === sink.name) return pathTo(name, from)
    const node = topology.node(name)
    for (const next of [...node.children, ...readersOf(topology, node)]) if (!from.has(next)) from.set(next, name)
  }
  return undefined
}

function pathTo(name: string, from: ReadonlyMap<string, string | undefined>): readonly string[] {
  const before = from.get(name)
  return before === undefined ? [name] : [...pathTo(before, from), name]
}

/** Sources of the topic that a sink writes; where each record names its topic, nobody knows. */
function readersOf({ nodes }: CompiledTopology, { sink }: CompiledNode): readonly string[] {
  const topic = sink?.topic
  if (typeof topic !== 'string') return []
  return nodes
    .filter(({ source }) => source?.topics.includes(topic) || (source?.pattern && matches(source.pattern, topic)))
    .map(({ name }) => name)
}

function finding(
  topology: CompiledTopology,
  { name, sink }: CompiledNode,
  way: readonly string[],
  severity: Severity,
): Finding {
  const [source = name] = way
  const topic = String(sink?.topic)
  return {
    id: `${id}:${name}`,
    rule: id,
    severity,
    node: name,
    nodes: [...new Set(way)],
    path: way
      .slice(1)
      .map((to, i) => ({ from: way[i] as string, to }))
      .filter(({ from, to }) => topology.node(from).children.includes(to)),
    places: [
      { node: source, title: `Reads "${topic}".`, detail: `What it reads gets to ${name}.` },
      { node: name, title: `Writes "${topic}".`, detail: 'What it writes is read again.' },
    ],
    title: `Records of "${topic}" go round`,
    message:
      `${source} reads "${topic}", and ${name} writes to it what comes of that: ${way.join(' → ')}. A record goes round for ` +
      'ever unless something on the way lets it go. Write to another topic, or filter what has been round.',
    why:
      'A topic is read as long as the application runs, whoever writes to it. With one record a time round, such a loop ' +
      'keeps the engine busy for good; with more than one it grows until the disk is full.',
    fixes: [],
    note: 'Which topic is meant, only you know: give the sink another one, or a filter in front of it.',
  }
}
