import type { SegmentFacts } from '../../events/EngineEvent.js'
import type { RecordCoordinates } from '../../model/Record.js'
import type { Serde } from '../../serde/Serde.js'
import { SessionHandle, SessionReader, type SessionShared } from '../SessionHandle.js'
import { type SessionSettings, SessionState } from '../SessionState.js'
import type { StoreAccess, StoreBuilder, StoreEnvironment, StoreInspection, StoreInstance } from '../StoreBuilder.js'
import { StoreCodec } from '../StoreCodec.js'
import type { ReadOnlySessionStore, SessionStore } from '../stores.js'

/** Describes a session store. Made by `Stores.session` and `Stores.inMemorySession`, which check the settings. */
export class SessionStoreBuilder<K, V> implements StoreBuilder<SessionStore<K, V>, ReadOnlySessionStore<K, V>> {
  readonly kind = 'session'
  readonly name: string
  readonly persistent: boolean
  readonly retentionMs: number

  constructor(
    private readonly settings: SessionSettings,
    readonly keySerde: Serde<K> | undefined,
    readonly valueSerde: Serde<V> | undefined,
  ) {
    this.name = settings.name
    this.persistent = settings.expiry === 'segments'
    this.retentionMs = settings.retentionMs
  }

  build(environment: StoreEnvironment): SessionInstance<K, V> {
    return new SessionInstance<K, V>(this.settings, environment)
  }
}

class SessionInstance<K, V> implements StoreInstance<SessionStore<K, V>, ReadOnlySessionStore<K, V>> {
  readonly kind = 'session'
  readonly name: string
  readonly reader: ReadOnlySessionStore<K, V>
  readonly #shared: SessionShared<K, V>

  constructor(settings: SessionSettings, environment: StoreEnvironment) {
    this.name = settings.name
    this.#shared = {
      name: settings.name,
      byTime: settings.expiry === 'exact' || settings.byTime === true,
      codec: new StoreCodec<K, V>(settings.name, environment),
      state: new SessionState(settings, environment),
    }
    this.reader = new SessionReader(this.#shared)
  }

  open(access: StoreAccess): SessionStore<K, V> {
    return new SessionHandle(this.#shared, access)
  }

  inspect(): StoreInspection {
    return this.#shared.state.segments.inspect()
  }

  wouldExpire(timestamp: number): readonly SegmentFacts[] {
    return this.#shared.state.segments.wouldExpire(timestamp)
  }

  /** Of sessions the time is their end. */
  countWindows(after: number, upTo: number): number {
    return this.#shared.state.segments.countWindows(after, upTo)
  }

  clockMoved(causedBy: RecordCoordinates | null): void {
    this.#shared.state.segments.clockMoved(causedBy)
  }
}
