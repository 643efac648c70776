import { list } from '../../serde/list.js'
import type { Serde } from '../../serde/Serde.js'
import { type ValueTimestampHeaders, valueTimestampHeaders } from '../../serde/valueTimestampHeaders.js'
import { Stores } from '../../state/builders/Stores.js'
import type { StoreBuilder, StoreEnvironment, StoreInstance } from '../../state/StoreBuilder.js'
import type { KeyValueStore, ReadOnlyKeyValueStore } from '../../state/stores.js'
import { type WaitingKey, waitingKey } from './waitingKey.js'

/** The records of one key and time, in the order in which they came. */
export type Buffered = readonly (ValueTimestampHeaders<any> | null)[]

type Buffer = KeyValueStore<WaitingKey<any>, Buffered>
export type ReadOnlyBuffer = ReadOnlyKeyValueStore<WaitingKey<any>, Buffered>

/** Keeps the stream's records of a join with a table until its grace is over: by time, then key. */
export class GraceBuffer implements StoreBuilder<Buffer, ReadOnlyBuffer> {
  readonly kind = 'key-value'
  readonly persistent = true
  readonly keySerde = undefined
  readonly valueSerde = undefined

  constructor(readonly name: string) {}

  storedKey(key: Serde<any>): Serde<any> {
    return waitingKey(key)
  }

  storedValue(value: Serde<any>): Serde<any> {
    return list(valueTimestampHeaders(value))
  }

  build(environment: StoreEnvironment): StoreInstance<Buffer, ReadOnlyBuffer> {
    return Stores.keyValue<WaitingKey<any>, Buffered>(this.name).build(environment)
  }
}
