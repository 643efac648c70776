import { hours } from '../../time/durations.js'
import type { CompiledNode, CompiledStore, CompiledTopology } from '../../topology/CompiledTopology.js'
import type { Finding, FindingPlace, ValidationInput, ValidationRule } from '../Finding.js'
import { formatDuration } from '../formatDuration.js'
import type { PathEdge } from '../laneEntries.js'
import { listOf } from '../sentences.js'

const id = 'future-timestamp'

/** What brokers allow since Kafka 4.0. */
const proposedBoundMs = hours(1)

const why =
  'Event time only goes forward. One record with a timestamp far in the future, from a wrong clock or a wrong unit, ' +
  'moves it there: windowed stores then drop every segment that is older than their retention, windows close, pending ' +
  'timers fire, and the honest records that follow are refused as late until time catches up. Deleting the record ' +
  'brings nothing back.'

/** One thing that a record from the future would take, and the node it belongs to. */
interface Endangered {
  readonly node: string
  readonly what: 'store' | 'timers'
  readonly name: string
  readonly detail: string
  readonly place: string
}

/** V2 (F1): nothing bounds how far ahead of the clock a source's records may be, and something behind it would suffer. */
export const futureTimestamp: ValidationRule = {
  id,
  spec: 'F1',
  check(input) {
    if (input.config['topology.validation.future-timestamp'] === 'off') return []
    return input.topology.nodes.filter((node) => isUnbounded(node)).flatMap((source) => checkSource(input, source))
  },
}

/** A scheduled source stamps its records with the clocks of those that read topics (T12). */
function isUnbounded({ source }: CompiledNode): boolean {
  return source !== undefined && source.maxAheadMs === undefined && source.schedule === undefined
}

function checkSource(input: ValidationInput, source: CompiledNode): Finding[] {
  const paths = pathsFrom(input.topology, source.name)
  const endangered = [...paths.keys()].flatMap((name) => endangeredAt(input.topology, name))
  const unique = endangered.filter((one, at) => endangered.findIndex((other) => isSame(one, other)) === at)
  const [nearest] = unique
  return nearest === undefined ? [] : [finding(input, source.name, unique, paths.get(nearest.node) ?? [])]
}

function finding(
  input: ValidationInput,
  source: string,
  endangered: readonly Endangered[],
  path: readonly PathEdge[],
): Finding {
  const standing = formatDuration(input.config['future-timestamp.max-ahead-ms'])
  const bound = formatDuration(proposedBoundMs)
  return {
    id: `${id}:${source}`,
    rule: id,
    severity: input.config['topology.validation.future-timestamp'] === 'error' ? 'error' : 'warn',
    node: source,
    nodes: [...new Set([source, ...endangered.map((one) => one.node)])],
    path,
    places: [
      { node: source, title: 'No bound on how far ahead.', detail: 'No withMaxAhead is declared.' },
      ...places(endangered),
    ],
    title: `One record of ${source} from the future would ${consequence(endangered)}`,
    message:
      `${source} takes records of any time and declares no bound. One far in the future would ` +
      `${consequence(endangered)}. While running, the default of ${standing} guards against it, but nobody chose that for this source.`,
    why,
    fixes: [
      {
        kind: 'bound-source',
        source,
        maxAheadMs: proposedBoundMs,
        title: `Bound ${source} to ${bound} ahead`,
        effect: `A record more than ${bound} ahead of the clock stays out when it would destroy something.`,
      },
    ],
    endangered: endangered.map(({ what, name, detail }) => ({ what, name, detail })),
  }
}

/** Nodes downstream of a source, nearest first, each with the shortest path to it. */
function pathsFrom(topology: CompiledTopology, source: string): Map<string, readonly PathEdge[]> {
  const paths = new Map<string, readonly PathEdge[]>([[source, []]])
  for (const [name, path] of paths) {
    for (const child of topology.node(name).children) {
      if (!paths.has(child)) paths.set(child, [...path, { from: name, to: child }])
    }
  }
  return paths
}

function endangeredAt(topology: CompiledTopology, name: string): Endangered[] {
  const node = topology.node(name)
  const stores = topology.stores.filter((store) => store.nodes.includes(name)).flatMap((store) => storeAt(name, store))
  return node.timers.includes('event-time') ? [...stores, timersOf(name)] : stores
}

function storeAt(node: string, { name, builder }: CompiledStore): Endangered[] {
  const { retentionMs } = builder
  if (retentionMs === undefined) return []
  const kept = formatDuration(retentionMs)
  return [
    {
      node,
      what: 'store',
      name,
      detail: `keeps ${kept}; a record more than that ahead expires every segment`,
      place: `${name} keeps ${kept}.`,
    },
  ]
}

function timersOf(node: string): Endangered {
  return {
    node,
    what: 'timers',
    name: node,
    detail: 'every pending event-time timer up to that time fires at once',
    place: 'Its event-time timers would fire.',
  }
}

function isSame(one: Endangered, other: Endangered): boolean {
  return one.what === other.what && one.name === other.name
}

function places(endangered: readonly Endangered[]): FindingPlace[] {
  return endangered.map(({ node, what, place }) => ({
    node,
    title: place,
    detail: what === 'store' ? 'All of it would expire.' : 'All that are pending become due.',
  }))
}

function consequence(endangered: readonly Endangered[]): string {
  const named = (what: Endangered['what']) => endangered.filter((one) => one.what === what).map((one) => one.name)
  const [stores, timers] = [named('store'), named('timers')]
  const parts = [
    ...(stores.length > 0 ? [`expire every segment of ${listOf(stores)}`] : []),
    ...(timers.length > 0 ? [`make every timer of ${listOf(timers)} due`] : []),
  ]
  return listOf(parts)
}
