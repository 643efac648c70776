import type {
  DocumentGenerator,
  SerdeRef,
  SideDeclaration,
  SourceNode,
  TopologyDocument,
} from '../document/TopologyDocument.js'

/** Keys and values to send to a source in a test. */
export type Samples = Pick<DocumentGenerator, 'key' | 'value' | 'template'> & { readonly keys: readonly string[] }

/**
 * The test traffic of a source's first topic; without it, records made of serdes that say what they take.
 *
 * @returns undefined where nobody has said what a value looks like, as with JSON of a type of the user's
 */
export function samplesOf(source: SourceNode, document: TopologyDocument): Samples | undefined {
  const generator = document.generators.find(({ topic }) => topic === source.properties.topics[0])
  if (generator !== undefined) {
    const { key, value, template, phases } = generator
    return { key, value, template, keys: [...new Set(phases.flatMap((phase) => phase.keys))] }
  }
  const [key, value] = [plain(source.properties.key), plain(source.properties.value)]
  if (key === undefined || value === undefined) return undefined
  return { key, value, template: isText(value) ? 'text {n}' : 1, keys: isText(key) ? ['a', 'b'] : ['1', '2'] }
}

const NUMBERS: readonly string[] = ['long', 'integer', 'short', 'double', 'float']

const isText = (serde: SerdeRef) => serde.kind === 'built-in' && serde.name === 'string'

/** A side's serde where text or a number is all that it takes. */
function plain(side: SideDeclaration): SerdeRef | undefined {
  const serde = side.form === 'serde' ? side.serde : undefined
  if (serde?.kind !== 'built-in') return undefined
  return isText(serde) || NUMBERS.includes(serde.name) ? serde : undefined
}
