import { readInt32, writeInt32 } from '../../serde/int64.js'
import type { Serde } from '../../serde/Serde.js'

const lengthBytes = 4

/** What the keys of all subscriptions to a foreign key begin with. */
export function subscriptionPrefix(foreignKey: Uint8Array): Uint8Array {
  return subscriptionKey(foreignKey, new Uint8Array(0))
}

/** The key of a subscription: the length of the foreign key's bytes, these, and the primary key's (Kafka's order). */
export function subscriptionKey(foreignKey: Uint8Array, primaryKey: Uint8Array): Uint8Array {
  const key = new Uint8Array(lengthBytes + foreignKey.length + primaryKey.length)
  writeInt32(key, 0, foreignKey.length)
  key.set(foreignKey, lengthBytes)
  key.set(primaryKey, lengthBytes + foreignKey.length)
  return key
}

/** The primary key's bytes out of a subscription's key. */
export function primaryKeyOf(key: Uint8Array): Uint8Array {
  return key.subarray(lengthBytes + readInt32(key, 0))
}

/** Writes a subscription's key, which is bytes already. Its lane is that of the foreign key. */
export const subscriptionKeySerde: Serde<Uint8Array> = {
  id: 'foreignKeySubscription',
  serialize: (_topic, _headers, key) => key,
  deserialize: (_topic, _headers, bytes) => bytes,
  laneBytes: (bytes) => bytes.subarray(lengthBytes, lengthBytes + readInt32(bytes, 0)),
}
