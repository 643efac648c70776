import { readInt32, writeInt32 } from '../../serde/int64.js'
import type { Serde } from '../../serde/Serde.js'

const lengthBytes = 4

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

/** The least key above all that begin with this one; undefined where there is none. */
export function afterPrefix(prefix: Uint8Array): Uint8Array | undefined {
  for (let last = prefix.length - 1; last >= 0; last--) {
    if (prefix[last] === 0xff) continue
    const next = prefix.slice(0, last + 1)
    next[last] = (next[last] as number) + 1
    return next
  }
  return undefined
}

/** Writes a subscription's key, which is bytes already. Its lane is that of the foreign key. */
export const subscriptionKeySerde: Serde<Uint8Array> = {
  id: 'foreignKeySubscription',
  serialize: (_topic, _headers, key) => key,
  deserialize: (_topic, _headers, bytes) => bytes,
  laneBytes: (bytes) => bytes.subarray(lengthBytes, lengthBytes + readInt32(bytes, 0)),
}
