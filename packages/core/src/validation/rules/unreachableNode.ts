import type { CompiledNode } from '../../topology/CompiledTopology.js'
import type { Finding, ValidationRule } from '../Finding.js'

const id = 'unreachable-node'

/** V9: a source that nothing reads from. */
export const unreachableNode: ValidationRule = {
  id,
  spec: 'V9',
  check({ topology }) {
    return topology.nodes.filter((node) => node.kind === 'source' && node.children.length === 0).map(idleSource)
  },
}

function idleSource({ name, source }: CompiledNode): Finding {
  const topics = source?.pattern?.source ?? source?.topics.join(', ')
  return {
    id: `${id}:${name}`,
    rule: id,
    severity: 'warn',
    node: name,
    nodes: [name],
    path: [],
    places: [{ node: name, title: 'Nothing comes after it.', detail: 'Its records go nowhere.' }],
    title: `${name} reads a topic and hands its records to nobody`,
    message: `${name} reads ${topics}, but no node is wired behind it. Wire one, or remove the source.`,
    why: 'A source without a node behind it still fetches every record, and does nothing with it.',
    fixes: [],
  }
}
