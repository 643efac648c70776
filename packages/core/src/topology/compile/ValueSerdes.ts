import type { ResolvedSerde } from '../CompiledTopology.js'
import type { EngineConfig } from '../EngineConfig.js'
import type { ProcessorDefinition, SourceDefinition } from '../NodeDefinition.js'
import { searchSource } from './declaredSide.js'
import type { LaneEdge, LaneGraph } from './LaneGraph.js'
import { combine, foundOne, nothing, resolve, type SerdeSearch } from './SerdeSearch.js'

/** Finds the serde of a value at a node, on an edge and at a sink, and tells where it came from (B4). */
export class ValueSerdes {
  private readonly memo = new Map<string, SerdeSearch>()

  constructor(
    private readonly graph: LaneGraph,
    private readonly config: EngineConfig,
  ) {}

  /** `compat: kafka-streams`: what the DSL carries is what Kafka Streams' does (C.3). */
  private get emulates(): boolean {
    return this.config.compat === 'kafka-streams'
  }

  received(name: string): ResolvedSerde {
    return this.resolve([this.arriving(name)], [name, ...this.graph.into(name).map((edge) => edge.from)])
  }

  ofSink(name: string): ResolvedSerde {
    return this.resolve([this.produced(name), this.arriving(name)], [name])
  }

  along(edge: LaneEdge): ResolvedSerde {
    return this.resolve([this.crossing(edge), this.produced(edge.to)], [edge.from, edge.to])
  }

  /** The values of an aggregate's own store: `Materialized`, else what the stream carries if they are of its type (C.3). */
  ofAggregate(name: string): ResolvedSerde {
    const node = this.graph.node(name)
    const kept = node.kind === 'processor' ? node.storeSerdes : undefined
    return this.resolve([this.kept(name, kept)], [name, ...this.graph.into(name).map((edge) => edge.from)])
  }

  private kept(name: string, how: ProcessorDefinition['storeSerdes']): SerdeSearch {
    if (how === 'received') return this.arriving(name)
    if (how === 'declared' && this.emulates) return this.grouped(name)
    if (how === 'materialized' && this.emulates) return this.materialized(name)
    return this.leaving(name)
  }

  private materialized(name: string): SerdeSearch {
    const node = this.graph.node(name)
    if (node.kind !== 'processor' || node.output?.value === undefined) return nothing
    return foundOne({ serde: node.output.value, by: 'Materialized', node: name })
  }

  private resolve(searches: readonly SerdeSearch[], here: readonly string[]): ResolvedSerde {
    const byDefault = this.config['default.value.serde']
    return resolve({
      searches,
      fallback: byDefault && { serde: byDefault, by: 'default.value.serde' },
      fallbackKey: 'default.value.serde',
      here,
    })
  }

  private arriving(name: string): SerdeSearch {
    const known = this.memo.get(name)
    if (known !== undefined) return known
    const result = this.search(name)
    this.memo.set(name, result)
    return result
  }

  private search(name: string): SerdeSearch {
    const node = this.graph.node(name)
    if (node.kind === 'source') return this.read(node)
    const grouped = this.grouped(name)
    if (grouped.found.length > 0) return grouped
    return combine(this.graph.into(name).map((edge) => this.crossing(edge)))
  }

  /** As `Consumed` declares it, else as the topology itself writes it. */
  private read({ name, consumed, through }: SourceDefinition): SerdeSearch {
    if (consumed.value.form !== 'default' || through === undefined) return searchSource(consumed.value, name)
    return combine(
      through.map((sink) => {
        const produced = this.produced(sink)
        return produced.found.length > 0 ? produced : this.arriving(sink)
      }),
    )
  }

  private grouped(name: string): SerdeSearch {
    const node = this.graph.node(name)
    if (node.kind !== 'processor' || node.grouped?.value === undefined) return nothing
    return foundOne({ serde: node.grouped.value, by: node.groupedBy ?? 'Grouped', node: name })
  }

  private crossing({ from, to, repartition }: LaneEdge): SerdeSearch {
    const declared = repartition?.declared.value
    if (repartition !== undefined && declared !== undefined) {
      return foundOne({ serde: declared, by: repartition.by, node: to })
    }
    return this.leaving(from)
  }

  private leaving(name: string): SerdeSearch {
    const node = this.graph.node(name)
    if (node.kind !== 'processor') return this.arriving(name)
    // In Kafka Streams a merge carries no serde (C.3).
    if (this.emulates && node.facts?.operator === 'merge') return nothing
    if (node.output?.value !== undefined) return foundOne({ serde: node.output.value, by: 'Materialized', node: name })
    return node.valueEffect === 'same' ? this.arriving(name) : nothing
  }

  private produced(name: string): SerdeSearch {
    const node = this.graph.node(name)
    if (node.kind !== 'sink' || node.produced.valueSerde === undefined) return nothing
    return foundOne({ serde: node.produced.valueSerde, by: 'Produced', node: name })
  }
}
