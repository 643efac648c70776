import { isPromise, refusedPromise, StreamError } from '../../errors/index.js'
import { Headers } from '../../model/Headers.js'
import { keyText } from '../../model/keyText.js'
import { OwnRecord } from '../../model/OwnRecord.js'
import type { Record } from '../../model/Record.js'
import type { Deserializer } from '../../serde/Serde.js'
import type { CompiledSource } from '../../topology/CompiledTopology.js'
import type { ConsumerRecord, TimestampExtractor } from '../../topology/TimestampExtractor.js'
import { failOnInvalidTimestamp } from '../../topology/timestampExtractors.js'
import type { PartitionClock } from '../clocks/PartitionClock.js'
import type { FutureJudge } from '../guards/FutureJudge.js'
import type { NodeRuntime } from '../nodes/NodeRuntime.js'
import type { LogRecord } from '../RecordLog.js'
import type { TopologyRunner } from '../TopologyRunner.js'
import { SourceRecord } from './SourceRecord.js'

/**
 * What stands between a partition and the lanes of one source: deserialisation (gate 1), nulls, the timestamp
 * extractor, and the future-timestamp guard (F3), in this order, before the record may move any clock.
 */
export class SourceGate {
  readonly #source: CompiledSource
  /** Those of the two deserializers that may have to fetch something first. */
  readonly #preparing: readonly (readonly ['key' | 'value', NonNullable<Deserializer<unknown>['prepare']>])[]

  constructor(
    readonly node: NodeRuntime,
    private readonly runner: TopologyRunner,
    /** Undefined where F is off. */
    private readonly future: FutureJudge | undefined,
  ) {
    this.#source = node.compiled.source as CompiledSource
    const { keyDeserializer, valueDeserializer } = this.#source
    this.#preparing = [...preparing('key', keyDeserializer), ...preparing('value', valueDeserializer)]
  }

  /**
   * Has the serdes fetch what they need to read these records. Undefined when there is nothing to wait for.
   *
   * Rejects with what is retriable: a registry that does not answer must drop no record. Anything else is said when the
   * record is read, and has its handler there.
   */
  prepare(records: readonly LogRecord[]): Promise<void> | undefined {
    if (this.#preparing.length === 0) return undefined
    const waits: Promise<void>[] = []
    for (const record of records) {
      for (const [side, prepare] of this.#preparing) {
        const bytes = record[side]
        const wait = bytes === null ? undefined : prepare(bytes, Headers.of(record.headers))
        if (wait !== undefined) waits.push(wait)
      }
    }
    return waits.length === 0 ? undefined : allSettled(waits)
  }

  /**
   * @returns the record with its event time, or undefined when it was dropped: counted, evented, with a dead letter where
   * there is a topic for it
   * @throws StreamError when a handler says `fail`, or FutureTimestampException
   */
  admit(raw: LogRecord, clock: PartitionClock): Record<unknown, unknown> | undefined {
    const headers = Headers.of(raw.headers)
    let key: unknown
    let value: unknown
    try {
      key = this.#read('key', this.#source.keyDeserializer, raw.key, clock.topic, headers)
      value = this.#read('value', this.#source.valueDeserializer, raw.value, clock.topic, headers)
    } catch (error) {
      const gated = this.runner.gates.ask('deserialization', error, this.node.name, placeOf(raw, clock), undefined)
      if (gated !== undefined) throw gated
      return undefined
    }
    if (this.#source.nulls === 'drop' && (key === null || value === null)) {
      const detail = `a null ${key === null ? 'key' : 'value'} was dropped, as the source asks`
      this.#drop('dropped_null', placeOf(raw, clock), detail)
      return undefined
    }
    const timestamp = this.#extract(raw, key, value, headers, clock)
    if (timestamp === undefined) return undefined
    if (this.future?.isAhead(timestamp) && !this.future.admits(placeOf(raw, clock, timestamp), key)) return undefined
    return new OwnRecord(key, value, timestamp, headers)
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
    let time = timestamp
    const extractor = this.#source.timestampExtractor
    if (extractor !== undefined) {
      try {
        const key = this.#read('key', this.#source.keyDeserializer, raw.key, topic, headers)
        const value = this.#read('value', this.#source.valueDeserializer, raw.value, topic, headers)
        time = this.#ask(extractor, { topic, partition, offset, timestamp, key, value, headers }, clock)
      } catch {
        // It failed the same way when it was read first, was counted then, and moved no clock.
        return undefined
      }
    }
    if (!isValid(time) || this.future?.isAhead(time) === true) return undefined
    return placeOf(raw, clock, time)
  }

  #read(
    side: 'key' | 'value',
    deserializer: Deserializer<unknown> | undefined,
    bytes: Uint8Array | null,
    topic: string,
    headers: Headers,
  ): unknown {
    if (bytes === null) return null
    if (deserializer === undefined) {
      throw new TypeError(
        `No serde can read the ${side} of topic "${topic}". Declare one, Consumed.with(keySerde, valueSerde), or set default.${side}.serde.`,
      )
    }
    try {
      return deserializer.deserialize(topic, headers, bytes)
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause)
      throw new TypeError(`the ${side} cannot be read by "${deserializer.id ?? 'its deserializer'}": ${why}`, { cause })
    }
  }

  /** W1, `kafka-streams.md` B.1. */
  #extract(raw: LogRecord, key: unknown, value: unknown, headers: Headers, clock: PartitionClock): number | undefined {
    const extractor = this.#source.timestampExtractor
    if (extractor === undefined && isValid(raw.timestamp)) return raw.timestamp
    const { topic, partition } = clock
    const consumer = { topic, partition, offset: raw.offset, timestamp: raw.timestamp, key, value, headers }
    let timestamp: number
    try {
      timestamp = this.#ask(extractor ?? failOnInvalidTimestamp, consumer, clock)
    } catch (error) {
      throw this.#extractionFailed(placeOf(raw, clock), key, error)
    }
    if (isValid(timestamp)) return timestamp
    this.#drop(
      'negative_timestamp',
      placeOf(raw, clock),
      `the extracted timestamp ${timestamp} is outside 0 … 2^53−1 ms`,
    )
    return undefined
  }

  /** @throws StreamError SYNC_CALLBACK_RETURNED_PROMISE for a time that is not there yet */
  #ask(
    extractor: TimestampExtractor<any, any>,
    record: ConsumerRecord<unknown, unknown>,
    clock: PartitionClock,
  ): number {
    const time = extractor.extract(record, clock.maxTimestamp)
    if (!isPromise(time)) return time
    const { name: node } = this.node
    throw refusedPromise(
      time,
      `The timestamp extractor of source "${node}" returned a promise. It must return the time, in ms, at once.`,
      { node, topic: record.topic, partition: record.partition, offset: record.offset },
    )
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

/** Where a record was read, with its event time once that is known. */
function placeOf(raw: LogRecord, { topic, partition }: PartitionClock, timestamp = raw.timestamp): SourceRecord {
  return new SourceRecord(topic, partition, raw.offset, timestamp, raw)
}

/** W1. */
function isValid(timestamp: number): boolean {
  return Number.isSafeInteger(timestamp) && timestamp >= 0
}

function preparing(side: 'key' | 'value', deserializer: Deserializer<unknown> | undefined) {
  return deserializer?.prepare === undefined ? [] : [[side, deserializer.prepare.bind(deserializer)] as const]
}

/** @throws StreamError the first that is retriable */
async function allSettled(waits: readonly Promise<void>[]): Promise<void> {
  for (const settled of await Promise.allSettled(waits)) {
    if (settled.status === 'fulfilled') continue
    const { reason } = settled
    if (reason instanceof StreamError && reason.retriable) throw reason
  }
}
