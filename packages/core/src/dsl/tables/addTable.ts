import { Consumed } from '../../topology/Consumed.js'
import { topologyError } from '../../topology/topologyError.js'
import type { DslPlan } from '../DslPlan.js'
import { GlobalKTable } from '../GlobalKTable.js'
import { KTable } from '../KTable.js'
import { Materialized } from '../Materialized.js'
import { tableSource } from '../operators/tableSource.js'
import { tableStore } from '../TableStore.js'
import { SourceTable } from './SourceTable.js'

/** What a table of a topic is told: how it is read, what it is kept in, or either. */
export type TableArguments<K, V> =
  | readonly []
  | readonly [Consumed<K, V> | Materialized<NonNullable<K>, NonNullable<V>> | undefined]
  | readonly [Consumed<K, V> | undefined, Materialized<NonNullable<K>, NonNullable<V>> | undefined]

interface TableOptions {
  readonly consumed: Consumed<any, any>
  /** With what `Materialized` declares filled in. */
  readonly consumedOrKept: Consumed<any, any>
  readonly materialized: Materialized<any, any>['options']
}

/** Adds a table that a topic fills: a source and the node that takes its records as rows (C.1). */
export function addTable<K, V>(plan: DslPlan, topic: string, args: TableArguments<K, V>): KTable<NonNullable<K>, V> {
  const { consumed, consumedOrKept, materialized } = tableOptions(args)
  const names = tableNames(plan, topic, consumed, materialized.storeName)
  const store = tableStore<any, any>(names.store, materialized, plan.config)
  const table = new SourceTable(store, materialized.storeName !== undefined)
  plan.add(
    (writer) => {
      writer.addSource({ name: names.source, topics: [topic], consumed, consumedOrKept, feeds: 'table' })
      writer.addProcessor({
        name: names.node,
        parents: [names.source],
        supplier: tableSource(table.isKept ? store : undefined, table.sendsOldValues),
        userCode: false,
        keyEffect: { kind: 'same' },
        valueEffect: 'same',
        ...(table.isKept && { aggregateStore: names.store }),
        facts: { operator: 'table' },
      })
    },
    { tableStore: { store: names.store, topic, logging: materialized.logging !== false } },
  )
  return new KTable<NonNullable<K>, V>(plan, names.node, table)
}

/** Adds a table that every node may read: always kept, its topic its changelog. */
export function addGlobalTable<K, V>(
  plan: DslPlan,
  topic: string,
  args: TableArguments<K, V>,
): GlobalKTable<NonNullable<K>, V> {
  const { consumed, consumedOrKept, materialized } = tableOptions(args)
  if (materialized.storeName === undefined && args.some((arg) => arg instanceof Materialized)) throw unnamed(topic)
  const names = tableNames(plan, topic, consumed, materialized.storeName)
  const store = tableStore<any, any>(names.store, materialized, plan.config)
  if (store.versioned) throw versioned(topic, names.store)
  plan.add((writer) =>
    writer.addGlobalStore({
      store: store.builder,
      sourceName: names.source,
      topic,
      consumed,
      consumedOrKept,
      processorName: names.node,
      supplier: tableSource(store, false),
      facts: { operator: 'globalTable' },
    }),
  )
  return new GlobalKTable<NonNullable<K>, V>(names.store, { ...store, stores: [] })
}

/** Kafka Streams makes no store for it, and then misses that store. */
function unnamed(topic: string) {
  return topologyError(
    `Global stores must have exactly one store: the Materialized of the global table of "${topic}" names none. ` +
      'Name it with Materialized.as(…), or leave Materialized out and declare serdes by Consumed.with(…).',
    { topic },
  )
}

function versioned(topic: string, store: string) {
  return topologyError(
    `Global tables cannot be versioned: the store "${store}" of the global table of "${topic}" keeps a history that no join ` +
      'with a global table reads. Give it a key-value store.',
    { topic, store },
  )
}

function tableNames(plan: DslPlan, topic: string, { options }: Consumed<any, any>, storeName: string | undefined) {
  const store = storeName ?? plan.name(`${topic}-STATE-STORE-`)
  const source = plan.name('KSTREAM-SOURCE-', options.name && `${options.name}-source`)
  const node = plan.name('KTABLE-SOURCE-', options.name)
  return { store, source, node }
}

/** What `Consumed` leaves open, `Materialized` says: both are about the same keys and values. */
function tableOptions<K, V>([first, second]: TableArguments<K, V>): TableOptions {
  const given = first instanceof Consumed ? first : undefined
  const materialized = (first instanceof Consumed ? second : (first ?? second))?.options ?? {}
  const { keySerde, valueSerde } = materialized
  const open = given ?? Consumed.with<any, any>(undefined, undefined)
  const filled = Consumed.of(
    open.key.form === 'default' && keySerde !== undefined ? { form: 'serde', serde: keySerde } : open.key,
    open.value.form === 'default' && valueSerde !== undefined ? { form: 'serde', serde: valueSerde } : open.value,
    open.options,
  )
  return { consumed: given ?? filled, consumedOrKept: filled, materialized }
}
