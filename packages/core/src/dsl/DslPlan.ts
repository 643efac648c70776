import type { Consumed } from '../topology/Consumed.js'
import type { NodeDefinition } from '../topology/NodeDefinition.js'
import type { TopologyConfig } from '../topology/TopologyConfig.js'
import type { TopologyDefinition } from '../topology/TopologyDefinition.js'
import type { TopologyWriter } from '../topology/TopologyWriter.js'
import { topologyError } from '../topology/topologyError.js'
import { DslGraph } from './graph/DslGraph.js'
import { knownName } from './graph/knownName.js'
import { refuseGeneratedNames } from './graph/refuseGeneratedNames.js'
import { mergeConsumed } from './mergeConsumed.js'

/** Writes one piece of a topology down. Runs once for each `build`, so it may look at what later calls have set. */
export type DslStep = (writer: TopologyWriter) => void

/** What the optimiser must know of a step beyond what it writes (C.2). */
export interface StepFacts {
  /** A repartition that may be merged with others behind the same key change: those of groupings, joins and `toTable`. */
  readonly mergeable?: true
  /** A stream-stream join: its two window nodes, and what it writes when both sides are one stream and one store does. */
  readonly selfJoin?: { readonly left: string; readonly right: string; readonly write: DslStep }
  /** A left or outer join of a stream: it sends records without a key on (KIP-962). */
  readonly sendsNullKeys?: boolean
  /** A second reading of the same topics: the source that it is merged into. */
  readonly sameSource?: { readonly name: string; readonly as: string }
  /** A table's source: the store that its topic can restore, whether anybody has asked for that store or not. */
  readonly tableStore?: { readonly store: string; readonly topic: string; readonly logging: boolean }
  /** The store of a `toTable` or of a join by foreign key, whether anybody has asked for it or not. */
  readonly ownStore?: { readonly store: string; readonly logging: boolean }
}

/** One node of Kafka's graph: written as a whole, in the order of the priorities. */
export interface PlannedStep {
  readonly write: DslStep
  readonly facts: StepFacts
  priority: number
}

interface PlannedSource {
  readonly name: string
  consumed: Consumed<any, any>
  /** Sinks that write the topic for it. */
  readonly through: string[]
}

/**
 * What a `StreamsBuilder` has been told so far: the counter of Kafka's generated names (`kafka-streams.md` C.1),
 * and the graph of steps that write the topology down.
 */
export class DslPlan {
  private counter = 0
  private priorities = 0
  private readonly steps: PlannedStep[] = []
  private readonly sources = new Map<string, PlannedSource>()
  private readonly knownTimes = new Map<string, number>()

  /** @param config settings that are read while building, as from Kafka's `TopologyConfig` */
  constructor(readonly config: TopologyConfig) {}

  /** The name given, else a generated one. A number is used up either way, so that later names do not move. */
  name(prefix: string, given?: string): string {
    const generated = `${prefix}${String(this.counter++).padStart(10, '0')}`
    return given ?? generated
  }

  /**
   * A name under which a node is known in the graph, where two may have one name until the optimiser has merged them:
   * the groupings of one cogroup, two of one given name. `written` gives the name itself.
   */
  known(name: string): string {
    const times = this.knownTimes.get(name) ?? 0
    this.knownTimes.set(name, times + 1)
    return knownName(name, times)
  }

  /** Adds one node of Kafka's graph: call it where Kafka Streams does, and once for each of its nodes (C.6). */
  add(write: DslStep, facts: StepFacts = {}): PlannedStep {
    const step = { write, facts, priority: this.priorities++ }
    this.steps.push(step)
    return step
  }

  /** What would be written if nothing came after this: for operators that must know what is above them. */
  definitions(): NodeDefinition[] {
    return new DslGraph(this.steps).nodes.flatMap(({ nodes }) => nodes)
  }

  /** Adds a node once more, as Kafka Streams does with a shared repartition: it is then written later. */
  again(step: PlannedStep): void {
    step.priority = this.priorities++
  }

  /**
   * One source for equal topics, however often they are read: a broker gives each record once. Each reading has a node
   * of its own in the graph, which is merged into the first; so what hangs on it comes last among the first one's.
   *
   * @param through the sink that writes the topic for this reading
   */
  source(topics: readonly string[] | RegExp, name: string, consumed: Consumed<any, any>, through?: string): void {
    const id = topics instanceof RegExp ? `/${topics.source}/${topics.flags}` : [...topics].sort().join(' ')
    const known = this.sources.get(id)
    if (known !== undefined) known.consumed = mergeConsumed(known.name, known.consumed, consumed)
    else if (!(topics instanceof RegExp)) this.checkOverlap(topics)
    const planned = known ?? { name, consumed, through: [] }
    if (through !== undefined) planned.through.push(through)
    this.sources.set(id, planned)
    this.add(
      (writer) => {
        const named = topics instanceof RegExp ? { topics: [], pattern: topics } : { topics }
        const written = planned.through.length > 0 && { through: [...planned.through] }
        writer.addSource({ name, consumed: planned.consumed, ...named, ...written })
      },
      known === undefined ? {} : { sameSource: { name, as: known.name } },
    )
  }

  /** @throws StreamError TOPOLOGY_INVALID for what cannot be built */
  write(definition: TopologyDefinition, config: TopologyConfig = this.config): void {
    const graph = new DslGraph(this.steps)
    if (config['ensure.explicit.internal.resource.naming']) refuseGeneratedNames(graph)
    graph.optimise(config['topology.optimization'])
    graph.keepNulls()
    graph.write(definition)
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
