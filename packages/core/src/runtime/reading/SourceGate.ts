import { StreamError } from '../../errors/index.js'
import { Headers } from '../../model/Headers.js'
import { keyText } from '../../model/keyText.js'
import type { Record } from '../../model/Record.js'
import type { Deserializer } from '../../serde/Serde.js'
import type { CompiledSource } from '../../topology/CompiledTopology.js'
import { failOnInvalidTimestamp } from '../../topology/timestampExtractors.js'
import type { PartitionClock } from '../clocks/PartitionClock.js'
import type { FutureJudge } from '../guards/FutureJudge.js'
import type { NodeRuntime } from '../nodes/NodeRuntime.js'
import type { LogRecord } from '../RecordLog.js'
import type { TopologyRunner } from '../TopologyRunner.js'
import { SourceRecord } from './SourceRecord.js'

/** A record that may enter the topology. */
export interface Admitted {
  readonly source: SourceRecord
  readonly record: Record<unknown, unknown>
}

/**
 * What stands between a partition and the lanes of one source: deserialisation (gate 1), nulls, the timestamp
 * extractor, and the future-timestamp guard (F3), in this order, before the record may move any clock.
 */
export class SourceGate {
  readonly #source: CompiledSource

  constructor(
    readonly node: NodeRuntime,
    private readonly runner: TopologyRunner,
    /** Undefined where F is off. */
    private readonly future: FutureJudge | undefined,
  ) {
    this.#source = node.compiled.source as CompiledSource
  }

  /**
   * @returns the record, or undefined when it was dropped: counted, evented, with a dead letter where there is a topic for it
   * @throws StreamError when a handler says `fail`, or FutureTimestampException
   */
  admit(raw: LogRecord, clock: PartitionClock): Admitted | undefined {
    const at = new SourceRecord(clock.topic, clock.partition, raw.offset, raw.timestamp, raw)
    const headers = Headers.of(raw.headers)
    let key: unknown
    let value: unknown
    try {
      key = this.#read('key', this.#source.keyDeserializer, raw.key, at, headers)
      value = this.#read('value', this.#source.valueDeserializer, raw.value, at, headers)
    } catch (error) {
      const gated = this.runner.gates.ask('deserialization', error, this.node.name, at, undefined)
      if (gated !== undefined) throw gated
      return undefined
    }
    if (this.#source.nulls === 'drop' && (key === null || value === null)) {
      this.#drop('dropped_null', at, `a null ${key === null ? 'key' : 'value'} was dropped, as the source asks`)
      return undefined
    }
    const timestamp = this.#extract(at, key, value, headers, clock)
    if (timestamp === undefined) return undefined
    const source = timestamp === at.timestamp ? at : new SourceRecord(at.topic, at.partition, at.offset, timestamp, raw)
    if (this.future?.admits(source, key) === false) return undefined
    return { source, record: { key, value, timestamp, headers } }
  }

  /**
   * A record that was done before a restart, with its event time (W6). It is neither judged nor counted again.
   *
   * @returns undefined when it had none, or when it is so far ahead that the guard has turned it away
   */
  reread(raw: LogRecord, clock: PartitionClock): SourceRecord | undefined {
    const headers = Headers.of(raw.headers)
    const { topic, partition } = clock
    const { offset, timestamp } = raw
    const at = new SourceRecord(topic, partition, offset, timestamp, raw)
    let time = timestamp
    const extractor = this.#source.timestampExtractor
    if (extractor !== undefined) {
      try {
        const key = this.#read('key', this.#source.keyDeserializer, raw.key, at, headers)
        const value = this.#read('value', this.#source.valueDeserializer, raw.value, at, headers)
        time = extractor.extract({ topic, partition, offset, timestamp, key, value, headers }, clock.maxTimestamp)
      } catch {
        // It failed the same way when it was read first, was counted then, and moved no clock.
        return undefined
      }
    }
    if (!isValid(time) || this.future?.isAhead(time) === true) return undefined
    return time === timestamp ? at : new SourceRecord(topic, partition, offset, time, raw)
  }

  #read(
    side: 'key' | 'value',
    deserializer: Deserializer<unknown> | undefined,
    bytes: Uint8Array | null,
    at: SourceRecord,
    headers: Headers,
  ): unknown {
    if (bytes === null) return null
    if (deserializer === undefined) {
      throw new TypeError(
        `No serde can read the ${side} of topic "${at.topic}". Declare one, Consumed.with(keySerde, valueSerde), or set default.${side}.serde.`,
      )
    }
    try {
      return deserializer.deserialize(at.topic, headers, bytes)
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause)
      throw new TypeError(`the ${side} cannot be read by "${deserializer.id ?? 'its deserializer'}": ${why}`, { cause })
    }
  }

  /** W1, `kafka-streams.md` B.1. */
  #extract(
    at: SourceRecord,
    key: unknown,
    value: unknown,
    headers: Headers,
    clock: PartitionClock,
  ): number | undefined {
    const extractor = this.#source.timestampExtractor
    let timestamp: number
    if (extractor === undefined && isValid(at.timestamp)) return at.timestamp
    const { topic, partition, offset } = at
    const consumer = { topic, partition, offset, timestamp: at.timestamp, key, value, headers }
    try {
      timestamp = (extractor ?? failOnInvalidTimestamp).extract(consumer, clock.maxTimestamp)
    } catch (error) {
      throw this.#extractionFailed(at, key, error)
    }
    if (isValid(timestamp)) return timestamp
    this.#drop('negative_timestamp', at, `the extracted timestamp ${timestamp} is outside 0 … 2^53−1 ms`)
    return undefined
  }

  /** As in Kafka Streams no handler is asked: without a time the record cannot even be dropped in its turn (B.1). */
  #extractionFailed(at: SourceRecord, key: unknown, cause: unknown): StreamError {
    if (cause instanceof StreamError) return cause
    const why = cause instanceof Error ? cause.message : String(cause)
    return new StreamError(
      `Source "${this.node.name}" has no time for the record ${at.topic}-${at.partition} @ ${at.offset}: ${why}`,
      {
        code: 'TIMESTAMP_INVALID',
        kind: 'user',
        retriable: false,
        context: { node: this.node.name, ...at, key: keyText(key) },
        cause,
      },
    )
  }

  #drop(reason: 'dropped_null' | 'negative_timestamp', at: SourceRecord, detail: string): void {
    const where = `${at.topic}-${at.partition} @ ${at.offset}`
    this.runner.losses.dropped(reason, this.node.name, at, `Source "${this.node.name}", ${where}: ${detail}.`)
  }
}

/** W1. */
function isValid(timestamp: number): boolean {
  return Number.isSafeInteger(timestamp) && timestamp >= 0
}
