import type { DslPlan } from './DslPlan.js'
import { KStream } from './KStream.js'
import { Named } from './Named.js'
import { tableToStream } from './operators/tableToStream.js'
import type { Sync } from './sync.js'
import type { TableNode } from './TableNode.js'

/** The newest value per key. */
export class KTable<K, V> {
  /** @internal made by aggregations */
  constructor(
    private readonly plan: DslPlan,
    /** The node whose output this is. */
    readonly node: string,
    /** @internal what is behind it, for operators downstream */
    readonly table: TableNode<K, NonNullable<V>>,
  ) {}

  /**
   * The table's updates as a stream, one with a null value for each deletion; a mapper gives them new keys.
   *
   * @param named names the node of the table's updates, not that of the new keys
   */
  toStream<KR>(mapper: (key: K, value: V) => Sync<KR>, named?: Named): KStream<KR, V>
  toStream(named?: Named): KStream<K, V>
  toStream<KR>(first?: Named | ((key: K, value: V) => Sync<KR>), second?: Named): KStream<K, V> | KStream<KR, V> {
    if (first === undefined || first instanceof Named) return this.updates(first)
    return this.updates(second).selectKey(first)
  }

  private updates(named: Named | undefined): KStream<K, V> {
    const name = this.plan.name('KTABLE-TOSTREAM-', named?.name)
    this.plan.add((definition) =>
      definition.addProcessor({
        name,
        parents: [this.node],
        supplier: tableToStream(),
        userCode: false,
        keyEffect: { kind: 'same' },
        valueEffect: 'same',
        facts: { operator: 'toStream' },
      }),
    )
    return new KStream<K, V>(this.plan, name, false)
  }
}
