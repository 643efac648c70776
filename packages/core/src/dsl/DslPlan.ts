import type { Consumed } from '../topology/Consumed.js'
import type { TopologyDefinition } from '../topology/TopologyDefinition.js'
import { topologyError } from '../topology/topologyError.js'
import { mergeConsumed } from './mergeConsumed.js'

/** Writes one piece of a topology down. */
export type DslStep = (definition: TopologyDefinition) => void

interface PlannedSource {
  readonly name: string
  consumed: Consumed<any, any>
}

/**
 * What a `StreamsBuilder` has been told so far: the counter of Kafka's generated names (`kafka-streams.md` C.1),
 * and the steps that write the topology down in the order of the calls.
 */
export class DslPlan {
  private counter = 0
  private readonly steps: DslStep[] = []
  private readonly sources = new Map<string, PlannedSource>()

  /** The name given, else a generated one. A number is used up either way, so that later names do not move. */
  name(prefix: string, given?: string): string {
    const generated = `${prefix}${String(this.counter++).padStart(10, '0')}`
    return given ?? generated
  }

  add(step: DslStep): void {
    this.steps.push(step)
  }

  /** One source for equal topics, however often they are read: a broker gives each record once. */
  source(topics: readonly string[] | RegExp, name: string, consumed: Consumed<any, any>): string {
    const id = topics instanceof RegExp ? `/${topics.source}/${topics.flags}` : [...topics].sort().join(' ')
    const known = this.sources.get(id)
    if (known !== undefined) {
      known.consumed = mergeConsumed(known.name, known.consumed, consumed)
      return known.name
    }
    if (!(topics instanceof RegExp)) this.checkOverlap(topics)
    const planned: PlannedSource = { name, consumed }
    this.sources.set(id, planned)
    this.add((definition) => {
      const named = topics instanceof RegExp ? { topics: [], pattern: topics } : { topics }
      definition.addSource({ name, consumed: planned.consumed, ...named })
    })
    return name
  }

  write(definition: TopologyDefinition): void {
    for (const step of this.steps) step(definition)
  }

  private checkOverlap(topics: readonly string[]): void {
    for (const [id, { name }] of this.sources) {
      const shared = id.split(' ').find((topic) => topics.includes(topic))
      if (shared === undefined) continue
      throw topologyError(
        `Two source nodes are subscribed to overlapping but not equal input topics: [${topics.join(', ')}] ` +
          `and [${id.split(' ').join(', ')}] share "${shared}". Read "${shared}" in a stream of its own, and merge.`,
        { node: name, topic: shared },
      )
    }
  }
}
