import type { SegmentFacts } from '../../events/EngineEvent.js'
import type { RecordCoordinates } from '../../model/Record.js'
import type { Serde } from '../../serde/Serde.js'
import type { StoreAccess, StoreBuilder, StoreEnvironment, StoreInspection, StoreInstance } from '../StoreBuilder.js'
import { StoreCodec } from '../StoreCodec.js'
import type { ReadOnlyVersionedStore, VersionedStore } from '../stores.js'
import { VersionedHandle, VersionedReader, type VersionedShared } from '../VersionedHandle.js'
import { type VersionedSettings, VersionedState } from '../VersionedState.js'
import { ConfigurableStore } from './ConfigurableStore.js'

/** Describes a versioned store. Made by `Stores.versionedKeyValue`, which checks the settings. */
export class VersionedStoreBuilder<K, V>
  extends ConfigurableStore
  implements StoreBuilder<VersionedStore<K, V>, ReadOnlyVersionedStore<K, V>>
{
  readonly kind = 'versioned'
  readonly name: string
  readonly persistent: boolean
  readonly retentionMs: number

  constructor(
    private readonly settings: VersionedSettings,
    readonly keySerde: Serde<K> | undefined,
    readonly valueSerde: Serde<V> | undefined,
  ) {
    super()
    this.name = settings.name
    this.persistent = settings.persistent
    this.retentionMs = settings.historyRetentionMs
  }

  build(environment: StoreEnvironment): StoreInstance<VersionedStore<K, V>, ReadOnlyVersionedStore<K, V>> {
    return new VersionedInstance<K, V>(this.settings, environment)
  }
}

class VersionedInstance<K, V> implements StoreInstance<VersionedStore<K, V>, ReadOnlyVersionedStore<K, V>> {
  readonly kind = 'versioned'
  readonly name: string
  readonly reader: ReadOnlyVersionedStore<K, V>
  readonly #shared: VersionedShared<K, V>

  constructor(settings: VersionedSettings, environment: StoreEnvironment) {
    this.name = settings.name
    this.#shared = {
      name: settings.name,
      codec: new StoreCodec<K, V>(settings.name, environment),
      state: new VersionedState(settings, environment),
      environment,
    }
    this.reader = new VersionedReader(this.#shared)
  }

  open(access: StoreAccess): VersionedStore<K, V> {
    return new VersionedHandle(this.#shared, access)
  }

  get observed(): number {
    return this.#shared.state.observed
  }

  inspect(): StoreInspection {
    return this.#shared.state.inspect()
  }

  wouldExpire(timestamp: number): readonly SegmentFacts[] {
    return this.#shared.state.wouldExpire(timestamp)
  }

  countWindows(): number {
    return 0
  }

  clockMoved(causedBy: RecordCoordinates | null): void {
    this.#shared.state.clockMoved(causedBy)
  }
}
