import { Consumed } from '../topology/Consumed.js'
import type { RepartitionDefinition } from '../topology/NodeDefinition.js'
import { Produced } from '../topology/Produced.js'
import type { DslPlan, DslStep, PlannedStep } from './DslPlan.js'
import { written } from './graph/knownName.js'
import { passThrough } from './operators/passThrough.js'
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
  const names = repartitionNamesOf(`${base}-repartition`)
  const nameOf = (prefix: string, named: string) => plan.name(prefix, numbered ? undefined : named)
  const sink = nameOf('KSTREAM-SINK-', names.sink)
  const filter = nameOf('KSTREAM-FILTER-', names.filter)
  const source = nameOf('KSTREAM-SOURCE-', names.source)
  return { topic: names.topic, sink: plan.known(sink), filter: plan.known(filter), source: plan.known(source) }
}

/** The names that a repartition's nodes have when its topic was named. */
export function repartitionNamesOf(topic: string): RepartitionNames {
  return { topic, sink: `${topic}-sink`, filter: `${topic}-filter`, source: `${topic}-source` }
}

type Crossing = Omit<RepartitionDefinition, 'from' | 'topic'>

/** Adds a boundary behind a node. */
export function addRepartition(
  plan: DslPlan,
  parent: string,
  names: RepartitionNames,
  crossing: Crossing,
): PlannedStep {
  return plan.add(writeRepartition(parent, names, crossing), crossing.by === 'Repartitioned' ? {} : { mergeable: true })
}

/** What writes a boundary down: its filter, its sink and its source. */
export function writeRepartition(
  parent: string,
  { topic, sink, filter, source }: RepartitionNames,
  crossing: Crossing,
): DslStep {
  const repartition = { ...crossing, from: filter, topic }
  const undeclared = Produced.with<any, any>(undefined, undefined)
  const consumed = Consumed.with<any, any>(undefined, undefined)
  return (writer) => {
    writer.addProcessor({
      name: filter,
      parents: [parent],
      supplier: crossing.keepsNulls ? passThrough() : repartitionFilter(written(filter)),
      userCode: false,
      keyEffect: { kind: 'same' },
      valueEffect: 'same',
      facts: { operator: 'repartition' },
    })
    writer.addSink({ name: sink, topic, produced: undeclared, parents: [filter], repartition: true })
    writer.addSource({ name: source, topics: [topic], consumed, repartition })
  }
}
