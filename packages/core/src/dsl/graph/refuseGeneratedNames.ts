import { topologyError } from '../../topology/topologyError.js'
import type { DslGraph } from './DslGraph.js'
import type { GraphNode } from './GraphNode.js'

const generated = /-STATE-STORE-\d{10}$|^K(STREAM|TABLE)-.*-\d{10}(-store|-Buffer)?$/
/** Stores that Kafka Streams does not ask names for: derived tables can be made anew, subscriptions hang on their topic. */
const exempt = /^KTABLE-(FILTER|MAPVALUES|TRANSFORMVALUES|FK-JOIN-SUBSCRIPTION)-/
const buffer = /^KTABLE-SUPPRESS-STATE-STORE-/

interface Unnamed {
  readonly changelogs: string[]
  readonly stores: string[]
  readonly repartitions: string[]
}

/**
 * `ensure.explicit.internal.resource.naming`: refuses what a change elsewhere would rename, and so orphan (KIP-1111). All
 * of it at once, as it was called for, before any of it is optimised away.
 *
 * @throws StreamError TOPOLOGY_INVALID
 */
export function refuseGeneratedNames(graph: DslGraph): void {
  const unnamed: Unnamed = { changelogs: [], stores: [], repartitions: [] }
  for (const node of graph.nodes) collect(node, unnamed)
  const lines = [
    line('changelog topic(s)', unnamed.changelogs),
    line('state store(s)', unnamed.stores),
    line('repartition topic(s)', unnamed.repartitions),
  ].filter((text) => text !== '')
  if (lines.length === 0) return
  throw topologyError(
    `Some internal resources have generated names, which a change elsewhere in the topology would change:\n${lines.join('\n')}\n` +
      'Name stores with Materialized.as or StreamJoined.withStoreName, repartitions with Grouped.as, Repartitioned.as, ' +
      'Joined.as or Named.as, and suppress with withName.',
  )
}

function line(what: string, names: readonly string[]): string {
  return names.length === 0 ? '' : `Following ${what} has not been named: ${[...new Set(names)].join(', ')}`
}

function collect(node: GraphNode, unnamed: Unnamed): void {
  const { facts } = node.step
  const own = [facts.tableStore, facts.ownStore].filter((store) => store !== undefined)
  const built = node.stores.map(({ name, logging }) => ({ store: name, logging: logging !== false }))
  for (const { store, logging } of [...own, ...built]) {
    if (!generated.test(store) || exempt.test(store)) continue
    if (logging) unnamed.changelogs.push(`${store}-changelog`)
    if (!buffer.test(store)) unnamed.stores.push(store)
  }
  const global = node.globalStore?.name
  if (global !== undefined && generated.test(global)) unnamed.stores.push(global)
  const { repartition } = node
  const asks = facts.mergeable === true || repartition?.by === 'Repartitioned'
  const base = repartition?.topic.replace(/-repartition$/, '')
  if (base !== undefined && asks && generated.test(base)) unnamed.repartitions.push(repartition?.topic as string)
}
