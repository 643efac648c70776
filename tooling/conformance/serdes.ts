import type { Headers, Serde } from '@lanescope/core'
import * as core from '@lanescope/core'
import type { SerdeWord } from './CaseFile.js'
import { type Json, UnknownWord, word } from './strict.js'
import { checkSerdeWord, timeOf } from './values.js'

/** What `picky` throws; a user's own serde may throw anything. */
class SerializationException extends Error {
  override readonly name = 'SerializationException'
}

/** Any int64: a number where one is exact, else a bigint. Their serdes write the same bytes. */
const long: Serde<number | bigint> = {
  id: 'long',
  serialize(topic, headers, value) {
    return typeof value === 'bigint'
      ? core.bigint.serialize(topic, headers, value)
      : core.long.serialize(topic, headers, value)
  },
  deserialize(topic, headers, bytes) {
    if (bytes.length !== 8) return core.long.deserialize(topic, headers, bytes)
    const value = core.bigint.deserialize(topic, headers, bytes)
    return Number.isSafeInteger(Number(value)) ? Number(value) : value
  },
}

const picky: Serde<string> = {
  id: 'picky',
  serialize(topic: string, headers: Headers, value: string) {
    if (value === 'bad') throw new SerializationException('cannot write bad')
    return core.string.serialize(topic, headers, value)
  },
  deserialize(topic: string, headers: Headers, bytes: Uint8Array) {
    const text = core.string.deserialize(topic, headers, bytes)
    if (text === 'bad') throw new SerializationException('cannot read bad')
    return text
  },
}

const plain: { readonly [word: string]: Serde<any> } = {
  string: core.string,
  long,
  integer: core.integer,
  short: core.short,
  double: core.double,
  float: core.float,
  boolean: core.boolean,
  byteArray: core.byteArray,
  bytes: core.bytes,
  byteBuffer: core.byteBuffer,
  uuid: core.uuid,
  void: core.voidSerde,
  picky,
}

/** The serde that a word of a case means. */
export function serdeOf(serde: SerdeWord): Serde<any> {
  if (typeof serde === 'string') return word(plain, serde, 'serde')
  checkSerdeWord(serde)
  if (serde.list !== undefined) {
    if (serde.class !== undefined && serde.class !== 'linkedList' && serde.class !== 'arrayList') {
      throw new UnknownWord(`Unknown class of a list "${serde.class}".`)
    }
    return core.list(serdeOf(serde.list as SerdeWord))
  }
  if (serde.timeWindowed !== undefined) {
    return core.windowed(serdeOf(serde.timeWindowed as SerdeWord), timeOf(serde.size))
  }
  return core.sessionWindowed(serdeOf(serde.sessionWindowed as SerdeWord))
}

/** The serde of an option, undefined when the case declares none. */
export function declaredSerde(serde: Json | undefined): Serde<any> | undefined {
  return serde === undefined ? undefined : serdeOf(serde as SerdeWord)
}
