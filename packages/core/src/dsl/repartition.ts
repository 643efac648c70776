import { Consumed } from '../topology/Consumed.js'
import type { RepartitionDefinition } from '../topology/NodeDefinition.js'
import { Produced } from '../topology/Produced.js'
import type { DslPlan } from './DslPlan.js'
import { repartitionFilter } from './operators/repartitionFilter.js'

/** The three nodes of a repartition and its topic, as `describe()` shows them. */
export interface RepartitionNames {
  readonly topic: string
  readonly sink: string
  readonly filter: string
  readonly source: string
}

const generatedName = /^KSTREAM.*-\d{10}$/

/** Names from a base: numbered ones when the base is generated. Three numbers are used up either way (C.1). */
export function repartitionNames(plan: DslPlan, base: string): RepartitionNames {
  const numbered = generatedName.test(base)
  const topic = `${base}-repartition`
  const nameOf = (prefix: string, suffix: string) => plan.name(prefix, numbered ? undefined : `${topic}-${suffix}`)
  const sink = nameOf('KSTREAM-SINK-', 'sink')
  const filter = nameOf('KSTREAM-FILTER-', 'filter')
  const source = nameOf('KSTREAM-SOURCE-', 'source')
  return { topic, sink, filter, source }
}

/** Writes a boundary of the DSL down behind a node. */
export function addRepartition(
  plan: DslPlan,
  parent: string,
  { topic, sink, filter, source }: RepartitionNames,
  crossing: Omit<RepartitionDefinition, 'from' | 'topic'>,
): void {
  const repartition = { ...crossing, from: filter, topic }
  plan.add((definition) => {
    definition.addProcessor({
      name: filter,
      parents: [parent],
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
