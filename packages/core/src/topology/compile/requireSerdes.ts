import { StreamError, type StreamErrorContext } from '../../errors/StreamError.js'
import type { CompiledNode, CompiledTopology } from '../CompiledTopology.js'
import type { EngineConfig } from '../EngineConfig.js'

/**
 * Refuses to start where bytes must be read or written and nothing says how, as Kafka Streams does (C.3, G-70).
 *
 * A boundary without a serde fails at its first record instead (B3): nothing crosses it as bytes. Under
 * `compat: kafka-streams`, where it stands for a repartition topic, it is refused here too.
 *
 * @throws StreamError SERDE_MISSING for all places that lack one, naming node, topic and side; its context is the first's
 */
export function requireSerdes(topology: CompiledTopology, config: EngineConfig): void {
  const places = [...missingSerdes(topology, config)]
  const [first] = places
  if (first === undefined) return
  const list = places.map(({ message }) => `- ${message}`).join('\n')
  const message = places.length === 1 ? first.message : `${places.length} serdes are missing:\n${list}`
  throw new StreamError(message, { code: 'SERDE_MISSING', kind: 'user', retriable: false, context: first.context })
}

interface MissingSerde {
  readonly message: string
  readonly context: StreamErrorContext
}

function* missingSerdes(topology: CompiledTopology, config: EngineConfig): Generator<MissingSerde> {
  for (const node of topology.nodes) {
    yield* missingOfSource(node)
    yield* missingOfSink(node)
  }
  if (config.compat === 'kafka-streams') yield* missingOfRepartitions(topology)
  for (const { name, nodes, key, value } of topology.stores) {
    const where = { store: name, ...(nodes[0] !== undefined && { node: nodes[0] }) }
    const declare = "Declare it on the store's builder, or on Materialized"
    if (key.serde === undefined) yield missing('key', `The store "${name}" cannot write keys`, declare, where)
    if (value.serde === undefined) yield missing('value', `The store "${name}" cannot write values`, declare, where)
  }
}

function* missingOfSource({ name, source }: CompiledNode): Generator<MissingSerde> {
  if (source === undefined || source.schedule !== undefined) return
  const topic = source.pattern?.source ?? source.topics.join(', ')
  const what = (side: string) => `The source "${name}" cannot read the ${side}s of ${topic}`
  const declare = 'Declare it with Consumed.with(…)'
  if (source.keyDeserializer === undefined) yield missing('key', what('key'), declare, { node: name })
  if (source.valueDeserializer === undefined) yield missing('value', what('value'), declare, { node: name })
}

function* missingOfSink({ name, sink }: CompiledNode): Generator<MissingSerde> {
  if (sink === undefined) return
  const topic = typeof sink.topic === 'string' ? sink.topic : 'the topics that it picks'
  const what = (side: string) => `The sink "${name}" cannot write the ${side}s of ${topic}`
  const declare = 'Declare it with Produced.with(…)'
  if (sink.keySerializer === undefined) yield missing('key', what('key'), declare, { node: name })
  if (sink.valueSerializer === undefined) yield missing('value', what('value'), declare, { node: name })
}

function* missingOfRepartitions({ boundaries, edges }: CompiledTopology): Generator<MissingSerde> {
  for (const { from, to, topic, key, private: isPrivate } of boundaries) {
    if (topic === undefined) continue
    const what = (side: string) => `The repartition "${topic}" of "${from}" cannot write ${side}s`
    const declare = 'Declare it with Grouped.with(…), Repartitioned.with(…) or Joined.with(…)'
    if (key.serde === undefined) yield missing('key', what('key'), declare, { node: from, topic })
    if (isPrivate) continue
    const value = edges.find((edge) => edge.from === from && edge.to === to)?.value
    if (value?.serde === undefined) yield missing('value', what('value'), declare, { node: from, topic })
  }
}

function missing(side: 'key' | 'value', what: string, declare: string, context: StreamErrorContext): MissingSerde {
  return { message: `${what}: it has no ${side} serde. ${declare}, or set default.${side}.serde.`, context }
}
