import type {
  CompiledBoundary,
  CompiledNode,
  CompiledStore,
  CompiledTopology,
} from '../../topology/CompiledTopology.js'
import type { Finding, ValidationRule } from '../Finding.js'
import { severityOf } from '../severity.js'

const id = 'explicit-naming'

const generatedStore = /-STATE-STORE-\d{10}$|^KSTREAM-.*-\d{10}-(store|Buffer)$/
const generatedTopic = /^K(STREAM|TABLE)-.*-\d{10}-(repartition|topic)$/
const generatedNode = /^K(STREAM|TABLE)-.*-\d{10}$/

interface Unnamed {
  readonly node: string
  readonly nodes: readonly string[]
  readonly what: 'store' | 'repartition' | 'timer processor'
  readonly name: string
  readonly consequence: string
  readonly remedy: string
}

/** V3: a store, a repartition or a timer processor whose name is numbered, so that a change elsewhere renames it. */
export const explicitNaming: ValidationRule = {
  id,
  spec: 'V3',
  check({ topology, config }) {
    const severity = severityOf(config, id)
    if (severity === undefined) return []
    const unnamed = topology.nodes.flatMap((node) => [
      ...storesAt(topology, node),
      ...repartitionAt(topology, node),
      ...timersAt(node),
    ])
    return unnamed.map((one) => ({ ...finding(one), severity }))
  },
}

function storesAt({ stores }: CompiledTopology, { name }: CompiledNode): Unnamed[] {
  return stores
    .filter((store) => store.nodes[0] === name && generatedStore.test(store.name))
    .map((store: CompiledStore) => ({
      node: name,
      nodes: store.nodes,
      what: 'store',
      name: store.name,
      consequence: 'the store under its new name starts empty, and its changelog is left behind',
      remedy: `Name it, with ${namesStore(store.name)}('…')`,
    }))
}

/** The call that names a store, by the operator that made it. */
function namesStore(store: string): string {
  if (store.startsWith('KTABLE-SUPPRESS-')) return 'Suppressed.withName'
  if (store.startsWith('KTABLE-FK-JOIN-SUBSCRIPTION-')) return 'TableJoined.as'
  if (store.endsWith('-Buffer')) return 'Joined.as'
  return store.endsWith('-store') ? 'StreamJoined.withStoreName' : 'Materialized.as'
}

/** The call that names a boundary, by what makes it. */
function namesBoundary({ topic, by }: CompiledBoundary): string {
  if (topic?.endsWith('-topic')) return 'TableJoined.as'
  if (topic?.includes('-TOTABLE-')) return 'Named.as'
  return `${by === 'rule' ? 'Repartitioned' : by}.as`
}

/** A repartition in front of an aggregation takes the name of its store: then the store's finding tells of it. */
function repartitionAt({ boundaries, stores }: CompiledTopology, { name }: CompiledNode): Unnamed[] {
  const ofStore = (topic: string) => stores.some((store) => topic === `${store.name}-repartition`)
  const [unnamed] = boundaries.filter(
    ({ from, topic }: CompiledBoundary) =>
      from === name && topic !== undefined && generatedTopic.test(topic) && !ofStore(topic),
  )
  if (unnamed === undefined) return []
  return [
    {
      node: name,
      nodes: [name],
      what: 'repartition',
      name: unnamed.topic as string,
      consequence:
        'its name and topic are others: as a Kafka Streams application it would leave records behind in the old one',
      remedy: `Name it, with ${namesBoundary(unnamed)}('…')`,
    },
  ]
}

function timersAt({ name, timers }: CompiledNode): Unnamed[] {
  if (timers.length === 0 || !generatedNode.test(name)) return []
  return [
    {
      node: name,
      nodes: [name],
      what: 'timer processor',
      name,
      consequence: 'its pending timers are kept under the old name and fire no more',
      remedy: "Name it, with Named.as('…')",
    },
  ]
}

function finding({ node, nodes, what, name, consequence, remedy }: Unnamed): Omit<Finding, 'severity'> {
  return {
    id: `${id}:${name}`,
    rule: id,
    node,
    nodes,
    path: [],
    places: [
      { node, title: `${name} is a generated name.`, detail: 'Its number counts the operators in front of it.' },
    ],
    title: `The ${what} ${what === 'timer processor' ? node : `of ${node}`} has a generated name`,
    message: `${name} is numbered by its place. When an operator is added or named in front of it, ${consequence}.`,
    why:
      'Generated names count operators from the first, as in Kafka Streams. State is found again by name, so a changed ' +
      'number means other state: nothing fails, it silently starts anew.',
    fixes: [],
    note: `${remedy}.`,
  }
}
