import { Headers } from '../model/Headers.js'
import type { Serializer } from '../serde/Serde.js'
import type { RawRecord } from './TopologyTestDriver.js'

/** Where a test input topic's own time starts, and how far each record moves it. In ms, 0 unless given. */
export interface TestInputOptions {
  readonly startMs?: number
  readonly autoAdvanceMs?: number
}

/** A record to pipe; what is left out is the topic's own time, or no headers. */
export interface TestRecord<K, V> {
  readonly key: K | null
  readonly value: V | null
  /** Ms. */
  readonly timestamp?: number
  readonly headers?: Headers
}

/** Pipes records into a source topic of a test driver. Every call is a promise that resolves when all is processed. */
export class TestInputTopic<K, V> {
  #nextMs: number

  constructor(
    readonly topic: string,
    private readonly keySerializer: Serializer<K>,
    private readonly valueSerializer: Serializer<V>,
    private readonly options: TestInputOptions,
    private readonly pipe: (record: RawRecord) => Promise<void>,
  ) {
    this.#nextMs = options.startMs ?? 0
  }

  /**
   * @param timestamp ms; default: the topic's own time, which advances by `autoAdvanceMs` at each record
   * @throws whatever the topology throws on this record
   */
  async pipeInput(key: K | null, value: V | null, timestamp?: number, headers: Headers = Headers.empty): Promise<void> {
    const at = timestamp ?? this.#nextMs
    if (timestamp === undefined) this.advanceTime(this.options.autoAdvanceMs ?? 0)
    await this.pipe({
      key: key === null ? null : this.keySerializer.serialize(this.topic, headers, key),
      value: value === null ? null : this.valueSerializer.serialize(this.topic, headers, value),
      timestamp: at,
      headers: headers.toArray(),
    })
  }

  pipeRecord({ key, value, timestamp, headers }: TestRecord<K, V>): Promise<void> {
    return this.pipeInput(key, value, timestamp, headers)
  }

  /** One after the other, at the topic's own time unless a record has one. Ends at the first that fails. */
  async pipeRecordList(records: Iterable<TestRecord<K, V>>): Promise<void> {
    for (const record of records) await this.pipeRecord(record)
  }

  async pipeKeyValueList(entries: Iterable<readonly [K | null, V | null]>): Promise<void> {
    for (const [key, value] of entries) await this.pipeInput(key, value)
  }

  /** With null keys. */
  async pipeValueList(values: Iterable<V | null>): Promise<void> {
    for (const value of values) await this.pipeInput(null, value)
  }

  /** Moves the topic's own time, from which records without one are stamped. Moves no clock of the topology. */
  advanceTime(ms: number): void {
    this.#nextMs += ms
  }
}
