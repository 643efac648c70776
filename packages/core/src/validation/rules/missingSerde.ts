import type { CompiledNode, CompiledTopology } from '../../topology/CompiledTopology.js'
import { declarerBelow, isAggregation } from '../declarerBelow.js'
import type { Finding, Fix, Severity, ValidationRule } from '../Finding.js'
import { severityOf } from '../severity.js'

const id = 'missing-serde'

/** A place that has to read or write bytes and has nothing to do it with. */
interface Missing {
  readonly id: string
  readonly node: string
  readonly side: 'key' | 'value'
  readonly nodes: readonly string[]
  readonly path: Finding['path']
  /** As the end of "No serde can …". */
  readonly task: string
  /** Where to declare one. */
  readonly remedy: string
  /** The node that a fix declares one at; undefined where no single declaration does. */
  readonly declarer?: string
  /** The store that is written, where it is one. */
  readonly store?: string
}

/** Most often meant, first. Which one is the user's to say: the bytes are another program's. */
const OFFERED = { key: ['string', 'json'], value: ['json', 'string'] } as const
const WRITTEN_AS = { string: 'plain UTF-8 text', json: 'JSON' } as const

/** V6: no serde is declared for a key or value that must become bytes, and no default is set. */
export const missingSerde: ValidationRule = {
  id,
  spec: 'V6',
  check({ topology, config }) {
    const severity = severityOf(config, id)
    if (severity === undefined) return []
    const missing = [
      ...topology.nodes.flatMap((node) => [...atSource(node), ...atTimers(node)]),
      ...atBoundaries(topology),
      ...atStores(topology),
      ...topology.nodes.flatMap(atSink),
    ]
    const order = topology.nodes.map((node) => node.name)
    return missing.sort((a, b) => order.indexOf(a.node) - order.indexOf(b.node)).map((one) => finding(one, severity))
  },
}

function finding(missing: Missing, severity: Severity): Finding {
  const { id: place, node, side, nodes, path, task, remedy, declarer } = missing
  const setting = `default.${side}.serde`
  return {
    id: `${id}:${place}`,
    rule: id,
    severity,
    node,
    nodes,
    path,
    places: [{ node, title: `No serde for the ${side}.`, detail: `${setting} is not set.` }],
    title: `No serde can ${task}`,
    message:
      `Nothing says how the ${side} becomes bytes, or bytes the ${side}: no serde is declared here, ` +
      `and ${setting} is not set. The first record would fail.`,
    why:
      `Lanescope carries only the serdes that you declare, and applies ${setting} once, when the topology is compiled. ` +
      'It never guesses one: a wrong guess would write bytes that no other program reads.',
    fixes: declarer === undefined ? [] : OFFERED[side].map((serde) => declaration(missing, declarer, serde)),
    note: `${remedy}, or set ${setting}.`,
  }
}

function declaration(missing: Missing, declarer: string, serde: 'string' | 'json'): Fix {
  const { side } = missing
  return {
    kind: 'declare-serde',
    node: declarer,
    side,
    serde,
    title: `Declare ${serde} for the ${side} of ${declarer}`,
    effect: effectOf(missing, WRITTEN_AS[serde]),
  }
}

function effectOf({ node, side, path: [edge], store }: Missing, writtenAs: string): string {
  if (store !== undefined) return `Each ${side} of the store ${store} is then written as ${writtenAs}.`
  if (edge === undefined) return `Each ${side} on the topic of ${node} is then taken to be ${writtenAs}.`
  return `Each ${side} is then written as ${writtenAs} between ${edge.from} and ${edge.to} too, which picks its lane.`
}

function atSource({ name, source }: CompiledNode): Missing[] {
  // A scheduled source reads nothing.
  if (source === undefined || source.schedule !== undefined) return []
  return sides(source.keyDeserializer, source.valueDeserializer).map((side) => ({
    ...at(name, side, 'read'),
    task: `read the ${side} of ${name}`,
    remedy: `Declare Consumed.with(…) on ${name}`,
    declarer: name,
  }))
}

function atSink({ name, sink }: CompiledNode): Missing[] {
  if (sink === undefined) return []
  return sides(sink.keySerializer, sink.valueSerializer).map((side) => ({
    ...at(name, side, 'write'),
    task: `write the ${side} of ${name}`,
    remedy: `Declare Produced.with(…) on ${name}`,
    declarer: name,
  }))
}

function atTimers({ name, timers, timerKey }: CompiledNode): Missing[] {
  if (timers.length === 0 || timerKey?.status !== 'unresolved') return []
  const remedy = `Declare the key where it is read, with Consumed.with(…) on a source in front of ${name}`
  return [{ ...at(name, 'key', 'timers'), task: `write the timer keys of ${name}`, remedy }]
}

function atBoundaries(topology: CompiledTopology): Missing[] {
  return topology.boundaries
    .filter(({ key, partitioner }) => key.status === 'unresolved' && partitioner === undefined)
    .map(({ from, to }) => {
      const declarer = declarerBelow(topology, { to })
      return {
        id: `boundary:${from}->${to}:key`,
        node: to,
        side: 'key' as const,
        nodes: [from, to],
        path: [{ from, to }],
        task: `write the key at the boundary ${from} → ${to}`,
        remedy: `Declare the new key's serde behind ${from}, with Repartitioned.with(…), Grouped.with(…) or Produced.with(…)`,
        ...(declarer !== undefined && { declarer }),
      }
    })
}

function atStores(topology: CompiledTopology): Missing[] {
  return topology.stores.flatMap(({ name, nodes, key, value }) => {
    const [node] = nodes
    if (node === undefined) return []
    const aggregates = isAggregation(topology.node(node))
    return sides(key.serde, value.serde).map((side) => ({
      ...at(node, side, `store:${name}`),
      task: `write the ${side}s of the store ${name}`,
      remedy: aggregates ? REMEDIES[side](node) : `Give the store's builder its ${side} serde`,
      ...(aggregates && { declarer: node, store: name }),
    }))
  })
}

/** Where an aggregation's own serdes are declared: what it groups by, and what it makes. */
const REMEDIES = {
  key: (node: string) => `Declare Grouped.with(…) on ${node}`,
  value: (node: string) => `Declare Materialized.as(…).withValueSerde(…) on ${node}`,
} as const

function at(node: string, side: 'key' | 'value', what: string) {
  return { id: `${what}:${node}:${side}`, node, side, nodes: [node], path: [] }
}

function sides(key: unknown, value: unknown): ('key' | 'value')[] {
  return [...(key === undefined ? (['key'] as const) : []), ...(value === undefined ? (['value'] as const) : [])]
}
