import type { DslPlan } from './DslPlan.js'
import { KStream } from './KStream.js'
import type { Named } from './Named.js'
import { passThrough } from './operators/passThrough.js'

/** The newest value per key. */
export class KTable<K, V> {
  /** @internal made by aggregations */
  constructor(
    private readonly plan: DslPlan,
    /** The node whose output this is. */
    readonly node: string,
  ) {}

  /** The table's updates as a stream. */
  toStream(named?: Named): KStream<K, V> {
    const name = this.plan.name('KTABLE-TOSTREAM-', named?.name)
    this.plan.add((definition) =>
      definition.addProcessor({
        name,
        parents: [this.node],
        supplier: passThrough(),
        userCode: false,
        keyEffect: { kind: 'same' },
        valueEffect: 'same',
        facts: { operator: 'toStream' },
      }),
    )
    return new KStream<K, V>(this.plan, name, false)
  }
}
