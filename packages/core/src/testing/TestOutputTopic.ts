import { StreamError } from '../errors/index.js'
import { Headers } from '../model/Headers.js'
import type { Record } from '../model/Record.js'
import type { OutputRecord } from '../runtime/RecordLog.js'
import type { Deserializer } from '../serde/Serde.js'

/** Reads what a topology has sent to a topic, in the order in which it was sent. */
export class TestOutputTopic<K, V> {
  #unread: OutputRecord[] = []

  constructor(
    readonly topic: string,
    private readonly keyDeserializer: Deserializer<K>,
    private readonly valueDeserializer: Deserializer<V>,
    private readonly take: () => OutputRecord[],
  ) {}

  get isEmpty(): boolean {
    return this.queueSize === 0
  }

  /** How many have not been read yet. */
  get queueSize(): number {
    this.#fill()
    return this.#unread.length
  }

  /** @throws StreamError ILLEGAL_STATE when there is none */
  readRecord(): Record<K | null, V | null> {
    this.#fill()
    const next = this.#unread.shift()
    if (next === undefined) {
      throw new StreamError(`Empty topic: ${this.topic}`, {
        code: 'ILLEGAL_STATE',
        kind: 'user',
        retriable: false,
        context: { topic: this.topic },
      })
    }
    return this.#decode(next)
  }

  /** @throws StreamError ILLEGAL_STATE when there is none */
  readKeyValue(): [K | null, V | null] {
    const { key, value } = this.readRecord()
    return [key, value]
  }

  /** @throws StreamError ILLEGAL_STATE when there is none */
  readValue(): V | null {
    return this.readRecord().value
  }

  /** All that have not been read yet. */
  readRecordsToList(): Record<K | null, V | null>[] {
    this.#fill()
    return this.#unread.splice(0).map((record) => this.#decode(record))
  }

  readKeyValuesToList(): [K | null, V | null][] {
    return this.readRecordsToList().map((record) => [record.key, record.value])
  }

  readValuesToList(): (V | null)[] {
    return this.readRecordsToList().map((record) => record.value)
  }

  /** The last value of each key, by the text of the key where it is no primitive. */
  readKeyValuesToMap(): Map<K | null, V | null> {
    const last = new Map<unknown, [K | null, V | null]>()
    for (const [key, value] of this.readKeyValuesToList()) last.set(identityOf(key), [key, value])
    return new Map(last.values())
  }

  /** The raw bytes, for tests of serdes. */
  readRawToList(): OutputRecord[] {
    this.#fill()
    return this.#unread.splice(0)
  }

  #fill(): void {
    this.#unread.push(...this.take())
  }

  #decode(record: OutputRecord): Record<K | null, V | null> {
    const headers = Headers.of(record.headers)
    return {
      key: record.key === null ? null : this.keyDeserializer.deserialize(this.topic, headers, record.key),
      value: record.value === null ? null : this.valueDeserializer.deserialize(this.topic, headers, record.value),
      timestamp: record.timestamp,
      headers,
    }
  }
}

/** Equal keys of an object type are one key, as their bytes are one. */
function identityOf(key: unknown): unknown {
  return typeof key === 'object' && key !== null ? JSON.stringify(key) : key
}
