import type { Headers } from '../../model/Headers.js'
import { MemoryIterable } from '../MemoryIterable.js'
import type {
  StoreAccess,
  StoreBuilder,
  StoreEnvironment,
  StoreInspection,
  StoreInstance,
  TopicConfig,
} from '../StoreBuilder.js'
import { StoreCodec } from '../StoreCodec.js'
import { type BufferedRow, type Origin, SuppressBuffer } from '../SuppressBuffer.js'
import type { StoreIterable } from '../stores.js'

/** A row of a table that is held back, or let go. */
export interface HeldRow<K, V> {
  readonly key: K
  readonly newValue: V | null
  readonly oldValue: V | null
  readonly timestamp: number
  readonly headers: Headers
}

/** A row that is let go, and the bytes that pick its lane. */
export interface ReleasedRow<K, V> extends HeldRow<K, V> {
  readonly laneBytes: Uint8Array
}

/** What may be known of a buffer without taking part in a callback. */
export interface ReadOnlyRowBuffer<K, V> {
  readonly name: string
  readonly records: number
  readonly bytes: number
  /** The time of the oldest row in ms; infinite when there is none. */
  readonly oldest: number
  /** Whether Kafka Streams' double final results are asked for (H-4). */
  readonly doublesFinalResults: boolean
  get(key: K): HeldRow<K, V> | undefined
  /** All rows, by time, then key. */
  all(): StoreIterable<readonly [K, HeldRow<K, V>]>
  count(): number
}

/** The rows that a `suppress` holds back. */
export interface RowBuffer<K, V> extends ReadOnlyRowBuffer<K, V> {
  /** Holds a row back. A key that is held already keeps its time, and what it had before the first change. */
  hold(time: number, row: HeldRow<K, V>, origin: Origin): void
  /** Takes the oldest row out; of one time the one with the least key bytes. */
  release(): ReleasedRow<K, V> | undefined
  /** The row that `release` takes out next; it stays. */
  peek(): ReleasedRow<K, V> | undefined
}

/** Describes the store of a `suppress`: it commits and aborts with the epoch, as any other. */
export class SuppressBufferBuilder<K, V> implements StoreBuilder<RowBuffer<K, V>, ReadOnlyRowBuffer<K, V>> {
  readonly kind = 'key-value'
  readonly persistent = false
  readonly keySerde = undefined
  readonly valueSerde = undefined

  constructor(
    readonly name: string,
    readonly logging: boolean,
    readonly topicConfig: TopicConfig,
  ) {}

  build(environment: StoreEnvironment): StoreInstance<RowBuffer<K, V>, ReadOnlyRowBuffer<K, V>> {
    return new BufferInstance<K, V>(this.name, environment)
  }
}

class BufferInstance<K, V> implements StoreInstance<RowBuffer<K, V>, ReadOnlyRowBuffer<K, V>> {
  readonly kind = 'key-value'
  readonly reader: ReadOnlyRowBuffer<K, V>
  readonly #buffer: SuppressBuffer
  readonly #codec: StoreCodec<K, V>
  readonly #doubles: boolean

  constructor(
    readonly name: string,
    environment: StoreEnvironment,
  ) {
    const { byteStores } = environment
    // A colon is no part of a store's name, so no store's entries are kept under the second one.
    this.#buffer = new SuppressBuffer(byteStores.store(name), byteStores.store(`${name}:times`))
    this.#codec = new StoreCodec<K, V>(name, environment)
    this.#doubles = environment.emulates?.('double-final-result') === true
    this.reader = this.open({ node: name, check: () => undefined, cause: () => null })
  }

  open(access: StoreAccess): RowBuffer<K, V> {
    return new BufferHandle<K, V>(this.name, this.#buffer, this.#codec, this.#doubles, access)
  }

  inspect(): StoreInspection {
    const { records, bytes } = this.#buffer
    return { name: this.name, kind: this.kind, entries: records, bytes }
  }

  wouldExpire(): readonly never[] {
    return []
  }

  countWindows(): number {
    return 0
  }

  clockMoved(): void {
    // What it holds is let go by its node.
  }
}

class BufferHandle<K, V> implements RowBuffer<K, V> {
  constructor(
    readonly name: string,
    private readonly buffer: SuppressBuffer,
    private readonly codec: StoreCodec<K, V>,
    readonly doublesFinalResults: boolean,
    private readonly access: StoreAccess,
  ) {}

  get records(): number {
    return this.buffer.records
  }

  get bytes(): number {
    return this.buffer.bytes
  }

  get oldest(): number {
    return this.buffer.oldest
  }

  get(key: K): HeldRow<K, V> | undefined {
    this.access.check()
    const row = this.buffer.get(this.codec.keyBytes(key))
    // Whoever reads the table sees what it held before the first change that is held back.
    return row && { ...this.#decoded({ ...row, oldValue: 'same' }), key }
  }

  all(): StoreIterable<readonly [K, HeldRow<K, V>]> {
    this.access.check()
    return new MemoryIterable(() => this.#all())
  }

  count(): number {
    return this.buffer.records
  }

  hold(time: number, row: HeldRow<K, V>, origin: Origin): void {
    this.access.check()
    const keyBytes = this.codec.keyBytes(row.key)
    const held = this.buffer.get(keyBytes)
    const { timestamp, headers } = row
    const oldValue = held !== undefined && !this.doublesFinalResults ? 'same' : this.#bytesOf(row.oldValue)
    this.buffer.put(
      {
        time: held?.time ?? time,
        keyBytes,
        newValue: this.#bytesOf(row.newValue),
        priorValue: held === undefined ? (oldValue as Uint8Array | null) : held.priorValue,
        oldValue: held === undefined ? 'same' : oldValue,
        timestamp,
        headers,
      },
      origin,
    )
  }

  release(): ReleasedRow<K, V> | undefined {
    this.access.check()
    return this.#released(this.buffer.takeOldest())
  }

  peek(): ReleasedRow<K, V> | undefined {
    this.access.check()
    return this.#released(this.buffer.peekOldest())
  }

  #released(row: BufferedRow | undefined): ReleasedRow<K, V> | undefined {
    if (row === undefined) return undefined
    return { ...this.#decoded(row), key: this.codec.key(row.keyBytes), laneBytes: this.codec.laneBytes(row.keyBytes) }
  }

  *#all(): Generator<readonly [K, HeldRow<K, V>]> {
    for (const row of this.buffer.all()) {
      const key = this.codec.key(row.keyBytes)
      yield [key, { ...this.#decoded(row), key }]
    }
  }

  /** What an operator downstream has is the prior value; Kafka Streams hands on the one before the newest change (H-4). */
  #decoded({ newValue, priorValue, oldValue, timestamp, headers }: BufferedRow): Omit<HeldRow<K, V>, 'key'> {
    const before = oldValue === 'same' ? priorValue : oldValue
    return {
      newValue: newValue === null ? null : this.codec.value(newValue),
      oldValue: before === null ? null : this.codec.value(before),
      timestamp,
      headers,
    }
  }

  #bytesOf(value: V | null): Uint8Array | null {
    return value === null ? null : this.codec.valueBytes(value)
  }
}
