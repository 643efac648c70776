import { StreamError } from '../../errors/index.js'
import { partitionOf } from '../../lanes/murmur2.js'
import type { Record } from '../../model/Record.js'
import type { Serializer } from '../../serde/Serde.js'
import type { CompiledNode, CompiledSink } from '../../topology/CompiledTopology.js'
import { choosePlaces } from '../../topology/StreamPartitioner.js'
import type { OutputRecord, TopicInfo } from '../RecordLog.js'

interface WithLaneBytes {
  laneBytes?(bytes: Uint8Array): Uint8Array
}

/** Turns what reaches a sink into bytes with a partition, inside the callback that forwarded it (G4). */
export class SinkWriter {
  readonly #sink: CompiledSink
  /** Where null keys go next, by topic. */
  readonly #roundRobin = new Map<string, number>()

  constructor(
    private readonly node: CompiledNode,
    private readonly topics: ReadonlyMap<string, TopicInfo>,
  ) {
    this.#sink = node.sink as CompiledSink
  }

  /** Whether the user picks the partition himself: then it is `writeChosen` that writes. */
  get isPartitioned(): boolean {
    return this.#sink.partitioner !== undefined
  }

  /** @throws StreamError PRODUCTION_FAILED when the record cannot be written; nothing is buffered then */
  write(record: Record<unknown, unknown>): OutputRecord {
    return this.#write(record, this.#infoOf(this.#topic(record)))
  }

  /**
   * Writes to the partitions that the user's partitioner picks; none: the record is dropped.
   *
   * @throws StreamError PRODUCTION_FAILED as `write`, and when it picks a partition that the topic has not
   */
  writeChosen(record: Record<unknown, unknown>): readonly OutputRecord[] {
    const info = this.#infoOf(this.#topic(record))
    const partitions = this.#choose(record, info)
    if (partitions?.length === 0) return []
    const output = this.#write(record, info)
    return partitions === undefined ? [output] : partitions.map((partition) => ({ ...output, partition }))
  }

  #infoOf(topic: string): TopicInfo {
    const info = this.topics.get(topic)
    if (info !== undefined) return info
    throw this.#error(`Topic "${topic}" does not exist. Create it before the run.`, topic, undefined)
  }

  #choose({ key, value }: Record<unknown, unknown>, { topic, partitions }: TopicInfo): readonly number[] | undefined {
    if (this.#sink.partitioner === undefined) return undefined
    try {
      return choosePlaces(this.#sink.partitioner, key, value, partitions)
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause)
      throw this.#error(`Its partitioner failed: ${why}`, topic, cause)
    }
  }

  #write(record: Record<unknown, unknown>, info: TopicInfo): OutputRecord {
    const { topic } = info
    const key = this.#serialize('key', this.#sink.keySerializer, topic, record, record.key)
    const value = this.#serialize('value', this.#sink.valueSerializer, topic, record, record.value)
    const size = (key?.length ?? 0) + (value?.length ?? 0)
    if (info.maxMessageBytes !== undefined && size > info.maxMessageBytes) {
      throw this.#error(
        `A record of ${size} bytes is larger than the ${info.maxMessageBytes} that topic "${topic}" takes.`,
        topic,
        undefined,
      )
    }
    return {
      topic,
      partition: this.#partition(topic, info.partitions, key),
      key,
      value,
      timestamp: record.timestamp,
      headers: record.headers.toArray(),
    }
  }

  #topic(record: Record<unknown, unknown>): string {
    const { topic } = this.#sink
    return typeof topic === 'string' ? topic : topic(record.key, record.value)
  }

  #serialize(
    side: 'key' | 'value',
    serializer: Serializer<unknown> | undefined,
    topic: string,
    record: Record<unknown, unknown>,
    value: unknown,
  ): Uint8Array | null {
    if (value === null || value === undefined) return null
    if (serializer === undefined) {
      throw this.#error(
        `No serde can write the ${side}. Declare one, Produced.with(keySerde, valueSerde), or set default.${side}.serde.`,
        topic,
        undefined,
      )
    }
    try {
      return serializer.serialize(topic, record.headers, value)
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause)
      throw this.#error(`The ${side} cannot be written by serde "${serializer.id ?? '?'}": ${why}`, topic, cause)
    }
  }

  /** Kafka's choice: murmur2 of the key's bytes, of a windowed key the inner key's (`kafka-streams.md` C.3, D.1). */
  #partition(topic: string, partitions: number, key: Uint8Array | null): number {
    if (key !== null) {
      const serializer = this.#sink.keySerializer as WithLaneBytes | undefined
      return partitionOf(serializer?.laneBytes ? serializer.laneBytes(key) : key, partitions)
    }
    const next = this.#roundRobin.get(topic) ?? 0
    this.#roundRobin.set(topic, (next + 1) % partitions)
    return next
  }

  #error(problem: string, topic: string, cause: unknown): StreamError {
    return new StreamError(`Sink "${this.node.name}", topic "${topic}": ${problem}`, {
      code: 'PRODUCTION_FAILED',
      kind: 'user',
      retriable: false,
      context: { node: this.node.name, topic },
      cause,
    })
  }
}
