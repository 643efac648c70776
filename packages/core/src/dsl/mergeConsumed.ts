import { Consumed, type SideDeclaration } from '../topology/Consumed.js'
import { topologyError } from '../topology/topologyError.js'

/**
 * Two reads of the same topics share one source: what the first leaves open, the second fills in.
 *
 * @throws StreamError TOPOLOGY_INVALID when both declare a side and the serdes differ
 */
export function mergeConsumed(node: string, first: Consumed<any, any>, second: Consumed<any, any>): Consumed<any, any> {
  const key = mergeSide(node, 'key', first.key, second.key)
  const value = mergeSide(node, 'value', first.value, second.value)
  return Consumed.of(key, value, { ...second.options, ...first.options })
}

function mergeSide(
  node: string,
  side: 'key' | 'value',
  first: SideDeclaration<any>,
  second: SideDeclaration<any>,
): SideDeclaration<any> {
  if (second.form === 'default') return first
  if (first.form === 'default') return second
  if (idOf(first) === idOf(second) && first.form === second.form) return first
  throw topologyError(
    `The source "${node}" is read twice, with different ${side} serdes: "${idOf(first)}" and "${idOf(second)}". ` +
      'Read the topic once, and use that stream twice.',
    { node },
  )
}

function idOf(side: SideDeclaration<any>): string | undefined {
  if (side.form === 'serde') return side.serde.id
  return side.form === 'deserializer' ? side.deserializer.id : undefined
}
