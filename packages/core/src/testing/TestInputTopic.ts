import { Headers } from '../model/Headers.js'
import type { Serializer } from '../serde/Serde.js'
import type { RawRecord } from './TopologyTestDriver.js'

/** Pipes records into a source topic of a test driver. Every call is a promise that resolves when all is processed. */
export class TestInputTopic<K, V> {
  #nextMs: number

  constructor(
    readonly topic: string,
    private readonly keySerializer: Serializer<K>,
    private readonly valueSerializer: Serializer<V>,
    private readonly options: { readonly startMs?: number; readonly autoAdvanceMs?: number },
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
    if (timestamp === undefined) this.#nextMs += this.options.autoAdvanceMs ?? 0
    await this.pipe({
      key: key === null ? null : this.keySerializer.serialize(this.topic, headers, key),
      value: value === null ? null : this.valueSerializer.serialize(this.topic, headers, value),
      timestamp: at,
      headers: headers.toArray(),
    })
  }
}
