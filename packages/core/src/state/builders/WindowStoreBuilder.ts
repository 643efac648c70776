import type { SegmentFacts } from '../../events/EngineEvent.js'
import type { RecordCoordinates } from '../../model/Record.js'
import type { Serde } from '../../serde/Serde.js'
import { asPicked } from '../asPicked.js'
import { WindowCloser } from '../closeWindows.js'
import type {
  ChangelogForm,
  StoreAccess,
  StoreBuilder,
  StoreEnvironment,
  StoreInspection,
  StoreInstance,
  ValueFormat,
} from '../StoreBuilder.js'
import { StoreCodec } from '../StoreCodec.js'
import type { ReadOnlyWindowStore, WindowStore } from '../stores.js'
import { WindowHandle, WindowReader, type WindowShared } from '../WindowHandle.js'
import { type WindowSettings, WindowState, windowChangelog } from '../WindowState.js'
import { ConfigurableStore } from './ConfigurableStore.js'
import { storedForm } from './storedForm.js'

/** What a window store is told apart from its serdes. */
export interface WindowStoreSettings extends WindowSettings {
  /** What handles give and take. Default: the value alone. */
  readonly format?: ValueFormat
  /** What the bytes hold. Default: what handles give; anything less is lost, and read as unknown (`kafka-streams.md` A.9). */
  readonly stored?: ValueFormat
  /** It was picked by its builder: see `asPicked`. */
  readonly picked?: boolean
}

/** Describes a window store. Made by `Stores.window` and its relatives, which check the settings. */
export class WindowStoreBuilder<K, V>
  extends ConfigurableStore
  implements StoreBuilder<WindowStore<K, V>, ReadOnlyWindowStore<K, V>>
{
  readonly kind = 'window'
  readonly name: string
  readonly persistent: boolean
  readonly retentionMs: number
  readonly windowSizeMs: number
  readonly retainDuplicates: boolean
  readonly format: ValueFormat

  constructor(
    private readonly settings: WindowStoreSettings,
    readonly keySerde: Serde<K> | undefined,
    /** Of the value alone, whatever the format. */
    readonly valueSerde: Serde<any> | undefined,
  ) {
    super()
    this.name = settings.name
    this.persistent = settings.expiry === 'segments'
    this.retentionMs = settings.retentionMs
    this.windowSizeMs = settings.windowSizeMs
    this.retainDuplicates = settings.retainDuplicates === true
    this.format = settings.format ?? 'plain'
  }

  /** As the key-value store's `withFormat`; `changes` says what else the DSL asks of it. */
  withFormat(
    format: 'timestamped' | 'headers',
    changes: Partial<WindowStoreSettings> = {},
  ): WindowStoreBuilder<K, any> {
    const own = this.settings.stored ?? this.format
    const stored = own === 'plain' && !this.persistent ? format : own
    const settings = { ...this.settings, ...changes, format, stored }
    return this.passOn(new WindowStoreBuilder<K, any>(settings, this.keySerde, this.valueSerde))
  }

  storedValue(value: Serde<any>): Serde<any> {
    return storedForm(value, this.format, this.settings.stored ?? this.format)
  }

  changelog(emulates?: StoreEnvironment['emulates']): ChangelogForm {
    return windowChangelog(asPicked(this.settings, emulates))
  }

  build(environment: StoreEnvironment): StoreInstance<WindowStore<K, V>, ReadOnlyWindowStore<K, V>> {
    const settings = asPicked(this.settings, environment.emulates)
    return new WindowInstance<K, V>({ ...settings, caching: this.caching }, environment)
  }
}

class WindowInstance<K, V> implements StoreInstance<WindowStore<K, V>, ReadOnlyWindowStore<K, V>> {
  readonly kind = 'window'
  readonly name: string
  readonly reader: ReadOnlyWindowStore<K, V>
  readonly #shared: WindowShared<K, V>

  constructor(settings: WindowSettings, environment: StoreEnvironment) {
    this.name = settings.name
    const { name, windowSizeMs } = settings
    const endOf = settings.endOf ?? ((start) => Math.min(start + windowSizeMs, Number.MAX_SAFE_INTEGER))
    const codec = new StoreCodec<K, V>(name, environment)
    const state = new WindowState(settings, environment)
    const windowOf = (stored: Uint8Array) => {
      const start = state.layout.timeOf(stored)
      return { start, end: endOf(start) }
    }
    const loses = environment.emulates?.('on-window-close-loss') === true
    const closer = new WindowCloser<K, V>(state.segments, codec, windowOf, loses, false)
    this.#shared = { name, endOf, codec, state, closer }
    this.reader = new WindowReader(this.#shared)
  }

  open(access: StoreAccess): WindowStore<K, V> {
    return new WindowHandle(this.#shared, access)
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

  countWindows(startAfter: number, startUpTo: number): number {
    return this.#shared.state.segments.countWindows(startAfter, startUpTo)
  }

  clockMoved(causedBy: RecordCoordinates | null): void {
    this.#shared.state.segments.clockMoved(causedBy)
  }
}
