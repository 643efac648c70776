import { boolean } from './boolean.js'
import { byteArray, byteBuffer, bytes } from './byteArray.js'
import { json } from './json.js'
import { bigint, long } from './long.js'
import { double, float, integer, short } from './numbers.js'
import type { Serde } from './Serde.js'
import { string } from './string.js'
import { uuid } from './uuid.js'
import { voidSerde } from './voidSerde.js'

/** The serdes that a document, a config or a tool may name by id; `json` last. */
export const builtInSerdes: readonly Serde<any>[] = [
  string,
  long,
  bigint,
  integer,
  short,
  double,
  float,
  boolean,
  byteArray,
  bytes,
  byteBuffer,
  uuid,
  voidSerde,
  json<unknown>(),
]

/** The built-in serde of this id, such as `long` or `json`; undefined when there is none. Ids of composed serdes are not read. */
export function serdeById(id: string): Serde<any> | undefined {
  return builtInSerdes.find((serde) => serde.id === id)
}
