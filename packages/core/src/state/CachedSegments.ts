import { compareBytes, equalBytes, toHex } from '../model/bytes.js'
import { ByTimeLayout, type EntryLayout, type KeySpan, type TimeSpan } from './entryLayout.js'
import type { ByteEntry } from './OrderedByteStore.js'
import { segmentIdOf, segmentIntervalOf } from './retention.js'
import { type SegmentedPut, type SegmentedSettings, SegmentedState } from './SegmentedState.js'
import type { StoreAccess, StoreEnvironment } from './StoreBuilder.js'

interface Cached {
  readonly stored: Uint8Array
  readonly time: number
  readonly value: Uint8Array
  /** How long the name of the topic is that its record came from. */
  readonly topicLength: number
}

/** What an entry takes in Kafka Streams' cache besides its key, its value and the name of its topic: links, segment, context. */
const entryBytes = 53

/**
 * Kafka Streams' record cache above a window or session store, as far as anybody can tell that it is there: what is in it is read
 * whatever its age (`kafka-streams.md` A.2, A.8). Only the test driver has it, where that loss is emulated.
 */
export class CachedSegments extends SegmentedState {
  /** By the bytes of the key, in hex; what was used longest ago comes first. */
  readonly #cached = new Map<string, Cached>()
  #bytes = 0
  readonly #intervalMs: number
  readonly #sendsOn: boolean

  constructor(
    settings: SegmentedSettings,
    layout: EntryLayout,
    environment: StoreEnvironment,
    private readonly maxBytes: number,
  ) {
    super(settings, layout, environment)
    this.#intervalMs = segmentIntervalOf(settings.retentionMs)
    this.#sendsOn = environment.cacheSendsOn === true
  }

  override get(time: number, stored: Uint8Array): Uint8Array | undefined {
    const id = toHex(stored)
    const hit = this.#cached.get(id)
    if (hit === undefined) return super.get(time, stored)
    this.#cached.delete(id)
    this.#cached.set(id, hit)
    return hit.value
  }

  override put(put: SegmentedPut, access: StoreAccess): boolean {
    const { stored, time, valueBytes } = put
    // What is not there an operator deletes in the cache alone: the store below does not hear of it, nor of the time.
    if (valueBytes === undefined && this.#sendsOn && this.get(time, stored) === undefined) return true
    const readable = super.put(put, access)
    this.#forget(toHex(stored))
    if (valueBytes === undefined) return readable
    this.#keep({ stored, time, value: valueBytes, topicLength: access.cause()?.topic.length ?? 0 })
    return readable || this.#cached.has(toHex(stored))
  }

  override remove(time: number, stored: Uint8Array): void {
    super.remove(time, stored)
    this.#forget(toHex(stored))
  }

  /** Takes an entry in as the newest; the oldest go for it. */
  #keep(cached: Cached): void {
    this.#cached.set(toHex(cached.stored), cached)
    this.#bytes += sizeOf(cached)
    for (const oldest of this.#cached.keys()) {
      if (this.#bytes <= this.maxBytes) break
      this.#forget(oldest)
    }
  }

  override *ofKey(keyBytes: Uint8Array, times: TimeSpan): Generator<ByteEntry> {
    const isOf = (stored: Uint8Array) => equalBytes(this.layout.keyOf(stored), keyBytes)
    yield* this.#merged(super.ofKey(keyBytes, times), times, isOf)
  }

  override *ofKeys(keys: KeySpan, times: TimeSpan): Generator<ByteEntry> {
    const isOf = (stored: Uint8Array) => {
      const key = this.layout.keyOf(stored)
      const { from, to } = keys
      return (from === undefined || compareBytes(key, from) >= 0) && (to === undefined || compareBytes(key, to) <= 0)
    }
    yield* this.#merged(super.ofKeys(keys, times), times, isOf)
  }

  #forget(id: string): void {
    const cached = this.#cached.get(id)
    if (cached === undefined) return
    this.#cached.delete(id)
    this.#bytes -= sizeOf(cached)
  }

  /** What the store gives and what the cache has, in the store's order; the cache knows better. */
  #merged(below: Iterable<ByteEntry>, times: TimeSpan, isOf: (stored: Uint8Array) => boolean): ByteEntry[] {
    const { from, to, reverse } = times
    const entries = [...below].filter(([stored]) => !this.#cached.has(toHex(stored)))
    for (const { stored, time, value } of this.#cached.values()) {
      if (time >= from && time <= to && time >= 0 && isOf(stored)) entries.push([stored, value])
    }
    const sorted = entries.sort(([a], [b]) => this.#order(a, b))
    return reverse ? sorted.reverse() : sorted
  }

  /** By time, then key; where the key comes first, by segment, then key, then time. */
  #order(a: Uint8Array, b: Uint8Array): number {
    const { layout } = this
    if (layout instanceof ByTimeLayout) {
      return layout.timeOf(a) - layout.timeOf(b) || compareBytes(layout.keyOf(a), layout.keyOf(b))
    }
    const segmentOf = (stored: Uint8Array) => segmentIdOf(layout.timeOf(stored), this.#intervalMs)
    return segmentOf(a) - segmentOf(b) || compareBytes(a, b)
  }
}

function sizeOf({ stored, value, topicLength }: Cached): number {
  return stored.length + value.length + topicLength + entryBytes
}
