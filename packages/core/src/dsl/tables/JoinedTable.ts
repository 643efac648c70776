import type { TableNode } from '../TableNode.js'
import type { TableStore } from '../TableStore.js'
import type { TableView } from '../TableView.js'

/** The join of two tables by key. Without a store of its own it is read by joining what the two tables hold. */
export class JoinedTable<K, R> implements TableNode<K, R> {
  /** Final once the topology is built: read it in the plan's step. */
  sendsOldValues = false

  constructor(
    private readonly sides: readonly [TableNode<K, any>, TableNode<K, any>],
    private readonly store: TableStore<K, R> | undefined,
    private readonly joined: TableView<K, R>,
  ) {}

  /** A join is not versioned because what it joins is: only its own store makes it so. */
  get versioned(): boolean {
    return this.store?.versioned === true
  }

  requestOldValues(): boolean {
    for (const side of this.sides) side.requestOldValues(true)
    this.sendsOldValues = true
    return true
  }

  view(): TableView<K, R> {
    return this.store ?? this.joined
  }
}
