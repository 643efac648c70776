import type { TableView } from './TableView.js'

/**
 * The node behind a `KTable`, as the operators downstream of it see it while the topology is being written down.
 *
 * @internal
 */
export interface TableNode<K, V> {
  /** Whether its changes come from a versioned store, so that those with `isLatest: false` are out of order. */
  readonly versioned: boolean
  /**
   * Asks it to fill in `Change.oldValue` from now on.
   *
   * @param force whether it shall keep a store for that where it would not otherwise
   * @returns whether it does
   */
  requestOldValues(force: boolean): boolean
  /** How to read it. A source table keeps a store once it is asked this. */
  view(): TableView<K, V>
}

/** A table that an aggregation keeps: it always has a store. */
export class AggregateTable<K, V> implements TableNode<K, V> {
  /** Whether its changes tell old values. Final once the topology is built: read it in the plan's step. */
  sendsOldValues = false

  constructor(private readonly stored: TableView<K, V>) {}

  get versioned(): boolean {
    return this.stored.versioned
  }

  requestOldValues(): boolean {
    this.sendsOldValues = true
    return true
  }

  view(): TableView<K, V> {
    return this.stored
  }
}
