import type { SegmentFacts } from '../../events/EngineEvent.js'
import type { RecordCoordinates } from '../../model/Record.js'
import type { Serde } from '../../serde/Serde.js'
import { bareValue, valueHeaders } from '../../serde/valueHeaders.js'
import { asPicked } from '../asPicked.js'
import { RefusedCloser, WindowCloser } from '../closeWindows.js'
import { SessionHandle, SessionReader, type SessionShared } from '../SessionHandle.js'
import { type SessionSettings, SessionState, sessionChangelog } from '../SessionState.js'
import type {
  ChangelogForm,
  StoreAccess,
  StoreBuilder,
  StoreEnvironment,
  StoreInspection,
  StoreInstance,
} from '../StoreBuilder.js'
import { StoreCodec } from '../StoreCodec.js'
import type { ReadOnlySessionStore, SessionStore } from '../stores.js'
import { ConfigurableStore } from './ConfigurableStore.js'

/** What a session store is told apart from its serdes. */
export interface SessionStoreSettings extends SessionSettings {
  /** What handles give and take: the value alone (default), or with headers. The time of a session is its end. */
  readonly format?: 'plain' | 'headers'
  /** What the bytes hold. Default: what handles give; headers that there is no room for are lost (`kafka-streams.md` A.9). */
  readonly stored?: 'plain' | 'headers'
  /** It was picked by its builder: see `asPicked`. */
  readonly picked?: boolean
}

/** Describes a session store. Made by `Stores.session` and `Stores.inMemorySession`, which check the settings. */
export class SessionStoreBuilder<K, V>
  extends ConfigurableStore
  implements StoreBuilder<SessionStore<K, V>, ReadOnlySessionStore<K, V>>
{
  readonly kind = 'session'
  readonly name: string
  readonly persistent: boolean
  readonly retentionMs: number
  readonly format: 'plain' | 'headers'

  constructor(
    private readonly settings: SessionStoreSettings,
    readonly keySerde: Serde<K> | undefined,
    /** Of the value alone, whatever the format. */
    readonly valueSerde: Serde<any> | undefined,
  ) {
    super()
    this.name = settings.name
    this.persistent = settings.expiry === 'segments'
    this.retentionMs = settings.retentionMs
    this.format = settings.format ?? 'plain'
  }

  /** As the key-value store's `withFormat`. */
  withHeaders(): SessionStoreBuilder<K, any> {
    const own = this.settings.stored ?? this.format
    const stored = own === 'plain' && !this.persistent ? 'headers' : own
    const settings = { ...this.settings, format: 'headers' as const, stored }
    return this.passOn(new SessionStoreBuilder<K, any>(settings, this.keySerde, this.valueSerde))
  }

  /** The same store as the DSL asks for it. */
  withChanges(changes: Partial<SessionStoreSettings>): SessionStoreBuilder<K, V> {
    const settings = { ...this.settings, ...changes }
    return this.passOn(new SessionStoreBuilder<K, V>(settings, this.keySerde, this.valueSerde))
  }

  storedValue(value: Serde<any>): Serde<any> {
    if (this.format === 'plain') return value
    return (this.settings.stored ?? this.format) === 'headers' ? valueHeaders(value) : bareValue(value)
  }

  changelog(emulates: NonNullable<StoreEnvironment['emulates']>): ChangelogForm {
    return sessionChangelog(asPicked(this.settings, emulates), emulates)
  }

  build(environment: StoreEnvironment): SessionInstance<K, V> {
    const settings = asPicked(this.settings, environment.emulates)
    return new SessionInstance<K, V>({ ...settings, caching: this.caching }, environment)
  }
}

class SessionInstance<K, V> implements StoreInstance<SessionStore<K, V>, ReadOnlySessionStore<K, V>> {
  readonly kind = 'session'
  readonly name: string
  readonly reader: ReadOnlySessionStore<K, V>
  readonly #shared: SessionShared<K, V>

  constructor(settings: SessionSettings, environment: StoreEnvironment) {
    const { name, expiry, byTime = false } = settings
    const codec = new StoreCodec<K, V>(name, environment)
    const state = new SessionState(settings, environment)
    const windowOf = (stored: Uint8Array) => ({ start: state.layout.tailOf(stored), end: state.layout.timeOf(stored) })
    const loses = environment.emulates?.('on-window-close-loss') === true
    const liesByTime = expiry === 'exact' || byTime
    const Closer = settings.closes === true && !liesByTime ? RefusedCloser : WindowCloser
    const closer = new Closer<K, V>(state.segments, codec, windowOf, loses, expiry === 'segments')
    this.name = name
    this.#shared = { name, byTime: liesByTime, codec, state, closer }
    this.reader = new SessionReader(this.#shared)
  }

  open(access: StoreAccess): SessionStore<K, V> {
    return new SessionHandle(this.#shared, access)
  }

  get observed(): number {
    return this.#shared.state.segments.observed
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
