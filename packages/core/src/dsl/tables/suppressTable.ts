import { SuppressBufferBuilder } from '../../state/builders/SuppressBufferBuilder.js'
import type { NodeDefinition, ProcessorDefinition } from '../../topology/NodeDefinition.js'
import { topologyError } from '../../topology/topologyError.js'
import type { DslPlan } from '../DslPlan.js'
import { suppressRows } from '../operators/suppressRows.js'
import type { Suppressed } from '../Suppressed.js'
import type { TableNode } from '../TableNode.js'
import type { TableView } from '../TableView.js'

type Closing = NonNullable<NonNullable<ProcessorDefinition['facts']>['closes']>

/** Adds a node that holds rows of a table back, with its buffer. */
export function suppressTable<K, V>(
  plan: DslPlan,
  { node: parent, table }: { readonly node: string; readonly table: TableNode<K, V> },
  suppressed: Suppressed,
): { readonly node: string; readonly table: TableNode<K, V> } {
  const { waitMs, buffer, name: given } = suppressed.options
  const name = given ?? plan.name('KTABLE-SUPPRESS-')
  const storeName = given === undefined ? plan.name('KTABLE-SUPPRESS-STATE-STORE-') : `${given}-store`
  if (table.versioned) {
    throw topologyError(
      `suppress() is only supported for non-versioned KTables: "${parent}" keeps a history. Suppress before the history, ` +
        'or keep the table in a store of another kind.',
      { node: name },
    )
  }
  const windows = waitMs === undefined ? closingAbove(plan.definitions(), parent) : undefined
  // What a row was before it was held back is what an operator downstream still has.
  table.requestOldValues(true)
  const store = new SuppressBufferBuilder<K, V>(storeName, buffer.options.logging, buffer.options.topicConfig ?? {})
  const settings = { node: name, store, windows, waitMs: waitMs ?? windows?.waitMs ?? 0, limits: buffer.options }
  plan.add((writer) =>
    writer.addProcessor({
      name,
      parents: [parent],
      supplier: suppressRows(settings),
      userCode: false,
      keyEffect: { kind: 'same' },
      valueEffect: 'same',
      aggregateStore: storeName,
      facts: { operator: 'suppress', ...(windows !== undefined && { finalResults: true as const }) },
    }),
  )
  return { node: name, table: new SuppressedTable(table, store) }
}

/** The table as operators downstream of a suppress see it: a row that is held back is as it was. */
class SuppressedTable<K, V> implements TableNode<K, V> {
  readonly versioned = false

  constructor(
    private readonly parent: TableNode<K, V>,
    private readonly store: SuppressBufferBuilder<K, V>,
  ) {}

  requestOldValues(force: boolean): boolean {
    return this.parent.requestOldValues(force)
  }

  view(): TableView<K, V> {
    const parent = this.parent.view()
    return {
      stores: [this.store, ...parent.stores],
      versioned: false,
      get: (ctx, key) => {
        const held = ctx.store(this.store).get(key)
        if (held === undefined) return parent.get(ctx, key)
        return held.oldValue === null ? undefined : { value: held.oldValue, timestamp: -1 }
      },
    }
  }
}

/**
 * When the windows of a table close: as the windowed aggregations above it say, the one that waits longest.
 *
 * @throws StreamError TOPOLOGY_INVALID when there is none above every path
 */
function closingAbove(definitions: readonly NodeDefinition[], node: string): Closing {
  const byName = new Map(definitions.map((definition) => [definition.name, definition]))
  const search = (name: string, below: readonly string[]): Closing => {
    const definition = byName.get(name)
    const closes = definition?.kind === 'processor' ? definition.facts?.closes : undefined
    if (closes !== undefined) return closes
    const parents = definition === undefined ? [] : parentsOf(definition)
    // A table's source is one node with it in Kafka's graph.
    const isTable = definition?.kind === 'source' && definition.feeds === 'table'
    const chain = isTable ? below : [name, ...below]
    if (parents.length === 0) throw notWindowed(chain)
    return parents.map((parent) => search(parent, chain)).reduce(longer)
  }
  return search(node, [])
}

function longer(one: Closing, other: Closing): Closing {
  return other.waitMs > one.waitMs ? other : one
}

function parentsOf(definition: NodeDefinition): readonly string[] {
  if (definition.kind !== 'source') return definition.parents
  return definition.repartition === undefined ? [] : [definition.repartition.from]
}

function notWindowed(chain: readonly string[]): Error {
  return topologyError(
    `Window close time is only defined for windowed computations. Got [${['root', ...chain].join('->')}]. ` +
      'Aggregate in windows before suppress(untilWindowCloses), or use untilTimeLimit.',
    { node: chain.at(-1) as string },
  )
}
