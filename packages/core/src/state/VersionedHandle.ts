import type { StoreAccess, StoreEnvironment } from './StoreBuilder.js'
import type { StoreCodec } from './StoreCodec.js'
import { storeError } from './storeError.js'
import type { ReadOnlyVersionedStore, VersionedRecord, VersionedStore } from './stores.js'
import { type VersionedState, versionRefused } from './VersionedState.js'
import type { Version } from './versions.js'

/** What all handles of one versioned store share. */
export interface VersionedShared<K, V> {
  readonly name: string
  readonly codec: StoreCodec<K, V>
  readonly state: VersionedState
  readonly environment: StoreEnvironment
}

/** The reading half; alone it is the handle of `init`, queries and tests, and has no way to write. */
export class VersionedReader<K, V> implements ReadOnlyVersionedStore<K, V> {
  readonly name: string

  constructor(protected readonly shared: VersionedShared<K, V>) {
    this.name = shared.name
  }

  /** Refuses the operation when the handle may no longer be used. A reader always may. */
  protected check(): void {}

  get(key: K): VersionedRecord<V> | undefined {
    this.check()
    const { codec, state } = this.shared
    return this.record(state.latest(codec.keyBytes(key)))
  }

  getAsOf(key: K, timestamp: number): VersionedRecord<V> | undefined {
    this.check()
    const { codec, state, environment } = this.shared
    const version = state.asOf(codec.keyBytes(key), checkedTime(this.name, timestamp))
    if (version !== 'expired') return this.record(version)
    const detail = `store=[${this.name}] asOf=[${timestamp}] oldest=[${state.oldest}] observed=[${state.observed}]`
    environment.warn(`expired_get ${this.name}`, `Returning null for expired get. ${detail}`)
    return undefined
  }

  protected record(version: Version | undefined): VersionedRecord<V> | undefined {
    if (version?.value === undefined) return undefined
    return { value: this.shared.codec.value(version.value), timestamp: version.from }
  }
}

/** The handle of one callback: reads and writes until that callback has settled (L10). */
export class VersionedHandle<K, V> extends VersionedReader<K, V> implements VersionedStore<K, V> {
  constructor(
    shared: VersionedShared<K, V>,
    private readonly access: StoreAccess,
  ) {
    super(shared)
  }

  protected override check(): void {
    this.access.check()
  }

  put(key: K, value: V | null | undefined, timestamp: number): number {
    this.check()
    const { codec, state } = this.shared
    const keyBytes = codec.keyBytes(key)
    const from = checkedTime(this.name, timestamp)
    const bytes = value === null || value === undefined ? undefined : codec.valueBytes(value)
    const validTo = state.put(keyBytes, { from, value: bytes }, this.access)
    if (validTo === versionRefused) this.#refused(timestamp)
    return validTo
  }

  delete(key: K, timestamp: number): VersionedRecord<V> | undefined {
    this.check()
    const { codec, state } = this.shared
    const keyBytes = codec.keyBytes(key)
    const from = checkedTime(this.name, timestamp)
    if (from < state.oldest) {
      this.#refused(timestamp)
      return undefined
    }
    const ended = state.asOf(keyBytes, from)
    state.put(keyBytes, { from, value: undefined }, this.access)
    return ended === 'expired' ? undefined : this.record(ended)
  }

  /** Counted, evented, logged (S3, G3): what is older than the history. */
  #refused(timestamp: number): void {
    const { environment, state } = this.shared
    const detail =
      `Skipping record for expired put. store=[${this.name}] timestamp=[${timestamp}] ` +
      `oldest=[${state.oldest}] observed=[${state.observed}]`
    environment.countDropped('expired_put')
    if (environment.listening('record-dropped')) {
      environment.emit({
        type: 'record-dropped',
        reason: 'expired_put',
        node: this.access.node,
        store: this.name,
        coordinates: this.access.cause(),
        detail,
        movedBy: state.inspect().windowed?.movedBy ?? null,
      })
    }
    environment.warn(`expired_put ${this.name}`, detail)
  }
}

function checkedTime(store: string, timestamp: number): number {
  if (Number.isSafeInteger(timestamp) && timestamp >= 0) return timestamp
  throw storeError(
    store,
    `The store "${store}" was asked for a version at ${timestamp}. Give an integer number of ms of 0 … 2^53−1.`,
  )
}
