import { serdeById } from '../../serde/builtInSerdes.js'
import type { Serde } from '../../serde/Serde.js'
import type { SideDeclaration } from '../Consumed.js'
import { type FoundSerde, foundOne, type SerdeSearch } from './SerdeSearch.js'

/** The serde that a source declares for one side; undefined when it only reads, or leaves it to the default. */
export function declaredSerde(side: SideDeclaration<any>, node: string): FoundSerde | undefined {
  if (side.form === 'serde') return { serde: side.serde, by: 'Consumed', node }
  if (side.form !== 'deserializer' || side.deserializer.id !== byteArrayId) return undefined
  return { serde: serdeById(byteArrayId) as Serde<any>, by: 'deserializer', node }
}

/** What a walk upstream finds at a source. */
export function searchSource(side: SideDeclaration<any>, node: string): SerdeSearch {
  const declared = declaredSerde(side, node)
  if (declared !== undefined) return foundOne(declared)
  return { found: [], notes: [{ by: 'Consumed', node, verdict: 'not-declared' }] }
}

/** T4: a key read as bytes is written as the same bytes, so this deserializer says it all. */
const byteArrayId = 'byteArray'
