import type { ProcessorSupplier } from '../../processor/Processor.js'
import type { OperatorFacts } from '../../topology/CompiledTopology.js'
import type { KeyEffect } from '../../topology/NodeDefinition.js'
import type { AggregateArguments } from '../aggregateArguments.js'
import { aggregateArguments } from '../aggregateArguments.js'
import type { DslPlan } from '../DslPlan.js'
import type { Grouping } from '../Grouping.js'
import { KTable } from '../KTable.js'
import type { Materialized } from '../Materialized.js'
import { keyedAggregate } from '../operators/keyedAggregate.js'
import { passThrough } from '../operators/passThrough.js'
import type { Sync } from '../sync.js'
import { AggregateTable } from '../TableNode.js'
import { tableStore } from '../TableStore.js'
import type { TableView } from '../TableView.js'
import { withStoreSettings } from '../withStoreSettings.js'
import type { Aggregation } from './Aggregation.js'
import { aggregating } from './operations.js'
import type { WindowKind } from './WindowKind.js'

const prefix = 'COGROUPKSTREAM-AGGREGATE-'

export type Aggregator = (key: any, value: any, aggregate: any) => unknown

/** Streams that are aggregated into one table, each by a function of its own, in the order of the calls. */
export interface Cogroup {
  readonly streams: Map<Grouping, Aggregator>
  /** The boundaries that they have crossed: all its aggregations share them. */
  readonly crossed: Map<Grouping, string>
}

/** What a cogrouped aggregation is told apart from its streams. */
interface CogroupSettings {
  readonly plan: DslPlan
  readonly cogroup: Cogroup
  readonly initializer: () => unknown
  readonly merger?: ((key: any, one: any, other: any) => unknown) | undefined
}

/** How one of its nodes runs, over the store that they share. */
interface CogroupForm {
  readonly view: TableView<any, any>
  readonly keyEffect: KeyEffect
  readonly facts: OperatorFacts
  supplier(aggregation: Aggregation<any, any, any>, sendsOldValues: boolean): ProcessorSupplier<any, any, any, any>
}

/** One aggregate per key of several streams. */
export function cogroupByKey(settings: CogroupSettings, args: AggregateArguments<any, any>): KTable<any, any> {
  return addCogroup(settings, args, (storeName, options, plan) => {
    const store = tableStore<any, any>(storeName, options, plan.config)
    return {
      view: store,
      keyEffect: { kind: 'same' },
      facts: { operator: 'aggregate' },
      supplier: (aggregation, sendsOldValues) => keyedAggregate(store, aggregation, sendsOldValues),
    }
  })
}

/** One aggregate per key and window of several streams. */
export function cogroupByWindow(
  settings: CogroupSettings,
  kind: WindowKind,
  args: AggregateArguments<any, any>,
): KTable<any, any> {
  return addCogroup(settings, args, (storeName, options, plan) => {
    const caching = options.caching !== false
    const store = withStoreSettings(kind.store(storeName, options, plan.config, false), { ...options, caching })
    return {
      view: kind.view(store),
      keyEffect: { kind: 'windowed', wrap: kind.wrap },
      facts: { operator: 'windowed-aggregate', ...kind.facts },
      supplier: (aggregation, sendsOldValues) => kind.supplier({ aggregation, store, sendsOldValues, onClose: false }),
    }
  })
}

/** A node for each stream, one store for all of them, and a node that brings their results together (C.1). */
function addCogroup(
  { plan, cogroup, initializer, merger }: CogroupSettings,
  args: AggregateArguments<any, any>,
  formOf: (storeName: string, options: Materialized<any, any>['options'], plan: DslPlan) => CogroupForm,
): KTable<any, any> {
  const { named, materialized } = aggregateArguments(args)
  const options = materialized?.options ?? {}
  const { keySerde, valueSerde } = options
  const storeName = options.storeName ?? plan.name(`${prefix}STATE-STORE-`)
  const form = formOf(storeName, options, plan)
  const inputs = [...cogroup.streams].map(([grouping, aggregator]) => ({
    ...grouping.attach(storeName, cogroup.crossed),
    aggregator,
  }))
  const table = new AggregateTable<any, any>(form.view)
  const names = inputs.map((_, index) => plan.name(prefix, named && `${named.name}-cogroup-agg-${index}`))
  inputs.forEach(({ parent, aggregator, ...input }, index) => {
    const name = names[index] as string
    const init = initializer as () => Sync<unknown>
    const aggregation = aggregating(init, aggregator as never, merger as never).aggregation(name)
    plan.add((writer) =>
      writer.addProcessor({
        name,
        parents: [parent],
        supplier: form.supplier(aggregation, table.sendsOldValues),
        userCode: false,
        keyEffect: form.keyEffect,
        valueEffect: 'changed',
        ...input,
        materialized: keySerde === undefined ? {} : { key: keySerde },
        aggregateStore: storeName,
        sendsMaterializedKey: true,
        output: valueSerde === undefined ? {} : { value: valueSerde },
        facts: form.facts,
      }),
    )
  })
  const merge = plan.name('COGROUPKSTREAM-MERGE-', named && `${named.name}-cogroup-merge`)
  plan.add((writer) =>
    writer.addProcessor({
      name: merge,
      parents: names,
      supplier: passThrough(),
      userCode: false,
      keyEffect: { kind: 'same' },
      valueEffect: 'same',
      facts: { operator: 'cogroup-merge' },
    }),
  )
  return new KTable(plan, merge, table)
}
