import { isPromise, refusedPromise, StreamError } from '../../errors/index.js'
import { partitionOf } from '../../lanes/murmur2.js'
import { keyText } from '../../model/keyText.js'
import type { Record, RecordCoordinates } from '../../model/Record.js'
import { type DirectWriter, directWriterOf } from '../../serde/DirectWriter.js'
import type { Serializer } from '../../serde/Serde.js'
import type { CompiledNode, CompiledSink } from '../../topology/CompiledTopology.js'
import { choosePlaces } from '../../topology/StreamPartitioner.js'
import type { PackedOutputs } from '../epoch/PackedOutputs.js'
import type { TopicInfo } from '../RecordLog.js'

interface WithLaneBytes {
  laneBytes?(bytes: Uint8Array): Uint8Array
}

/** Turns what reaches a sink into bytes with a partition, inside the callback that forwarded it (G4). */
export class SinkWriter {
  readonly #sink: CompiledSink
  readonly #keyWriter: DirectWriter | undefined
  readonly #valueWriter: DirectWriter | undefined
  /** Where null keys go next, by topic. */
  readonly #roundRobin = new Map<string, number>()
  /** The topic that the last record went to. */
  #last: TopicInfo | undefined

  constructor(
    private readonly node: CompiledNode,
    private readonly topics: ReadonlyMap<string, TopicInfo>,
    /** Wall-clock ms. */
    private readonly now: () => number,
  ) {
    this.#sink = node.sink as CompiledSink
    this.#keyWriter = directWriterOf(this.#sink.keySerializer)
    this.#valueWriter = directWriterOf(this.#sink.valueSerializer)
  }

  /** Whether the user picks the partition himself: then it is `writeChosen` that writes. */
  get isPartitioned(): boolean {
    return this.#sink.partitioner !== undefined
  }

  /**
   * @param place where the record comes from; null: it comes from a timer or a punctuation
   * @throws StreamError PRODUCTION_FAILED when the record cannot be written; nothing is put out then
   */
  write(record: Record<unknown, unknown>, out: PackedOutputs, place: RecordCoordinates | null): void {
    const info = this.#infoOf(this.#topic(record, place))
    const keyLength = this.#put(out, 0, 'key', info.topic, record)
    const valueAt = Math.max(0, keyLength)
    const valueLength = this.#put(out, valueAt, 'value', info.topic, record)
    this.#checkSize(valueAt + Math.max(0, valueLength), info)
    this.#checkTime(record.timestamp, info)
    const partition = this.#partition(info, out, keyLength)
    out.end(info.topic, partition, record.timestamp, keyLength, valueLength, record.headers.toArray())
  }

  /**
   * Writes to the partitions that the user's partitioner picks; none: the record is dropped.
   *
   * @returns to how many
   * @throws StreamError PRODUCTION_FAILED as `write`, and when it picks a partition that the topic has not
   */
  writeChosen(record: Record<unknown, unknown>, out: PackedOutputs, place: RecordCoordinates | null): number {
    const info = this.#infoOf(this.#topic(record, place))
    const { topic } = info
    const partitions = this.#choose(record, info)
    if (partitions === undefined) {
      this.write(record, out, place)
      return 1
    }
    if (partitions.length === 0) return 0
    const key = this.#serialize('key', this.#sink.keySerializer, topic, record, record.key)
    const value = this.#serialize('value', this.#sink.valueSerializer, topic, record, record.value)
    this.#checkSize((key?.length ?? 0) + (value?.length ?? 0), info)
    const { timestamp } = record
    this.#checkTime(timestamp, info)
    const headers = record.headers.toArray()
    for (const partition of partitions) out.add({ topic, partition, key, value, timestamp, headers })
    return partitions.length
  }

  /** F6: what the broker would refuse with its whole batch goes to gate 3 alone. */
  #checkTime(timestamp: number, { topic, maxTimestampAheadMs, maxTimestampBehindMs }: TopicInfo): void {
    if (maxTimestampAheadMs === undefined && maxTimestampBehindMs === undefined) return
    const aheadMs = timestamp - this.now()
    if (maxTimestampAheadMs !== undefined && aheadMs > maxTimestampAheadMs) {
      const limit = `${maxTimestampAheadMs} at most (message.timestamp.after.max.ms)`
      throw this.#error(
        `The timestamp ${timestamp} is ${aheadMs} ms ahead of the wall clock, and the topic takes ${limit}.`,
        topic,
        undefined,
      )
    }
    if (maxTimestampBehindMs !== undefined && -aheadMs > maxTimestampBehindMs) {
      const limit = `${maxTimestampBehindMs} at most (message.timestamp.before.max.ms)`
      throw this.#error(
        `The timestamp ${timestamp} is ${-aheadMs} ms behind the wall clock, and the topic takes ${limit}.`,
        topic,
        undefined,
      )
    }
  }

  #infoOf(topic: string): TopicInfo {
    if (this.#last?.topic === topic) return this.#last
    this.#last = this.topics.get(topic)
    if (this.#last !== undefined) return this.#last
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

  #checkSize(size: number, { topic, maxMessageBytes }: TopicInfo): void {
    if (maxMessageBytes === undefined || size <= maxMessageBytes) return
    throw this.#error(
      `A record of ${size} bytes is larger than the ${maxMessageBytes} that topic "${topic}" takes.`,
      topic,
      undefined,
    )
  }

  /** Puts a key or a value where it is to lie; what built-in serdes write needs no array of its own on the way. */
  #put(out: PackedOutputs, at: number, side: 'key' | 'value', topic: string, record: Record<unknown, unknown>): number {
    const value = record[side]
    if (value === null || value === undefined) return -1
    const direct = side === 'key' ? this.#keyWriter : this.#valueWriter
    const length = direct === undefined ? -1 : direct.write(topic, value, out, at)
    if (length >= 0) return length
    const { keySerializer, valueSerializer } = this.#sink
    const bytes = this.#serialize(side, side === 'key' ? keySerializer : valueSerializer, topic, record, value)
    return bytes === null ? -1 : out.put(at, bytes)
  }

  #topic(record: Record<unknown, unknown>, place: RecordCoordinates | null): string {
    const { topic } = this.#sink
    if (typeof topic === 'string') return topic
    return this.#extracted(topic(record.key, record.value, place ?? undefined), record)
  }

  /** @throws StreamError for what is no topic's name, which types keep out, but not everybody has types */
  #extracted(topic: unknown, { key }: Record<unknown, unknown>): string {
    if (typeof topic === 'string' && topic !== '') return topic
    const who = `The topic extractor of sink "${this.node.name}"`
    const context = { node: this.node.name, key: keyText(key) }
    if (isPromise(topic)) {
      throw refusedPromise(
        topic,
        `${who} returned a promise for the key ${keyText(key)}. It must return the topic's name at once: await in a processor before the sink.`,
        context,
      )
    }
    const got =
      topic === '' ? 'an empty text' : topic === undefined || topic === null ? String(topic) : `a ${typeof topic}`
    throw new StreamError(`${who} returned ${got} for the key ${keyText(key)}. Return the name of a topic.`, {
      code: 'PRODUCTION_FAILED',
      kind: 'user',
      retriable: false,
      context,
    })
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
      const problem = `The ${side} cannot be written by serde "${serializer.id ?? '?'}": ${why}`
      throw this.#error(problem, topic, cause, record.timestamp)
    }
  }

  /** Kafka's choice: murmur2 of the key's bytes, of a windowed key the inner key's (`kafka-streams.md` C.3, D.1). */
  #partition({ topic, partitions }: TopicInfo, out: PackedOutputs, keyLength: number): number {
    if (keyLength >= 0) {
      const serializer = this.#sink.keySerializer as WithLaneBytes | undefined
      if (serializer?.laneBytes === undefined) return out.partitionOf(keyLength, partitions)
      return partitionOf(serializer.laneBytes(out.part(0, keyLength)), partitions)
    }
    const next = this.#roundRobin.get(topic) ?? 0
    this.#roundRobin.set(topic, (next + 1) % partitions)
    return next
  }

  /** @param timestamp of the output, in ms: where it is the serde that has failed */
  #error(problem: string, topic: string, cause: unknown, timestamp?: number): StreamError {
    return new StreamError(`Sink "${this.node.name}", topic "${topic}": ${problem}`, {
      code: 'PRODUCTION_FAILED',
      kind: 'user',
      retriable: false,
      context: { node: this.node.name, topic, ...(timestamp !== undefined && { timestamp }) },
      cause,
    })
  }
}
