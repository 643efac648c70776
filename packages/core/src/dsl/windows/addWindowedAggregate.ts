import type { AggregateArguments } from '../aggregateArguments.js'
import { aggregateArguments } from '../aggregateArguments.js'
import type { DslPlan } from '../DslPlan.js'
import type { Grouping } from '../Grouping.js'
import { KTable } from '../KTable.js'
import type { Materialized } from '../Materialized.js'
import { AggregateTable } from '../TableNode.js'
import { withStoreSettings } from '../withStoreSettings.js'
import type { Aggregation } from './Aggregation.js'
import type { WindowKind } from './WindowKind.js'

/** An aggregation per window before it has a name. */
export interface WindowedOperation {
  readonly operator: 'windowed-count' | 'windowed-reduce' | 'windowed-aggregate'
  readonly prefix: 'KSTREAM-AGGREGATE-' | 'KSTREAM-REDUCE-'
  /** Whether results are of the records' own type, and so written by the stream's serde. */
  readonly value: 'same' | 'changed'
  aggregation(node: string): Aggregation<any, any, any>
}

/** A grouped stream cut into windows. */
export interface WindowedGrouping {
  readonly plan: DslPlan
  readonly grouping: Grouping
  readonly kind: WindowKind
  readonly onClose: boolean
}

/** Takes a number in vain for a count whose `Materialized` names no store, as Kafka Streams does (C.1). */
export function burnStoreNumber(plan: DslPlan, materialized: Materialized<any, any> | undefined): void {
  if (materialized !== undefined && materialized.options.storeName === undefined) {
    plan.name('KSTREAM-AGGREGATE-STATE-STORE-')
  }
}

/** Adds an aggregation per key and window, with its store. */
export function addWindowedAggregate(
  { plan, grouping, kind, onClose }: WindowedGrouping,
  { operator, prefix, value, aggregation }: WindowedOperation,
  args: AggregateArguments<any, any>,
): KTable<any, any> {
  const { named, materialized } = aggregateArguments(args)
  const options = materialized?.options ?? {}
  const { keySerde, valueSerde } = options
  const storeName = options.storeName ?? plan.name(`${prefix}STATE-STORE-`)
  const name = plan.name(prefix, named?.name)
  // Kafka Streams caches what aggregations keep unless told not to, and sends no window with an inclusive end on from there.
  const caching = options.caching !== false && !(onClose && kind.facts.closes.endInclusive === true)
  const store = withStoreSettings(kind.store(storeName, options, plan.config, onClose), { ...options, caching })
  const { parent, ...input } = grouping.attach(storeName)
  const table = new AggregateTable<any, any>(kind.view(store))
  const made = aggregation(name)
  plan.add((writer) =>
    writer.addProcessor({
      name,
      parents: [parent],
      supplier: kind.supplier({ aggregation: made, store, sendsOldValues: table.sendsOldValues, onClose }),
      userCode: false,
      keyEffect: { kind: 'windowed', wrap: kind.wrap },
      valueEffect: value,
      ...input,
      materialized: keySerde === undefined ? {} : { key: keySerde },
      aggregateStore: storeName,
      output: valueSerde === undefined ? {} : { value: valueSerde },
      facts: { operator, ...kind.facts, ...(onClose && { finalResults: true as const }) },
    }),
  )
  return new KTable(plan, name, table)
}
