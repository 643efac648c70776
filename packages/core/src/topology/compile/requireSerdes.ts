import { StreamError } from '../../errors/StreamError.js'
import type { CompiledNode, CompiledTopology } from '../CompiledTopology.js'
import type { EngineConfig } from '../EngineConfig.js'

/**
 * Refuses to start where bytes must be read or written and nothing says how, as Kafka Streams does (C.3, G-70).
 *
 * A boundary without a serde fails at its first record instead (B3): nothing crosses it as bytes. Under
 * `compat: kafka-streams`, where it stands for a repartition topic, it is refused here too.
 *
 * @throws StreamError SERDE_MISSING for the first place that lacks one, naming node, topic and side
 */
export function requireSerdes(topology: CompiledTopology, config: EngineConfig): void {
  for (const node of topology.nodes) {
    requireOfSource(node)
    requireOfSink(node)
  }
  if (config.compat === 'kafka-streams') requireOfRepartitions(topology)
  for (const { name, nodes, key, value } of topology.stores) {
    const where = { store: name, ...(nodes[0] !== undefined && { node: nodes[0] }) }
    const declare = "Declare it on the store's builder, or on Materialized"
    if (key.serde === undefined) throw missing('key', `The store "${name}" cannot write keys`, declare, where)
    if (value.serde === undefined) throw missing('value', `The store "${name}" cannot write values`, declare, where)
  }
}

function requireOfSource({ name, source }: CompiledNode): void {
  if (source === undefined || source.schedule !== undefined) return
  const topic = source.pattern?.source ?? source.topics.join(', ')
  const what = (side: string) => `The source "${name}" cannot read the ${side}s of ${topic}`
  const declare = 'Declare it with Consumed.with(…)'
  if (source.keyDeserializer === undefined) throw missing('key', what('key'), declare, { node: name })
  if (source.valueDeserializer === undefined) throw missing('value', what('value'), declare, { node: name })
}

function requireOfSink({ name, sink }: CompiledNode): void {
  if (sink === undefined) return
  const topic = typeof sink.topic === 'string' ? sink.topic : 'the topics that it picks'
  const what = (side: string) => `The sink "${name}" cannot write the ${side}s of ${topic}`
  const declare = 'Declare it with Produced.with(…)'
  if (sink.keySerializer === undefined) throw missing('key', what('key'), declare, { node: name })
  if (sink.valueSerializer === undefined) throw missing('value', what('value'), declare, { node: name })
}

function requireOfRepartitions({ boundaries, edges }: CompiledTopology): void {
  for (const { from, to, topic, key, private: isPrivate } of boundaries) {
    if (topic === undefined) continue
    const what = (side: string) => `The repartition "${topic}" of "${from}" cannot write ${side}s`
    const declare = 'Declare it with Grouped.with(…), Repartitioned.with(…) or Joined.with(…)'
    if (key.serde === undefined) throw missing('key', what('key'), declare, { node: from, topic })
    if (isPrivate) continue
    const value = edges.find((edge) => edge.from === from && edge.to === to)?.value
    if (value?.serde === undefined) throw missing('value', what('value'), declare, { node: from, topic })
  }
}

function missing(side: 'key' | 'value', what: string, declare: string, context: Record<string, string>): StreamError {
  return new StreamError(`${what}: it has no ${side} serde. ${declare}, or set default.${side}.serde.`, {
    code: 'SERDE_MISSING',
    kind: 'user',
    retriable: false,
    context,
  })
}
