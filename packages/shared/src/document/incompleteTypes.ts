import type { Missing } from './problems.js'
import type { DocumentNode, TopologyDocument } from './TopologyDocument.js'
import { typeProblem } from './typeProblem.js'

/** What a message calls the fields that hold a serde. */
const SIDES: { readonly [field: string]: string } = {
  key: 'key',
  value: 'value',
  leftValue: 'left value',
  rightValue: 'right value',
  aggregateSerde: 'aggregates',
}

/** Each type that a node names: those of its serdes, of the edges into it and of the stores it uses. */
export function checkTypes(document: TopologyDocument, node: DocumentNode, missing: Missing): void {
  const say = (field: string, whose: string, type: string | undefined) => {
    const problem = type === undefined ? undefined : typeProblem(type)
    if (problem === undefined) return
    missing(field, `The type of ${whose}, "${type}", cannot be written. ${problem}`)
  }
  if (node.kind === 'source') {
    say('keyType', `the key of "${node.name}"`, node.properties.keyType)
    say('valueType', `the value of "${node.name}"`, node.properties.valueType)
  }
  for (const [field, side] of Object.entries(SIDES)) {
    const type = jsonTypeOf(Reflect.get(node.properties, field))
    // Of a source the serde's type follows the side's, and is wrong with it.
    if (node.kind === 'source' && type === Reflect.get(node.properties, `${field}Type`)) continue
    say(field, `the ${side} of "${node.name}"`, type)
  }
  for (const edge of document.edges) {
    if (edge.to === node.id) say('edges', `the values that go into "${node.name}"`, jsonTypeOf(edge.value))
  }
  if (node.kind !== 'processor') return
  for (const store of document.stores) {
    if (!node.properties.stores.includes(store.id)) continue
    for (const side of ['key', 'value'] as const)
      say('stores', `the ${side} of "${store.name}", a store of "${node.name}"`, jsonTypeOf(store[side]))
  }
}

/** The type of a JSON serde, or of one that a side declares. */
function jsonTypeOf(value: unknown): string | undefined {
  if (value === null || typeof value !== 'object') return undefined
  const { kind, type, serde, deserializer } = value as { readonly [field: string]: unknown }
  if (kind === 'json' && typeof type === 'string') return type
  return jsonTypeOf(serde) ?? jsonTypeOf(deserializer)
}
