import type { Deserializer, Serde } from '../serde/Serde.js'
import { checkDuration } from './checkDuration.js'
import { checkName } from './checkName.js'
import type { TimestampExtractor } from './TimestampExtractor.js'
import { topologyError } from './topologyError.js'
import type { WatermarkStrategy } from './WatermarkStrategy.js'

/** How one side of a source is read: by a serde, which can write too, by a deserializer alone, or by the default. */
export type SideDeclaration<T> =
  | { readonly form: 'serde'; readonly serde: Serde<T> }
  | { readonly form: 'deserializer'; readonly deserializer: Deserializer<T> }
  | { readonly form: 'default' }

/** What a `Consumed` says, apart from the serdes. */
export interface ConsumedOptions {
  readonly name?: string
  readonly nulls: 'keep' | 'drop'
  readonly timestampExtractor?: TimestampExtractor<any, any>
  readonly watermark?: WatermarkStrategy
  readonly numberOfLanes?: number
  readonly maxAheadMs?: number
  readonly laneBy: 'key' | 'partition'
  readonly offsetReset?: 'earliest' | 'latest'
}

/**
 * How a source reads its topics. Immutable: each `with…` gives a new one.
 *
 * `K` and `V` include null, since a topic may hold null keys and values; `{ nulls: 'drop' }` drops such
 * records, counts them (G3) and types the nulls away.
 *
 * @example
 * Consumed.with(string, json<Order>()).withMaxAhead(hours(1)).withNumberOfLanes(8)
 */
export class Consumed<K, V> {
  private constructor(
    readonly key: SideDeclaration<NonNullable<K>>,
    readonly value: SideDeclaration<NonNullable<V>>,
    readonly options: ConsumedOptions,
  ) {}

  /** Declares both directions of key and value: the engine then knows how to write what it read (A1, B2, T4). */
  static with<K = any, V = any>(
    keySerde: Serde<K> | undefined,
    valueSerde: Serde<V> | undefined,
    options: { readonly nulls: 'drop' },
  ): Consumed<K, V>
  static with<K = any, V = any>(
    keySerde: Serde<K> | undefined,
    valueSerde: Serde<V> | undefined,
    options?: { readonly nulls?: 'keep' },
  ): Consumed<K | null, V | null>
  static with(
    keySerde: Serde<any> | undefined,
    valueSerde: Serde<any> | undefined,
    options: { readonly nulls?: 'keep' | 'drop' } = {},
  ): Consumed<any, any> {
    return new Consumed<any, any>(serdeSide(keySerde), serdeSide(valueSerde), {
      nulls: options.nulls ?? 'keep',
      laneBy: 'key',
    })
  }

  /**
   * Reads only: nothing says how keys and values are written. Timers and boundaries behind it fall back to the
   * default serde, which may write other bytes than the topic holds (A1). A full serde given here counts as its
   * reading half. A side left undefined is read by the default serde.
   */
  static deserializers<K = any, V = any>(
    keyDeserializer: Deserializer<K> | undefined,
    valueDeserializer: Deserializer<V> | undefined,
    options: { readonly nulls: 'drop' },
  ): Consumed<K, V>
  static deserializers<K = any, V = any>(
    keyDeserializer: Deserializer<K> | undefined,
    valueDeserializer: Deserializer<V> | undefined,
    options?: { readonly nulls?: 'keep' },
  ): Consumed<K | null, V | null>
  static deserializers(
    keyDeserializer: Deserializer<any> | undefined,
    valueDeserializer: Deserializer<any> | undefined,
    options: { readonly nulls?: 'keep' | 'drop' } = {},
  ): Consumed<any, any> {
    return new Consumed<any, any>(deserializerSide(keyDeserializer), deserializerSide(valueDeserializer), {
      nulls: options.nulls ?? 'keep',
      laneBy: 'key',
    })
  }

  /** @internal for the DSL, which merges two reads of one topic */
  static of(key: SideDeclaration<any>, value: SideDeclaration<any>, options: ConsumedOptions): Consumed<any, any> {
    return new Consumed<any, any>(key, value, options)
  }

  /** Names the source node. */
  static as<K = any, V = any>(name: string): Consumed<K | null, V | null> {
    return (Consumed.with(undefined, undefined) as Consumed<any, any>).withName(name)
  }

  /** Reads values by this deserializer and leaves the key as it is declared: nothing says how values are written. */
  withValueDeserializer<VR>(valueDeserializer: Deserializer<VR>): Consumed<K, VR | null> {
    return new Consumed<any, any>(this.key, deserializerSide(valueDeserializer), this.options)
  }

  /** Event time comes from this instead of the record's timestamp. */
  withTimestampExtractor(timestampExtractor: TimestampExtractor<K, V>): Consumed<K, V> {
    return this.but({ timestampExtractor })
  }

  /** How much older than the newest record of its partition a record may still be (W2). */
  withWatermarkStrategy(watermark: WatermarkStrategy): Consumed<K, V> {
    checkDuration("The watermark strategy's maxOutOfOrdernessMs", watermark.maxOutOfOrdernessMs, 0)
    return this.but({ watermark })
  }

  /** Lanes of the sub-topology that this source enters (L5). At least 1. */
  withNumberOfLanes(numberOfLanes: number): Consumed<K, V> {
    checkLanes(numberOfLanes)
    return this.but({ numberOfLanes })
  }

  /** Bounds how far ahead of the reference clock a record of this source may be, in ms (F2). */
  withMaxAhead(maxAheadMs: number): Consumed<K, V> {
    checkDuration("A source's maxAhead", maxAheadMs, 0)
    return this.but({ maxAheadMs })
  }

  /** Picks the lane by partition instead of key: keeps a partition's order, outside the affinity contract (L11). */
  laneBy(laneBy: 'key' | 'partition'): Consumed<K, V> {
    return this.but({ laneBy })
  }

  /**
   * Where a partition without a committed position is read from, in place of the application's `auto.offset.reset`.
   * Global and read-only stores are filled from the beginning: for them anything but `earliest` is refused (P2).
   */
  withOffsetResetPolicy(offsetReset: 'earliest' | 'latest'): Consumed<K, V> {
    if (offsetReset !== 'earliest' && offsetReset !== 'latest') {
      throw topologyError(`The offset reset policy is ${JSON.stringify(offsetReset)}: give earliest or latest.`)
    }
    return this.but({ offsetReset })
  }

  /** Names the source node in the DSL. */
  withName(name: string): Consumed<K, V> {
    checkName('node', name)
    return this.but({ name })
  }

  private but(changes: Partial<ConsumedOptions>): Consumed<K, V> {
    return new Consumed<K, V>(this.key, this.value, { ...this.options, ...changes })
  }
}

function serdeSide<T>(serde: Serde<T> | undefined): SideDeclaration<T> {
  return serde === undefined ? { form: 'default' } : { form: 'serde', serde }
}

function deserializerSide<T>(deserializer: Deserializer<T> | undefined): SideDeclaration<T> {
  return deserializer === undefined ? { form: 'default' } : { form: 'deserializer', deserializer }
}

/** @throws StreamError TOPOLOGY_INVALID for a lane count that is no integer of at least 1 */
export function checkLanes(numberOfLanes: number): void {
  if (Number.isSafeInteger(numberOfLanes) && numberOfLanes >= 1) return
  throw topologyError(`numberOfLanes must be an integer of at least 1; got ${numberOfLanes}.`)
}
