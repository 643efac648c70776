import { Headers } from '../model/Headers.js'
import { toChangelog } from '../runtime/changelog/changelogRecord.js'
import { type LoggedStore, loggedStores, ownerOf } from '../runtime/changelog/loggedStores.js'
import type { NodeInstance } from '../runtime/nodes/NodeInstance.js'
import type { OutputRecord, TopicInfo } from '../runtime/RecordLog.js'
import type { Serde } from '../serde/Serde.js'
import { MemoryByteStores } from '../state/MemoryByteStores.js'
import type { OrderedByteStore } from '../state/OrderedByteStore.js'
import type { ByteStores, StoreInstance } from '../state/StoreBuilder.js'
import type { VersionedStore } from '../state/stores.js'
import type { CompiledStore, CompiledTopology } from '../topology/CompiledTopology.js'
import type { EngineConfig } from '../topology/EngineConfig.js'
import { bareValue } from './bareValue.js'
import { WatchedByteStore } from './WatchedByteStore.js'

interface Watched {
  readonly logged: LoggedStore
  readonly store: CompiledStore
  /** The id of the serde that wrote its values. */
  readonly form: string
}

/**
 * The changelog topics of Kafka's test driver (D1): a record for each put and each deletion, as it happens, with the
 * bare value and its own time where the store keeps one. The engine itself logs an epoch's final values (E8).
 */
export class ChangelogTopics implements ByteStores {
  readonly #inner = new MemoryByteStores()
  readonly #stores = new Map<string, OrderedByteStore>()
  readonly #watched: ReadonlyMap<string, Watched>
  /** The time of the callback that is running, in ms. */
  #now = 0

  constructor(
    compiled: CompiledTopology,
    config: EngineConfig,
    topics: ReadonlyMap<string, TopicInfo>,
    private readonly emit: (output: OutputRecord) => void,
  ) {
    this.#watched = new Map(
      loggedStores(compiled, config, topics).flatMap((logged) => {
        const store = compiled.stores.find(({ name }) => name === logged.owner)
        if (store === undefined || store.sourceTopic !== undefined) return []
        return [[logged.owner, { logged, store, form: store.value.serde?.id ?? '' }]]
      }),
    )
  }

  /** Notes for which time the callbacks of a node write: that of the record, or of the timer. */
  timed(instance: NodeInstance): void {
    const { process, punctuate } = instance
    instance.process = (record, item) => this.#during(record.timestamp, () => process.call(instance, record, item))
    instance.punctuate = (callback, at, item, onDone) =>
      this.#during(at, () => punctuate.call(instance, callback, at, item, onDone))
  }

  /** Lets a versioned store tell of each put by itself: what it keeps of one is spread over several entries. */
  versioned(instance: StoreInstance<unknown, unknown>): void {
    const watched = this.#watched.get(instance.name)
    if (instance.kind !== 'versioned' || watched === undefined) return
    const { open } = instance
    instance.open = (access) => this.#telling(open.call(instance, access) as VersionedStore<unknown, unknown>, watched)
  }

  #telling(store: VersionedStore<unknown, unknown>, watched: Watched): VersionedStore<unknown, unknown> {
    const { put, delete: remove } = store
    store.put = (key, value, timestamp) => {
      const validTo = put.call(store, key, value, timestamp)
      this.#logVersion(watched, key, value, timestamp)
      return validTo
    }
    store.delete = (key, timestamp) => {
      const ended = remove.call(store, key, timestamp)
      this.#logVersion(watched, key, null, timestamp)
      return ended
    }
    return store
  }

  /** What a callback calls within it has a time of its own; afterwards its own counts again. */
  #during(now: number, run: () => void | Promise<void>): void | Promise<void> {
    const before = this.#now
    this.#now = now
    const back = () => {
      this.#now = before
    }
    try {
      const settling = run()
      return settling === undefined ? back() : settling.finally(back)
    } catch (error) {
      back()
      throw error
    }
  }

  store(name: string): OrderedByteStore {
    const known = this.#stores.get(name)
    if (known !== undefined) return known
    const watched = this.#watched.get(ownerOf(name))
    const inner = this.#inner.store(name)
    const store =
      watched === undefined || watched.store.builder.kind === 'versioned'
        ? inner
        : new WatchedByteStore(inner, (key, value) => this.#log(watched, name, key, value))
    this.#stores.set(name, store)
    return store
  }

  names(prefix: string): readonly string[] {
    return this.#inner.names(prefix)
  }

  #logVersion({ logged, store }: Watched, key: unknown, value: unknown, timestamp: number): void {
    const write = (serde: Serde<any> | undefined, given: unknown) =>
      given === null || given === undefined ? null : (serde?.serialize(logged.topic, Headers.empty, given) ?? null)
    const [keyBytes, valueBytes] = [write(store.key.serde, key), write(store.value.serde, value)]
    this.emit({ topic: logged.topic, partition: 0, key: keyBytes, value: valueBytes, timestamp, headers: [] })
  }

  #log({ logged, form }: Watched, byteStore: string, key: Uint8Array, value: Uint8Array | undefined): void {
    const record = toChangelog(logged, byteStore, [key, value], this.#now)
    // Parts of a store that Kafka Streams has not are no part of its changelog.
    if (record === undefined || record.headers.length > 0) return
    if (value === undefined) {
      this.emit(record)
      return
    }
    const { bytes, timestamp = this.#now, headers = Headers.empty } = bareValue(form, value)
    this.emit({ ...record, value: bytes, timestamp, headers: headers.toArray() })
  }
}
