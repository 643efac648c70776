import type { Serde } from '../serde/Serde.js'
import type { DeclaredSerdes } from '../topology/NodeDefinition.js'
import type { DslPlan, PlannedStep } from './DslPlan.js'
import { addRepartition, repartitionNames } from './repartition.js'

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

/** One `groupByKey`: where its records come from, and the boundary that they cross first when their key was changed. */
export class Grouping {
  private shared: { readonly source: string; readonly step: PlannedStep } | undefined

  constructor(
    private readonly plan: DslPlan,
    private readonly node: string,
    private readonly rekeyed: boolean,
    private readonly options: GroupingOptions,
  ) {}

  /**
   * Attaches one aggregation. Behind a changed key each makes a repartition of its own, except that those of one named
   * grouping share it, and so do those of one cogroup; three numbers are used up all the same (C.1, C.2).
   *
   * @param crossed of a cogroup: the boundaries that its groupings have crossed already, by their source nodes
   */
  attach(store: string, crossed?: Map<Grouping, string>): GroupedInput {
    const { numberOfLanes } = this.options
    if (!this.rekeyed) {
      return { parent: this.node, grouped: this.declared(), ...(numberOfLanes !== undefined && { numberOfLanes }) }
    }
    const source = this.repartition(this.options.name ?? store, crossed)
    return { parent: source, grouped: {} }
  }

  private repartition(base: string, crossed: Map<Grouping, string> | undefined): string {
    const names = repartitionNames(this.plan, base)
    const known = crossed?.get(this)
    if (known !== undefined) return known
    if (crossed === undefined && this.shared !== undefined) {
      this.plan.again(this.shared.step)
      return this.shared.source
    }
    const { numberOfLanes } = this.options
    const step = addRepartition(this.plan, this.node, names, {
      by: 'Grouped',
      declared: this.declared(),
      ...(numberOfLanes !== undefined && { numberOfLanes }),
    })
    if (crossed !== undefined) crossed.set(this, names.source)
    else if (this.options.name !== undefined) this.shared = { source: names.source, step }
    return names.source
  }

  private declared(): DeclaredSerdes {
    const { keySerde, valueSerde } = this.options
    return { ...(keySerde !== undefined && { key: keySerde }), ...(valueSerde !== undefined && { value: valueSerde }) }
  }
}
