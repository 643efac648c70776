import type { TableNode } from '../TableNode.js'
import type { TableStore } from '../TableStore.js'
import type { TableView } from '../TableView.js'

/** A table made of another, row by row: it has a store when `Materialized` names one, else it is read through the other. */
export class DerivedTable<K, V, VR> implements TableNode<K, VR> {
  /** Final once the topology is built: read it in the plan's step. */
  sendsOldValues = false
  readonly versioned: boolean

  constructor(
    private readonly parent: TableNode<K, V>,
    private readonly store: TableStore<K, VR> | undefined,
    /** Reads a row of this table by way of the other's view. */
    private readonly derive: (parent: TableView<K, V>) => TableView<K, VR>,
    /** Whether `Materialized` was given at all: then its store decides, and no store is not versioned. */
    isMaterialized: boolean,
  ) {
    this.versioned = isMaterialized ? store?.versioned === true : parent.versioned
  }

  requestOldValues(force: boolean): boolean {
    if (this.store !== undefined || this.parent.requestOldValues(force)) this.sendsOldValues = true
    return this.sendsOldValues
  }

  view(): TableView<K, VR> {
    return this.store ?? this.derive(this.parent.view())
  }
}
