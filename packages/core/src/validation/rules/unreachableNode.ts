import type { CompiledNode } from '../../topology/CompiledTopology.js'
import { scheduleText } from '../../topology/schedule/Schedule.js'
import type { Finding, Severity, ValidationRule } from '../Finding.js'
import { severityOf } from '../severity.js'

const id = 'unreachable-node'

/** V9: a source that nothing reads from. */
export const unreachableNode: ValidationRule = {
  id,
  spec: 'V9',
  check({ topology, config }) {
    const severity = severityOf(config, id)
    if (severity === undefined) return []
    const idle = topology.nodes.filter((node) => node.kind === 'source' && node.children.length === 0)
    return idle.map((node) => idleSource(node, severity))
  },
}

function idleSource({ name, source }: CompiledNode, severity: Severity): Finding {
  const reads = source?.schedule === undefined ? 'reads a topic' : 'ticks'
  const topics = source?.pattern?.source ?? source?.topics.join(', ')
  const what =
    source?.schedule === undefined ? `reads ${topics}` : `makes records ${scheduleText(source.schedule.schedule)}`
  return {
    id: `${id}:${name}`,
    rule: id,
    severity,
    node: name,
    nodes: [name],
    path: [],
    places: [{ node: name, title: 'Nothing comes after it.', detail: 'Its records go nowhere.' }],
    title: `${name} ${reads} and hands its records to nobody`,
    message: `${name} ${what}, but no node is wired behind it. Wire one, or remove the source.`,
    why: 'A source without a node behind it still gets every record, and does nothing with it.',
    fixes: [],
    note: 'No fix can know what its records are for: draw an edge from it to what shall read them, or delete it.',
  }
}
