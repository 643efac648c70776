import type { Serde } from '../serde/Serde.js'
import { Consumed } from '../topology/Consumed.js'
import type { DeclaredSerdes } from '../topology/NodeDefinition.js'
import { Produced } from '../topology/Produced.js'
import type { DslPlan } from './DslPlan.js'
import { repartitionFilter } from './operators/repartitionFilter.js'

interface GroupingOptions {
  readonly keySerde: Serde<any> | undefined
  readonly valueSerde: Serde<any> | undefined
  readonly name?: string
  readonly numberOfLanes?: number
}

/** What an aggregate on a grouping is attached to. */
export interface GroupedInput {
  readonly parent: string
  /** What `Grouped` declares; empty when a boundary in front carries it. */
  readonly grouped: DeclaredSerdes
  readonly numberOfLanes?: number
}

const generatedName = /^KSTREAM.*-\d{10}$/

/** One `groupByKey`: where its records come from, and the boundary that they cross first when their key was changed. */
export class Grouping {
  private shared: string | undefined

  constructor(
    private readonly plan: DslPlan,
    private readonly node: string,
    private readonly rekeyed: boolean,
    private readonly options: GroupingOptions,
  ) {}

  /**
   * Attaches one aggregation. Behind a changed key each makes a repartition of its own, except that those of one named
   * grouping share it; three numbers are used up all the same (C.1, C.2).
   */
  attach(store: string): GroupedInput {
    const { numberOfLanes } = this.options
    if (!this.rekeyed) {
      return { parent: this.node, grouped: this.declared(), ...(numberOfLanes !== undefined && { numberOfLanes }) }
    }
    const source = this.repartition(this.options.name ?? store)
    return { parent: source, grouped: {} }
  }

  private repartition(base: string): string {
    const numbered = generatedName.test(base)
    const topic = `${base}-repartition`
    const nameOf = (prefix: string, suffix: string) =>
      this.plan.name(prefix, numbered ? undefined : `${topic}-${suffix}`)
    const sink = nameOf('KSTREAM-SINK-', 'sink')
    const filter = nameOf('KSTREAM-FILTER-', 'filter')
    const source = nameOf('KSTREAM-SOURCE-', 'source')
    if (this.shared !== undefined) return this.shared
    this.write({ topic, sink, filter, source })
    if (this.options.name !== undefined) this.shared = source
    return source
  }

  private write({
    topic,
    sink,
    filter,
    source,
  }: {
    topic: string
    sink: string
    filter: string
    source: string
  }): void {
    const { numberOfLanes } = this.options
    const repartition = {
      from: filter,
      by: 'Grouped' as const,
      declared: this.declared(),
      ...(numberOfLanes !== undefined && { numberOfLanes }),
    }
    this.plan.add((definition) => {
      definition.addProcessor({
        name: filter,
        parents: [this.node],
        supplier: repartitionFilter(filter),
        userCode: false,
        keyEffect: { kind: 'same' },
        valueEffect: 'same',
        facts: { operator: 'repartition' },
      })
      const undeclared = Produced.with<any, any>(undefined, undefined)
      definition.addSink({ name: sink, topic, produced: undeclared, parents: [filter], repartition: true })
      const consumed = Consumed.with<any, any>(undefined, undefined)
      definition.addSource({ name: source, topics: [topic], consumed, repartition })
    })
  }

  private declared(): DeclaredSerdes {
    const { keySerde, valueSerde } = this.options
    return { ...(keySerde !== undefined && { key: keySerde }), ...(valueSerde !== undefined && { value: valueSerde }) }
  }
}
