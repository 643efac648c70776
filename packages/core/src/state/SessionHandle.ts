import type { Window, Windowed } from '../model/Windowed.js'
import type { ClosingStore } from './closeWindows.js'
import { everyKey } from './entryLayout.js'
import { MemoryIterable } from './MemoryIterable.js'
import type { ByteEntry } from './OrderedByteStore.js'
import type { SessionSpan, SessionState } from './SessionState.js'
import type { StoreAccess } from './StoreBuilder.js'
import type { StoreCodec } from './StoreCodec.js'
import { storeError } from './storeError.js'
import type { ReadOnlySessionStore, SessionStore, StoreIterable } from './stores.js'

/** What all handles of one session store share. */
export interface SessionShared<K, V> {
  readonly name: string
  /** Whether sessions are kept by time, so that `findSessionsTime` need not visit every key. */
  readonly byTime: boolean
  readonly codec: StoreCodec<K, V>
  readonly state: SessionState
  readonly closer: ClosingStore<K, V>
}

/**
 * What the DSL's aggregations ask of a session store beyond what users can (compare `WindowAccess`).
 *
 * @internal
 */
export interface SessionAccess<K, V> {
  readonly closer: ClosingStore<K, V>
  keyBytes(key: K): Uint8Array
  /** The sessions of a key that a record within the gap of both times meets, the earliest first. */
  meeting(keyBytes: Uint8Array, earliestEnd: number, latestStart: number): Iterable<readonly [Window, V]>
  removeAt(keyBytes: Uint8Array, window: Window): void
  /** Undefined deletes. */
  putAt(key: K, keyBytes: Uint8Array, window: Window, value: V | undefined): void
}

/** The internal form of a session store that `Stores`, or the DSL, has made. */
export function sessionAccess<K, V>(store: ReadOnlySessionStore<K, V>): SessionAccess<K, V> {
  return store as SessionHandle<K, V>
}

type Sessions<K, V> = StoreIterable<readonly [Windowed<K>, V]>

const latest = Number.MAX_SAFE_INTEGER

/** The reading half; alone it is the handle of `init`, queries and tests, and has no way to write. */
export class SessionReader<K, V> implements ReadOnlySessionStore<K, V> {
  readonly name: string

  constructor(protected readonly shared: SessionShared<K, V>) {
    this.name = shared.name
  }

  get closer(): ClosingStore<K, V> {
    return this.shared.closer
  }

  /** Refuses the operation when the handle may no longer be used. A reader always may. */
  protected check(): void {}

  /** Which keys a scan yields (W5). Undefined: all of them. */
  protected get ownsKey(): StoreAccess['ownsKey'] {
    return undefined
  }

  fetchSession(key: K, start: number, end: number): V | undefined {
    this.check()
    const { codec, state } = this.shared
    const keyBytes = codec.keyBytes(key)
    checkSession(this.name, start, end)
    const bytes = state.get(keyBytes, start, end)
    return bytes === undefined ? undefined : codec.value(bytes)
  }

  fetch(key: K): Sessions<K, V> {
    return this.#ofKey(key, { earliestEnd: 0, latestStart: latest, reverse: false })
  }

  backwardFetch(key: K): Sessions<K, V> {
    return this.#ofKey(key, { earliestEnd: 0, latestStart: latest, reverse: true })
  }

  fetchKeys(keyFrom: K | undefined, keyTo: K | undefined): Sessions<K, V> {
    return this.#ofKeys(keyFrom, keyTo, { earliestEnd: 0, latestStart: latest, reverse: false })
  }

  backwardFetchKeys(keyFrom: K | undefined, keyTo: K | undefined): Sessions<K, V> {
    return this.#ofKeys(keyFrom, keyTo, { earliestEnd: 0, latestStart: latest, reverse: true })
  }

  findSessions(key: K, earliestEnd: number, latestStart: number): Sessions<K, V> {
    return this.#ofKey(key, this.#span(earliestEnd, latestStart, false))
  }

  backwardFindSessions(key: K, earliestEnd: number, latestStart: number): Sessions<K, V> {
    return this.#ofKey(key, this.#span(earliestEnd, latestStart, true))
  }

  findSessionsKeys(
    keyFrom: K | undefined,
    keyTo: K | undefined,
    earliestEnd: number,
    latestStart: number,
  ): Sessions<K, V> {
    return this.#ofKeys(keyFrom, keyTo, this.#span(earliestEnd, latestStart, false))
  }

  backwardFindSessionsKeys(
    keyFrom: K | undefined,
    keyTo: K | undefined,
    earliestEnd: number,
    latestStart: number,
  ): Sessions<K, V> {
    return this.#ofKeys(keyFrom, keyTo, this.#span(earliestEnd, latestStart, true))
  }

  findSessionsTime(earliestEnd: number, latestEnd: number): Sessions<K, V> {
    this.check()
    if (!this.shared.byTime) {
      throw storeError(
        this.name,
        `The session store "${this.name}" keeps its sessions by key and cannot find them by time alone. ` +
          'Use Stores.inMemorySession, or findSessionsKeys(undefined, undefined, earliestEnd, latestStart).',
      )
    }
    const ends = { from: someMs(this.name, earliestEnd), to: someMs(this.name, latestEnd), reverse: false }
    return this.#read(() => this.#owned(this.shared.state.segments.ofKeys(everyKey, ends)))
  }

  #span(earliestEnd: number, latestStart: number, reverse: boolean): SessionSpan {
    return { earliestEnd: someMs(this.name, earliestEnd), latestStart: someMs(this.name, latestStart), reverse }
  }

  #ofKey(key: K, span: SessionSpan): MemoryIterable<readonly [Windowed<K>, V]> {
    this.check()
    const keyBytes = this.shared.codec.keyBytes(key)
    return this.#read(() => this.shared.state.ofKey(keyBytes, span))
  }

  #ofKeys(keyFrom: K | undefined, keyTo: K | undefined, span: SessionSpan) {
    this.check()
    const { codec, state } = this.shared
    const from = keyFrom === undefined ? undefined : codec.keyBytes(keyFrom)
    const to = keyTo === undefined ? undefined : codec.keyBytes(keyTo)
    return this.#read(() => this.#owned(state.ofKeys(from, to, span)))
  }

  #read(entries: () => Iterable<ByteEntry>): MemoryIterable<readonly [Windowed<K>, V]> {
    return new MemoryIterable(() => this.#checked(entries()))
  }

  #owned(entries: Iterable<ByteEntry>): Iterable<ByteEntry> {
    const { ownsKey } = this
    return ownsKey === undefined ? entries : this.#filtered(entries, ownsKey)
  }

  *#filtered(entries: Iterable<ByteEntry>, ownsKey: NonNullable<StoreAccess['ownsKey']>): Generator<ByteEntry> {
    const { codec, state } = this.shared
    for (const entry of entries) if (ownsKey(codec.laneBytes(state.layout.keyOf(entry[0])))) yield entry
  }

  *#checked(entries: Iterable<ByteEntry>): Generator<readonly [Windowed<K>, V]> {
    const { codec, state } = this.shared
    this.check()
    for (const [stored, value] of entries) {
      const window = { start: state.layout.tailOf(stored), end: state.layout.timeOf(stored) }
      yield [{ key: codec.key(state.layout.keyOf(stored)), window }, codec.value(value)]
      this.check()
    }
  }
}

/** The handle of one callback: reads and writes until that callback has settled (L10). */
export class SessionHandle<K, V> extends SessionReader<K, V> implements SessionStore<K, V>, SessionAccess<K, V> {
  constructor(
    shared: SessionShared<K, V>,
    private readonly access: StoreAccess,
  ) {
    super(shared)
  }

  protected override check(): void {
    this.access.check()
  }

  protected override get ownsKey(): StoreAccess['ownsKey'] {
    return this.access.ownsKey
  }

  keyBytes(key: K): Uint8Array {
    this.check()
    return this.shared.codec.keyBytes(key, this.access)
  }

  *meeting(keyBytes: Uint8Array, earliestEnd: number, latestStart: number): Generator<readonly [Window, V]> {
    const { codec, state } = this.shared
    for (const [stored, value] of state.ofKeyDisjoint(keyBytes, earliestEnd, latestStart)) {
      yield [{ start: state.layout.tailOf(stored), end: state.layout.timeOf(stored) }, codec.value(value)]
    }
  }

  removeAt(keyBytes: Uint8Array, { start, end }: Window): void {
    this.shared.state.remove(keyBytes, start, end, this.access)
  }

  putAt(key: K, keyBytes: Uint8Array, { start, end }: Window, value: V | undefined): void {
    const valueBytes = value === undefined ? undefined : this.shared.codec.valueBytes(value)
    this.shared.state.put({ key, keyBytes, start, end, valueBytes }, this.access)
  }

  put(session: Windowed<K>, value: V | undefined): void {
    this.check()
    if (value === null) {
      throw storeError(
        this.name,
        `The value for the session store "${this.name}" is null. To delete a session, put undefined or call remove.`,
      )
    }
    const { codec, state } = this.shared
    const { key, window } = session
    const keyBytes = codec.keyBytes(key)
    checkSession(this.name, window.start, window.end)
    const valueBytes = value === undefined ? undefined : codec.valueBytes(value)
    state.put({ key, keyBytes, start: window.start, end: window.end, valueBytes }, this.access)
  }

  remove({ key, window }: Windowed<K>): void {
    this.check()
    const { codec, state } = this.shared
    const keyBytes = codec.keyBytes(key)
    checkSession(this.name, window.start, window.end)
    state.remove(keyBytes, window.start, window.end, this.access)
  }
}

/** Refuses what Kafka's SessionWindow refuses. */
function checkSession(store: string, start: number, end: number): void {
  if (Number.isSafeInteger(start) && Number.isSafeInteger(end) && start >= 0 && end >= start) return
  const problem =
    end < start ? 'endMs time cannot be smaller than window startMs time' : 'startMs time cannot be negative'
  throw storeError(
    store,
    `A session of the store "${store}" cannot be [${start}, ${end}]: Window ${problem}. Give whole ms, 0 ≤ start ≤ end.`,
  )
}

/** One end of a span; it may lie anywhere, also at ±Infinity. */
function someMs(store: string, value: number): number {
  if (typeof value === 'number' && !Number.isNaN(value)) return value
  throw storeError(store, `The store "${store}" was asked for sessions up to or from ${value}. Give a number of ms.`)
}
