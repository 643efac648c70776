import { type AggregateArguments, aggregateArguments } from '../aggregateArguments.js'
import type { DslPlan } from '../DslPlan.js'
import { Grouping } from '../Grouping.js'
import type { KStream } from '../KStream.js'
import { KTable } from '../KTable.js'
import { tableSource } from '../operators/tableSource.js'
import { tableStore } from '../TableStore.js'
import { SourceTable } from './SourceTable.js'

/** Takes a stream's records as the rows of a table, behind a boundary where their key was changed (C.1, C.2). */
export function streamToTable<K, V>(
  plan: DslPlan,
  stream: KStream<K, V>,
  args: AggregateArguments<NonNullable<K>, NonNullable<V>>,
): KTable<NonNullable<K>, V> {
  const { named, materialized } = aggregateArguments(args)
  const { storeName, keySerde, valueSerde } = materialized?.options ?? {}
  const name = plan.name('KSTREAM-TOTABLE-', named?.name)
  const storeAs = storeName ?? plan.name('KSTREAM-TOTABLE-STATE-STORE-')
  const { parent, ...input } = new Grouping(plan, stream.node, stream.rekeyed, { keySerde, valueSerde }).attach(name)
  const store = tableStore<any, any>(storeAs, materialized?.options ?? {}, plan.config)
  const table = new SourceTable(store, storeName !== undefined)
  plan.add(
    (writer) =>
      writer.addProcessor({
        name,
        parents: [parent],
        supplier: tableSource(table.isKept ? store : undefined, table.sendsOldValues),
        userCode: false,
        keyEffect: { kind: 'same' },
        valueEffect: 'same',
        ...input,
        grouped: {},
        materialized: keySerde === undefined ? {} : { key: keySerde },
        ...(table.isKept && { aggregateStore: storeAs }),
        ...(materialized !== undefined && { storeSerdes: 'materialized' as const }),
        output: valueSerde === undefined ? {} : { value: valueSerde },
        facts: { operator: 'toTable' },
      }),
    { ownStore: { store: storeAs, logging: materialized?.options.logging !== false } },
  )
  return new KTable<NonNullable<K>, V>(plan, name, table)
}
