import type { TableNode } from '../TableNode.js'
import type { TableStore } from '../TableStore.js'
import type { TableView } from '../TableView.js'

/**
 * A table that a topic or a stream fills. It has a store when `Materialized` names one, or as soon as an operator
 * downstream must read it or know old values; else it only hands records on.
 */
export class SourceTable<K, V> implements TableNode<K, V> {
  /** Final once the topology is built: read it in the plan's step, as `sendsOldValues`. */
  isKept: boolean
  sendsOldValues = false

  constructor(
    readonly store: TableStore<K, V>,
    isNamed: boolean,
  ) {
    this.isKept = isNamed
  }

  get versioned(): boolean {
    return this.store.versioned
  }

  requestOldValues(force: boolean): boolean {
    if (!this.isKept && !force) return false
    this.isKept = true
    this.sendsOldValues = true
    return true
  }

  view(): TableView<K, V> {
    this.isKept = true
    return this.store
  }
}
