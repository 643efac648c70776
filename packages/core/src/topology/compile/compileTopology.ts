import type { Serde } from '../../serde/Serde.js'
import type {
  CompiledBoundary,
  CompiledEdge,
  CompiledNode,
  CompiledStore,
  CompiledTopology,
  ResolvedSerde,
} from '../CompiledTopology.js'
import type { SideDeclaration } from '../Consumed.js'
import type { EngineConfig } from '../EngineConfig.js'
import type { NodeDefinition, ProcessorDefinition, SinkDefinition, SourceDefinition } from '../NodeDefinition.js'
import type { TimestampExtractor } from '../TimestampExtractor.js'
import type { StoreDefinition, TopologyDefinition } from '../TopologyDefinition.js'
import { topologyError } from '../topologyError.js'
import { declaredSerde } from './declaredSide.js'
import { describeLanes } from './describeLanes.js'
import { describeTopology } from './describeTopology.js'
import { findBoundaries } from './findBoundaries.js'
import { KeySerdes } from './KeySerdes.js'
import { type LaneEdge, LaneGraph, readsTopics } from './LaneGraph.js'
import { ofStore, readBy } from './ownSerde.js'
import { planSubTopologies, type SubTopologyPlan } from './planSubTopologies.js'
import { ValueSerdes } from './ValueSerdes.js'

/** Everything that the parts of a compiled topology are made from. */
interface Plan {
  readonly graph: LaneGraph
  readonly config: EngineConfig
  readonly boundaries: ReadonlySet<LaneEdge>
  readonly subTopologies: SubTopologyPlan
  readonly keys: KeySerdes
  readonly values: ValueSerdes
}

/** Applies the defaults once (B4) and works out what runs where. Pure: the same topology and config give the same result. */
export function compileTopology(definition: TopologyDefinition, config: EngineConfig): CompiledTopology {
  const graph = new LaneGraph(definition, config.compat === 'kafka-streams')
  if (!graph.nodes.some((node) => node.kind === 'source')) {
    throw topologyError(
      'Topology has no source: it must subscribe to at least one source topic. Call addSource or stream first.',
    )
  }
  const boundaries = findBoundaries(graph, config['boundary.split'])
  const plan: Plan = {
    graph,
    config,
    boundaries,
    subTopologies: planSubTopologies(graph, boundaries, config),
    keys: new KeySerdes(graph, config),
    values: new ValueSerdes(graph, config),
  }
  return assemble(plan)
}

function assemble(plan: Plan): CompiledTopology {
  const { graph, subTopologies } = plan
  const sources = sourcesUpstream(graph)
  const nodes = graph.nodes.map((node) => compileNode(plan, node, sources))
  const byName = new Map(nodes.map((node) => [node.name, node]))
  const parts = {
    nodes,
    edges: graph.edges.map((edge) => compileEdge(plan, edge)),
    boundaries: graph.edges.filter((edge) => plan.boundaries.has(edge)).map((edge) => compileBoundary(plan, edge)),
    subTopologies: subTopologies.list,
    stores: compileStores(plan),
  }
  return {
    ...parts,
    node(name) {
      const node = byName.get(name)
      if (node === undefined) {
        throw topologyError(`There is no node "${name}". Nodes: ${[...byName.keys()].join(', ')}.`, { node: name })
      }
      return node
    },
    describe: () => describeTopology(graph.definition),
    describeLanes: () => describeLanes(parts),
  }
}

/** The topic sources upstream of each node. */
type Sources = ReadonlyMap<string, readonly string[]>

function sourcesUpstream(graph: LaneGraph): Sources {
  const sources = new Map<string, string[]>()
  for (const node of graph.nodes) {
    const upstream = graph.into(node.name).flatMap((edge) => sources.get(edge.from) ?? [])
    sources.set(node.name, readsTopics(node) ? [node.name] : [...new Set(upstream)])
  }
  return sources
}

function compileNode(plan: Plan, node: NodeDefinition, sources: Sources): CompiledNode {
  const { graph, subTopologies } = plan
  const { name } = node
  const base = {
    name,
    parents: graph.into(name).map((edge) => edge.from),
    children: graph.outOf(name).map((edge) => edge.to),
    subTopology: subTopologies.indexOf(name),
    stores: graph.storesOf(name),
    globalStores: graph.globalStores,
    sources: sources.get(name) ?? [],
    timers: [],
    changesKey: graph.changesKey(name),
  }
  if (node.kind === 'source') return { ...base, kind: 'source', ...compileSource(plan, node, sources) }
  if (node.kind === 'sink') return { ...base, kind: 'sink', ...compileSink(plan, node) }
  return { ...base, kind: 'processor', ...compileProcessor(plan, node) }
}

function compileSource(
  { config, graph, keys, values }: Plan,
  { name, topics, pattern, consumed, schedule, feeds, through }: SourceDefinition,
  sources: Sources,
) {
  const isWrittenHere = (side: SideDeclaration<any>) => through !== undefined && side.form === 'default'
  const key = isWrittenHere(consumed.key)
    ? keys.received(name)
    : readBy(consumed.key, name, config['default.key.serde'], 'default.key.serde')
  const value = isWrittenHere(consumed.value)
    ? values.received(name)
    : readBy(consumed.value, name, config['default.value.serde'], 'default.value.serde')
  const { timestampExtractor, watermark, maxAheadMs, laneBy, nulls, offsetReset } = consumed.options
  const fallback = schedule === undefined ? config['default.timestamp.extractor'] : undefined
  const source = {
    topics,
    ...(pattern !== undefined && { pattern }),
    ...(through !== undefined && { through }),
    keyDeserializer: key.deserializer,
    valueDeserializer: value.deserializer,
    keyForm:
      declaredSerde(consumed.key, name) === undefined && key.status !== 'inherited'
        ? consumed.key.form
        : ('serde' as const),
    timestampExtractor: feeds === 'global' ? recordTimestamp : (timestampExtractor ?? fallback),
    watermark,
    maxAheadMs,
    laneBy,
    nulls,
    feeds: feeds ?? ('stream' as const),
    ...(offsetReset !== undefined && { offsetReset }),
    ...(schedule !== undefined && { schedule: { ...schedule, clockNodes: clockNodes(graph, name, sources) } }),
  }
  return { key, value, source }
}

/** Kafka Streams asks no extractor about the records of a global store: each has the time that it came with. */
const recordTimestamp: TimestampExtractor<any, any> = { id: 'recordTimestamp', extract: ({ timestamp }) => timestamp }

/** T12: what a scheduled source reaches that also hears of topics. */
function clockNodes(graph: LaneGraph, source: string, sources: Sources): string[] {
  const reached = new Set([source])
  for (const name of reached) for (const edge of graph.outOf(name)) reached.add(edge.to)
  return graph.nodes.map(({ name }) => name).filter((name) => reached.has(name) && (sources.get(name) ?? []).length > 0)
}

function compileSink({ keys, values }: Plan, { name, topic, produced: { partitioner } }: SinkDefinition) {
  const key = keys.ofSink(name)
  const value = values.ofSink(name)
  const sink = {
    topic,
    keySerializer: key.serializer,
    valueSerializer: value.serializer,
    ...(partitioner !== undefined && { partitioner }),
  }
  return { key, value, sink }
}

function compileProcessor(
  { graph, boundaries, keys, values }: Plan,
  { name, supplier, facts, aggregateStore, clock }: ProcessorDefinition,
) {
  const timers = supplier.timers ?? []
  return {
    key: keys.received(name),
    value: values.received(name),
    supplier,
    ...(facts !== undefined && { facts }),
    ...(aggregateStore !== undefined && { aggregateStore }),
    ...(clock !== undefined && { clock }),
    timers,
    ...((timers.length > 0 || isLanedTwice(graph, boundaries, name)) && { timerKey: keys.ofTimers(name) }),
  }
}

/** A9: a node that minds its lane, and whose records get theirs in more than one place. */
function isLanedTwice(graph: LaneGraph, boundaries: ReadonlySet<LaneEdge>, name: string): boolean {
  if (!graph.needsOwnLane(name)) return false
  const within = new Set([name])
  let entries = 0
  for (const at of within) {
    if (graph.node(at).kind === 'source') entries++
    for (const edge of graph.into(at)) {
      if (boundaries.has(edge)) entries++
      else within.add(edge.from)
    }
  }
  return entries > 1
}

function compileEdge({ keys, values, boundaries }: Plan, edge: LaneEdge): CompiledEdge {
  const boundary = boundaries.has(edge)
  const key = boundary ? keys.atBoundary(edge) : keys.along(edge)
  return { from: edge.from, to: edge.to, key, value: values.along(edge), boundary }
}

function compileBoundary({ keys, values, subTopologies }: Plan, edge: LaneEdge): CompiledBoundary {
  const { partitioner, numberOfPartitions } = edge.repartition ?? {}
  return {
    ...(edge.repartition?.private && { private: true as const }),
    from: edge.from,
    to: edge.to,
    fromSubTopology: subTopologies.indexOf(edge.from),
    toSubTopology: subTopologies.indexOf(edge.to),
    by: edge.repartition?.by ?? 'rule',
    ...(edge.repartition !== undefined && { topic: edge.repartition.topic }),
    key: keys.atBoundary(edge),
    value: values.along(edge),
    ...(numberOfPartitions !== undefined && { numberOfPartitions }),
    ...(partitioner !== undefined && { partitioner }),
  }
}

function compileStores(plan: Plan): CompiledStore[] {
  const compiled = [...plan.graph.definition.stores.values()].map((store) => compileStore(plan, store))
  return compiled.map((store) => withMadeSerdes(store, compiled))
}

/** A store whose serdes are made from those of others, once these are known. Where one of them is not, it has none. */
function withMadeSerdes(store: CompiledStore, all: readonly CompiledStore[]): CompiledStore {
  const { serdesFrom } = store.builder
  if (serdesFrom === undefined) return store
  const sources = serdesFrom.stores.map((name) => all.find((other) => other.name === name))
  const serdes = sources.flatMap((source) => {
    const [key, value] = [source?.key.serde, source?.value.serde]
    return key === undefined || value === undefined ? [] : [{ key, value }]
  })
  if (serdes.length < sources.length) {
    const missing: ResolvedSerde = { status: 'unresolved', label: '?', candidates: [] }
    return { ...store, key: missing, value: missing }
  }
  const { key, value } = serdesFrom.make(serdes)
  return { ...store, key: made(key), value: made(value) }
}

function made(serde: Serde<any>): ResolvedSerde {
  return { status: 'inherited', serde, deserializer: serde, serializer: serde, label: serde.id, candidates: [] }
}

function compileStore(plan: Plan, { builder, processors, global, sourceTopic }: StoreDefinition): CompiledStore {
  const owner = processors
    .map((name) => plan.graph.node(name))
    .find((node): node is ProcessorDefinition => isAggregate(node, builder.name))
  const { config } = plan
  const inner =
    owner !== undefined && builder.valueSerde === undefined
      ? plan.values.ofAggregate(owner.name)
      : ofStore(builder.valueSerde, config['default.value.serde'], 'default.value.serde')
  return {
    builder,
    name: builder.name,
    nodes: processors,
    ...(global && { global }),
    ...(sourceTopic !== undefined && { sourceTopic }),
    key: writtenBy(
      builder.storedKey && ((serde) => builder.storedKey?.(serde) ?? serde),
      owner !== undefined
        ? plan.keys.ofAggregate(owner.name)
        : ofStore(builder.keySerde, config['default.key.serde'], 'default.key.serde'),
    ),
    value: writtenBy(owner?.stored ?? ownFormat(builder), inner),
  }
}

function isAggregate(node: NodeDefinition, store: string): node is ProcessorDefinition {
  return node.kind === 'processor' && node.aggregateStore === store
}

type Format = (value: Serde<any>) => Serde<any>

function ownFormat(builder: CompiledStore['builder']): Format | undefined {
  return builder.storedValue && ((value) => builder.storedValue?.(value) ?? value)
}

function writtenBy(stored: Format | undefined, value: ResolvedSerde): ResolvedSerde {
  if (stored === undefined || value.serde === undefined) return value
  const serde = stored(value.serde)
  return { ...value, serde, deserializer: serde, serializer: serde, label: serde.id }
}
