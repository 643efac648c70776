import type { CompiledNode } from '../../topology/CompiledTopology.js'
import { matches } from '../../topology/matches.js'
import type { Finding, Severity, ValidationInput, ValidationRule } from '../Finding.js'
import { listOf } from '../sentences.js'
import { severityOf } from '../severity.js'

const id = 'duplicate-source'

/**
 * V4: a topic that two sources read. What names alone tell is refused while the topology is written; what patterns find
 * is known with the topics that there are.
 */
export const duplicateSource: ValidationRule = {
  id,
  spec: 'V4',
  check(input) {
    const severity = severityOf(input.config, id)
    if (severity === undefined) return []
    return topicsOf(input).flatMap((topic) => {
      const readers = input.topology.nodes.filter((node) => reads(node, topic))
      return readers.length < 2 ? [] : [finding(topic, readers, severity)]
    })
  },
}

/** Those that sources name, and those that there are as far as it is known. */
function topicsOf({ topology, partitions }: ValidationInput): readonly string[] {
  const named = topology.nodes.flatMap(({ source }) => source?.topics ?? [])
  return [...new Set([...named, ...(partitions?.keys() ?? [])])]
}

function reads({ source }: CompiledNode, topic: string): boolean {
  if (source === undefined) return false
  return source.topics.includes(topic) || (source.pattern !== undefined && matches(source.pattern, topic))
}

function finding(topic: string, readers: readonly CompiledNode[], severity: Severity): Finding {
  const nodes = readers.map(({ name }) => name)
  const [first, ...others] = nodes as [string, ...string[]]
  const said = ({ name, source }: CompiledNode) =>
    `"${name}" by ${source?.pattern === undefined ? 'its name' : `the pattern ${source.pattern.source}`}`
  return {
    id: `${id}:${topic}:${nodes.join(':')}`,
    rule: id,
    severity,
    node: others[0] ?? first,
    nodes,
    path: [],
    places: readers.map(({ name, source }) => ({
      node: name,
      title: `Reads "${topic}".`,
      detail: source?.pattern === undefined ? 'By its name.' : `The pattern ${source.pattern.source} finds it.`,
    })),
    title: `Topic "${topic}" is read by ${nodes.length} sources`,
    message:
      `${listOf(readers.map(said))} read topic "${topic}". Each record goes to one source, so only "${first}" would get ` +
      'them. Give the others patterns that leave the topic out (^ and $ hold a pattern to the whole name), or hang what ' +
      'is behind them on one source.',
    why:
      'An application reads a topic once, with one position for each partition. A source that finds a topic which another ' +
      'one reads gets nothing of it, and nothing says so while it runs.',
    fixes: [],
    note: 'Which of the sources shall have the topic, only you know: hang what is behind the others on it.',
  }
}
