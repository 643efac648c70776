import type { CompiledNode, CompiledTopology } from '../../topology/CompiledTopology.js'
import type { Finding, Severity, ValidationRule } from '../Finding.js'
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
}

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

function finding({ id: place, node, side, nodes, path, task, remedy }: Missing, severity: Severity): Finding {
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
    message: `Nothing declares a ${side} serde here, and ${setting} is not set. The first record would fail.`,
    why:
      `Lanescope carries only the serdes that you declare, and applies ${setting} once, when the topology is compiled. ` +
      'It never guesses one: a wrong guess would write bytes that no other program reads.',
    fixes: [],
    note: `${remedy}, or set ${setting}.`,
  }
}

function atSource({ name, source }: CompiledNode): Missing[] {
  // A scheduled source reads nothing.
  if (source === undefined || source.schedule !== undefined) return []
  return sides(source.keyDeserializer, source.valueDeserializer).map((side) => ({
    ...at(name, side, 'read'),
    task: `read the ${side} of ${name}`,
    remedy: `Declare Consumed.with(…) on ${name}`,
  }))
}

function atSink({ name, sink }: CompiledNode): Missing[] {
  if (sink === undefined) return []
  return sides(sink.keySerializer, sink.valueSerializer).map((side) => ({
    ...at(name, side, 'write'),
    task: `write the ${side} of ${name}`,
    remedy: `Declare Produced.with(…) on ${name}`,
  }))
}

function atTimers({ name, timers, timerKey }: CompiledNode): Missing[] {
  if (timers.length === 0 || timerKey?.status !== 'unresolved') return []
  const remedy = `Declare the key where it is read, with Consumed.with(…) on a source in front of ${name}`
  return [{ ...at(name, 'key', 'timers'), task: `write the timer keys of ${name}`, remedy }]
}

function atBoundaries({ boundaries }: CompiledTopology): Missing[] {
  return boundaries
    .filter(({ key, partitioner }) => key.status === 'unresolved' && partitioner === undefined)
    .map(({ from, to }) => ({
      id: `boundary:${from}->${to}:key`,
      node: to,
      side: 'key' as const,
      nodes: [from, to],
      path: [{ from, to }],
      task: `write the key at the boundary ${from} → ${to}`,
      remedy: `Declare the new key's serde behind ${from}, with Repartitioned.with(…), Grouped.with(…) or Produced.with(…)`,
    }))
}

function atStores({ stores }: CompiledTopology): Missing[] {
  return stores.flatMap(({ name, nodes, key, value }) => {
    const [node] = nodes
    if (node === undefined) return []
    return sides(key.serde, value.serde).map((side) => ({
      ...at(node, side, `store:${name}`),
      task: `write the ${side}s of the store ${name}`,
      remedy: `Give the store's builder its ${side} serde`,
    }))
  })
}

function at(node: string, side: 'key' | 'value', what: string) {
  return { id: `${what}:${node}:${side}`, node, side, nodes: [node], path: [] }
}

function sides(key: unknown, value: unknown): ('key' | 'value')[] {
  return [...(key === undefined ? (['key'] as const) : []), ...(value === undefined ? (['value'] as const) : [])]
}
