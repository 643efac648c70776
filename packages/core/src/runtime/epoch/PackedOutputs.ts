import { partitionOf } from '../../lanes/murmur2.js'
import type { Header } from '../../model/Headers.js'
import type { ByteTarget } from '../../serde/DirectWriter.js'
import { LONGEST_SHORT } from '../../serde/shortAscii.js'
import { newOutputView, type OutputView, type ViewedOutputs, visitOutputs, visitRecords } from '../OutputView.js'
import type { OutputRecord, Outputs } from '../RecordLog.js'

const none: readonly Header[] = []

/** Numbers kept of each output: topic, partition, time, and the lengths of key and value, −1 for null. */
const FACTS = 5
const FIRST_BYTES = 4096
const FIRST_OUTPUTS = 128
/** An epoch begins with the room that the last one took, up to so much. */
const MOST_FIRST_BYTES = 1_048_576
const MOST_FIRST_OUTPUTS = 32_768

/**
 * The outputs of an epoch, in the order of their `forward`. They live until the commit, longer than anything else that a
 * record makes, and so they lie packed: as two arrays of objects each they were most of what the garbage collector
 * had to copy. An output becomes an object when a log comes to it.
 */
export class PackedOutputs implements ViewedOutputs, ByteTarget {
  #bytes: Uint8Array
  #end = 0
  #facts: Float64Array
  #length = 0
  #topics: string[] = []
  #topic = 0
  /** Of those that have any. */
  readonly #headers = new Map<number, readonly Header[]>()
  #headerBytes = 0

  constructor(bytes = FIRST_BYTES, outputs = FIRST_OUTPUTS) {
    this.#bytes = new Uint8Array(bytes)
    this.#facts = new Float64Array(outputs * FACTS)
  }

  get length(): number {
    return this.#length
  }

  /** Of keys, values and headers. */
  get byteLength(): number {
    return this.#end + this.#headerBytes
  }

  /** Empty ones for the next epoch, with as much room as these have taken. */
  next(): PackedOutputs {
    const bytes = Math.min(MOST_FIRST_BYTES, Math.max(FIRST_BYTES, this.#end))
    return new PackedOutputs(bytes, Math.min(MOST_FIRST_OUTPUTS, Math.max(FIRST_OUTPUTS, this.#length)))
  }

  add({ topic, partition, key, value, timestamp, headers }: OutputRecord): void {
    const keyLength = key === null ? -1 : this.put(0, key)
    const valueLength = value === null ? -1 : this.put(Math.max(0, keyLength), value)
    this.end(topic, partition, timestamp, keyLength, valueLength, headers)
  }

  /**
   * Puts a part of the next output so many bytes behind the last one: its key at 0, its value behind that. Only `end`
   * makes it an output; what is put before comes to nothing else.
   *
   * @param from where the part begins in its bytes
   * @returns its length
   */
  put(at: number, bytes: Uint8Array, from = 0, to = bytes.length): number {
    const length = to - from
    const start = this.reserve(at, length)
    const own = this.#bytes
    if (length > LONGEST_SHORT) own.set(bytes.subarray(from, to), start)
    else for (let i = 0; i < length; i++) own[start + i] = bytes[from + i] as number
    return length
  }

  /** All that has been put: of a `DirectWriter`, which puts a part by itself. */
  get bytes(): Uint8Array {
    return this.#bytes
  }

  reserve(at: number, length: number): number {
    const start = this.#end + at
    if (start + length > this.#bytes.length) this.#grow(start + length)
    return start
  }

  /** A part that has been put, to be read only. */
  part(at: number, length: number): Uint8Array {
    return this.#bytes.slice(this.#end + at, this.#end + at + length)
  }

  /** Kafka's choice for the key that has been put. */
  partitionOf(keyLength: number, partitions: number): number {
    return partitionOf(this.#bytes, partitions, this.#end, this.#end + keyLength)
  }

  /** What has been put is an output now. Lengths are −1 for null. */
  end(
    topic: string,
    partition: number,
    timestamp: number,
    keyLength: number,
    valueLength: number,
    headers: readonly Header[],
  ): void {
    const at = this.#length * FACTS
    if (at === this.#facts.length) this.#growFacts()
    const facts = this.#facts
    facts[at] = this.#indexOf(topic)
    facts[at + 1] = partition
    facts[at + 2] = timestamp
    facts[at + 3] = keyLength
    facts[at + 4] = valueLength
    if (headers.length > 0) this.#keep(headers)
    if (keyLength > 0) this.#end += keyLength
    if (valueLength > 0) this.#end += valueLength
    this.#length++
  }

  /** These, others behind them, and one behind all. */
  followedBy(others: Outputs, last: OutputRecord): ViewedOutputs {
    const outputs = this
    return {
      length: this.#length + others.length + 1,
      visit(visitor) {
        outputs.visit(visitor)
        visitOutputs(others, visitor)
        visitRecords([last], visitor)
      },
      *[Symbol.iterator]() {
        yield* outputs
        yield* others
        yield last
      },
    }
  }

  visit(visitor: (output: OutputView) => void): void {
    const view = newOutputView()
    const facts = this.#facts
    const hasHeaders = this.#headers.size > 0
    let start = 0
    for (let index = 0; index < this.#length; index++) {
      const at = index * FACTS
      const keyLength = facts[at + 3] as number
      const valueLength = facts[at + 4] as number
      view.topic = this.#topics[facts[at] as number] as string
      view.partition = facts[at + 1] as number
      view.timestamp = facts[at + 2] as number
      view.headers = (hasHeaders ? this.#headers.get(index) : undefined) ?? none
      view.key = keyLength < 0 ? null : this.#bytes
      view.keyFrom = start
      start += Math.max(0, keyLength)
      view.keyTo = start
      view.value = valueLength < 0 ? null : this.#bytes
      view.valueFrom = start
      start += Math.max(0, valueLength)
      view.valueTo = start
      visitor(view)
    }
  }

  /** Each with bytes of its own, so that none keeps all others in memory. */
  *[Symbol.iterator](): Generator<OutputRecord> {
    let start = 0
    for (let index = 0; index < this.#length; index++) {
      const at = index * FACTS
      const keyLength = this.#facts[at + 3] as number
      const valueLength = this.#facts[at + 4] as number
      const keyEnd = start + Math.max(0, keyLength)
      const valueEnd = keyEnd + Math.max(0, valueLength)
      yield {
        topic: this.#topics[this.#facts[at] as number] as string,
        partition: this.#facts[at + 1] as number,
        key: keyLength < 0 ? null : this.#bytes.slice(start, keyEnd),
        value: valueLength < 0 ? null : this.#bytes.slice(keyEnd, valueEnd),
        timestamp: this.#facts[at + 2] as number,
        headers: this.#headers.get(index) ?? [],
      }
      start = valueEnd
    }
  }

  #indexOf(topic: string): number {
    if (topic === this.#topics[this.#topic]) return this.#topic
    const known = this.#topics.indexOf(topic)
    this.#topic = known >= 0 ? known : this.#topics.push(topic) - 1
    return this.#topic
  }

  #keep(headers: readonly Header[]): void {
    this.#headers.set(this.#length, headers)
    for (const { key, value } of headers) this.#headerBytes += key.length + (value?.length ?? 0)
  }

  #grow(needed: number): void {
    const grown = new Uint8Array(Math.max(needed, 2 * this.#bytes.length))
    grown.set(this.#bytes)
    this.#bytes = grown
  }

  #growFacts(): void {
    const grown = new Float64Array(2 * this.#facts.length)
    grown.set(this.#facts)
    this.#facts = grown
  }
}
