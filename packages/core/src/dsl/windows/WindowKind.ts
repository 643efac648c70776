import type { ProcessorSupplier } from '../../processor/Processor.js'
import type { StoreBuilder } from '../../state/StoreBuilder.js'
import type { OperatorFacts } from '../../topology/CompiledTopology.js'
import type { WindowedForm } from '../../topology/NodeDefinition.js'
import type { TopologyConfig } from '../../topology/TopologyConfig.js'
import type { Materialized } from '../Materialized.js'
import type { TableView } from '../TableView.js'
import type { Aggregation } from './Aggregation.js'

type Options = Materialized<any, any>['options']

/** How an aggregation per window runs, once its store is known. */
export interface WindowedSettings {
  readonly aggregation: Aggregation<any, any, any>
  readonly store: StoreBuilder<any, any>
  readonly sendsOldValues: boolean
  readonly onClose: boolean
}

/** What the kinds of windows differ in, for whoever aggregates by them. */
export interface WindowKind {
  readonly facts: Required<Pick<OperatorFacts, 'window' | 'closes'>>
  /** How keys with such a window are written. */
  readonly wrap: WindowedForm
  /** The store that `Materialized` asks for. @throws StreamError TOPOLOGY_INVALID for a retention that is too short */
  store(name: string, options: Options, config: TopologyConfig, onClose: boolean): StoreBuilder<any, any>
  supplier(settings: WindowedSettings): ProcessorSupplier<any, any, any, any>
  view(store: StoreBuilder<any, any>): TableView<any, any>
}
