import type { CompiledNode } from '../../topology/CompiledTopology.js'
import type { Finding, Fix, Severity, ValidationRule } from '../Finding.js'
import { severityOf } from '../severity.js'

const id = 'dangling-sink'

/** Operators that do nothing but hand results on. Tables keep theirs, a branch may be meant to drop, users' code may act. */
const handsOn = [
  'filter',
  'filterNot',
  'map',
  'mapValues',
  'flatMap',
  'flatMapValues',
  'selectKey',
  'merge',
  'toStream',
  'repartition',
  'split',
]

/** V9: a way through the topology that ends without writing anything. */
export const danglingSink: ValidationRule = {
  id,
  spec: 'V9',
  check({ topology, config }) {
    const severity = severityOf(config, id)
    if (severity === undefined) return []
    return topology.nodes.filter(leadsNowhere).map((node) => finding(node, severity))
  },
}

function leadsNowhere({ children, facts }: CompiledNode): boolean {
  return children.length === 0 && facts !== undefined && handsOn.includes(facts.operator)
}

function finding({ name, facts }: CompiledNode, severity: Severity): Finding {
  return {
    id: `${id}:${name}`,
    rule: id,
    severity,
    node: name,
    nodes: [name],
    path: [],
    places: [{ node: name, title: 'Nothing comes after it.', detail: 'Its results go nowhere.' }],
    title: `Nobody takes what ${name} makes`,
    message: `${name} (${facts?.operator}) hands its results on, but no node is wired behind it. Write them with to(…), or remove it.`,
    why: 'Its function runs for every record, and what it gives is thrown away. Most often a to(…) was forgotten.',
    fixes: facts?.operator === 'split' ? [] : [sinkBehind(name)],
    note: 'Where they are for another node, draw an edge to it.',
  }
}

/** Of a split each branch has a sink of its own, and which of them is meant nobody can know. */
function sinkBehind(name: string): Fix {
  return {
    kind: 'add-sink',
    after: name,
    topic: `${name}-out`,
    title: `Write what ${name} makes to a topic`,
    effect: `Its results then go to the topic ${name}-out, which you can rename.`,
  }
}
