import type { Serde } from '../../serde/Serde.js'
import type { ResolvedSerde, SerdeCandidate, SerdeDeclaration } from '../CompiledTopology.js'
import type { EngineConfig } from '../EngineConfig.js'
import { emulates } from '../emulates.js'
import type { NodeDefinition, ProcessorDefinition, SourceDefinition, WindowedForm } from '../NodeDefinition.js'
import { searchSource } from './declaredSide.js'
import type { LaneEdge, LaneGraph } from './LaneGraph.js'
import { combine, type FoundSerde, foundOne, nothing, resolve, type SerdeSearch } from './SerdeSearch.js'

/** Which declarations count on the way up: `path` leaves out stores (T4), `stream` is what the DSL carries (C.3). */
type Mode = 'path' | 'stream' | 'materialized'

/** Finds the serde of a key at a node, on an edge, at a boundary and for timers, and tells where it came from (B2, B4, T4). */
export class KeySerdes {
  private readonly memo = new Map<string, SerdeSearch>()

  constructor(
    private readonly graph: LaneGraph,
    private readonly config: EngineConfig,
  ) {}

  /** `compat: kafka-streams`: what the DSL carries is what Kafka Streams' does (C.3). */
  private get emulates(): boolean {
    return this.config.compat === 'kafka-streams'
  }

  /** The key that a processor receives. */
  received(name: string): ResolvedSerde {
    const here = [name, ...this.graph.into(name).map((edge) => edge.from)]
    return this.resolve([this.arriving(name, 'stream')], here)
  }

  /** What a sink writes: `Produced`, else what the stream carries. */
  ofSink(name: string): ResolvedSerde {
    return this.resolve([this.produced(name), this.arriving(name, 'stream')], [name])
  }

  /** The key that travels along an edge. */
  along(edge: LaneEdge): ResolvedSerde {
    const searches = [this.onEdge(edge), this.grouped(edge.to), this.crossing(edge, 'stream')]
    return this.resolve([...searches, this.produced(edge.to)], [edge.from, edge.to])
  }

  /** The bytes that pick the lane behind a boundary (B2). */
  atBoundary(edge: LaneEdge): ResolvedSerde {
    if (this.losesKey(edge)) return this.resolve([], [])
    // Kafka Streams knows only the boundaries that a repartition topic makes: there is nothing of it in the others.
    const ours = edge.repartition === undefined
    // It writes that topic with no serde of the store behind it (C.3).
    const behind = ours || !this.emulates ? this.below(edge.to, true) : nothing
    const searches = [this.onEdge(edge), this.leaving(edge.from, 'path'), behind]
    return this.resolve(searches, [edge.from, edge.to], ours)
  }

  /** The bytes of a processor's timer keys (T4). */
  ofTimers(name: string): ResolvedSerde {
    const here = [name, ...this.graph.into(name).map((edge) => edge.from)]
    const searches = [this.arriving(name, 'path'), this.downstream(name), this.arriving(name, 'materialized')]
    return this.resolve(searches, here)
  }

  /** The keys of an aggregate's own store: `Materialized`, else what the stream carries (C.3). */
  ofAggregate(name: string): ResolvedSerde {
    const here = [name, ...this.graph.into(name).map((edge) => edge.from)]
    if (this.keptAs(name, 'declared')) return this.resolve([this.grouped(name)], here)
    if (this.keptAs(name, 'materialized')) return this.resolve([this.materialized(name)], here)
    return this.resolve([this.materialized(name), this.arriving(name, 'stream')], here)
  }

  /** C.3: a join's buffers have the serdes of `StreamJoined`, or the defaults; a `toTable` those of its `Materialized`. */
  private keptAs(name: string, how: ProcessorDefinition['storeSerdes']): boolean {
    const node = this.graph.node(name)
    return this.emulates && node.kind === 'processor' && node.storeSerdes === how
  }

  private resolve(searches: readonly SerdeSearch[], here: readonly string[], ours = false): ResolvedSerde {
    const windowed = searches.find((search) => search.windowed !== undefined)?.windowed
    const byDefault = this.config['default.key.serde']
    const fallback: FoundSerde | undefined = byDefault && { serde: byDefault, by: 'default.key.serde' }
    // H-7: in Kafka Streams only a declared serde is wrapped in the window.
    const wraps = windowed !== undefined && (ours || !emulates(this.config, 'windowed-default-serde'))
    return resolve({
      searches,
      fallback: fallback && wraps ? inWindow(fallback, windowed) : fallback,
      fallbackKey: 'default.key.serde',
      here,
    })
  }

  private arriving(name: string, mode: Mode): SerdeSearch {
    return this.once(`arriving ${mode} ${name}`, () => {
      const node = this.graph.node(name)
      if (node.kind === 'source') return this.read(node, mode)
      const grouped = this.grouped(name)
      if (grouped.found.length > 0) return grouped
      return combine(
        this.sides(node, mode).map((edge) => {
          const declared = this.onEdge(edge)
          return declared.found.length > 0 ? declared : this.crossing(edge, mode)
        }),
      )
    })
  }

  /** As `Consumed` declares it, else as the topology itself writes it. */
  private read({ name, consumed, through }: SourceDefinition, mode: Mode): SerdeSearch {
    if (consumed.key.form !== 'default' || through === undefined) return searchSource(consumed.key, name)
    return combine(
      through.map((sink) => {
        const produced = this.produced(sink)
        return produced.found.length > 0 ? produced : this.arriving(sink, mode)
      }),
    )
  }

  /** In Kafka Streams a join of two tables has the key serde of the left one. */
  private sides(node: NodeDefinition, mode: Mode): readonly LaneEdge[] {
    const edges = this.graph.into(node.name)
    const isJoin = node.kind === 'processor' && node.facts?.operator === 'tableJoinMerge'
    return isJoin && mode !== 'path' && this.emulates ? edges.slice(0, 1) : edges
  }

  private leaving(name: string, mode: Mode): SerdeSearch {
    return this.once(`leaving ${mode} ${name}`, () => {
      const node = this.graph.node(name)
      if (node.kind !== 'processor') return this.arriving(name, mode)
      if (this.emulates && node.facts?.operator === 'merge') return nothing
      if (node.keyEffect.kind === 'changed') return { found: [], notes: pastKeyChange(this.arriving(name, mode)) }
      const loses = mode !== 'path' && this.losesStreamKey(node)
      const inner = loses ? this.materialized(name) : this.kept(node, mode)
      if (node.keyEffect.kind === 'same') return inner
      const { wrap } = node.keyEffect
      return { found: inner.found.map((found) => inWindow(found, wrap)), notes: inner.notes, windowed: wrap }
    })
  }

  private crossing(edge: LaneEdge, mode: Mode): SerdeSearch {
    return this.losesKey(edge) ? nothing : this.leaving(edge.from, mode)
  }

  /** H-6: in Kafka Streams `repartition()` knows no key serde but its own. */
  private losesKey({ repartition }: LaneEdge): boolean {
    if (repartition?.by !== 'Repartitioned' || repartition.declared.key !== undefined) return false
    return emulates(this.config, 'repartition-key-serde')
  }

  /** The same loss behind a cogrouped aggregation. */
  private losesStreamKey(node: ProcessorDefinition): boolean {
    return node.sendsMaterializedKey === true && emulates(this.config, 'windowed-default-serde')
  }

  private kept(node: ProcessorDefinition, mode: Mode): SerdeSearch {
    const materialized = this.materialized(node.name)
    const arriving = this.arriving(node.name, mode)
    if (mode === 'path' || materialized.found.length === 0) return arriving
    if (mode === 'stream' || arriving.found.length === 0) return materialized
    return arriving
  }

  /** T4: what a node's own output declares, as far as its keys go unchanged. */
  private downstream(name: string): SerdeSearch {
    if (!this.graph.changesKey(name)) return combine(this.graph.outOf(name).map((edge) => this.beyond(edge, false)))
    return { found: [], notes: this.leadsToSink(name) ? [{ by: 'Produced', verdict: 'past-key-change' }] : [] }
  }

  private beyond(edge: LaneEdge, withStores: boolean): SerdeSearch {
    const declared = this.onEdge(edge)
    return declared.found.length > 0 ? declared : this.below(edge.to, withStores)
  }

  /** Declarations at a node and below it, before any key change. `withStores`: `Grouped` and `Materialized` count (B2). */
  private below(name: string, withStores: boolean): SerdeSearch {
    return this.once(`below ${withStores} ${name}`, () => {
      const node = this.graph.node(name)
      if (node.kind === 'source') return nothing
      if (node.kind === 'sink') return this.produced(name)
      if (withStores) {
        for (const search of [this.grouped(name), this.materialized(name)]) if (search.found.length > 0) return search
      }
      if (node.keyEffect.kind === 'same') {
        return combine(this.graph.outOf(name).map((edge) => this.beyond(edge, withStores)))
      }
      return { found: [], notes: this.leadsToSink(name) ? [{ by: 'Produced', verdict: 'past-key-change' }] : [] }
    })
  }

  private leadsToSink(name: string): boolean {
    return this.graph.outOf(name).some((edge) => this.graph.node(edge.to).kind === 'sink' || this.leadsToSink(edge.to))
  }

  private onEdge({ repartition, to }: LaneEdge): SerdeSearch {
    if (repartition === undefined) return nothing
    if (repartition.declared.key !== undefined) return declaredBy(repartition.by, to, repartition.declared.key)
    return repartition.keysOf === undefined ? nothing : this.leaving(repartition.keysOf, 'stream')
  }

  private grouped(name: string): SerdeSearch {
    const node = this.graph.node(name)
    return node.kind === 'processor' ? declaredBy(node.groupedBy ?? 'Grouped', name, node.grouped?.key) : nothing
  }

  private materialized(name: string): SerdeSearch {
    const node = this.graph.node(name)
    return node.kind === 'processor' ? declaredBy('Materialized', name, node.materialized?.key) : nothing
  }

  private produced(name: string): SerdeSearch {
    const node = this.graph.node(name)
    if (node.kind !== 'sink') return nothing
    if (node.produced.keySerde !== undefined) return declaredBy('Produced', name, node.produced.keySerde)
    return { found: [], notes: [{ by: 'Produced', node: name, verdict: 'not-declared' }] }
  }

  private once(key: string, search: () => SerdeSearch): SerdeSearch {
    const known = this.memo.get(key)
    if (known !== undefined) return known
    const result = search()
    this.memo.set(key, result)
    return result
  }
}

function declaredBy(by: SerdeDeclaration, node: string, serde: Serde<any> | undefined): SerdeSearch {
  return serde === undefined ? nothing : foundOne({ serde, by, node })
}

function pastKeyChange(search: SerdeSearch): SerdeCandidate[] {
  const found = search.found.map(({ by, node }): SerdeCandidate => {
    const row = by === 'deserializer' ? 'Consumed' : by
    return { by: row, ...(node !== undefined && { node }), verdict: 'past-key-change' }
  })
  return [...found, ...search.notes.map((note): SerdeCandidate => ({ ...note, verdict: 'past-key-change' }))]
}

function inWindow(found: FoundSerde, wrap: WindowedForm): FoundSerde {
  return { ...found, serde: wrap(found.serde), innerId: found.serde.id }
}
