import type { SegmentFacts } from '../../events/EngineEvent.js'
import type { RecordCoordinates } from '../../model/Record.js'
import type { Serde } from '../../serde/Serde.js'
import type { StoreAccess, StoreBuilder, StoreEnvironment, StoreInspection, StoreInstance } from '../StoreBuilder.js'
import { StoreCodec } from '../StoreCodec.js'
import type { ReadOnlyWindowStore, WindowStore } from '../stores.js'
import { WindowHandle, WindowReader, type WindowShared } from '../WindowHandle.js'
import { type WindowSettings, WindowState } from '../WindowState.js'

/** Describes a window store. Made by `Stores.window` and `Stores.inMemoryWindow`, which check the settings. */
export class WindowStoreBuilder<K, V> implements StoreBuilder<WindowStore<K, V>, ReadOnlyWindowStore<K, V>> {
  readonly kind = 'window'
  readonly name: string
  readonly persistent: boolean
  readonly retentionMs: number
  readonly windowSizeMs: number
  readonly retainDuplicates: boolean

  constructor(
    private readonly settings: WindowSettings,
    readonly keySerde: Serde<K> | undefined,
    readonly valueSerde: Serde<V> | undefined,
  ) {
    this.name = settings.name
    this.persistent = settings.expiry === 'segments'
    this.retentionMs = settings.retentionMs
    this.windowSizeMs = settings.windowSizeMs
    this.retainDuplicates = settings.retainDuplicates === true
  }

  build(environment: StoreEnvironment): StoreInstance<WindowStore<K, V>, ReadOnlyWindowStore<K, V>> {
    return new WindowInstance<K, V>(this.settings, environment)
  }
}

class WindowInstance<K, V> implements StoreInstance<WindowStore<K, V>, ReadOnlyWindowStore<K, V>> {
  readonly kind = 'window'
  readonly name: string
  readonly reader: ReadOnlyWindowStore<K, V>
  readonly #shared: WindowShared<K, V>

  constructor(settings: WindowSettings, environment: StoreEnvironment) {
    this.name = settings.name
    this.#shared = {
      name: settings.name,
      windowSizeMs: settings.windowSizeMs,
      codec: new StoreCodec<K, V>(settings.name, environment),
      state: new WindowState(settings, environment),
    }
    this.reader = new WindowReader(this.#shared)
  }

  open(access: StoreAccess): WindowStore<K, V> {
    return new WindowHandle(this.#shared, access)
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
