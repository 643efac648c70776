import { serdeById } from '../serde/builtInSerdes.js'
import type { CompiledNode } from '../topology/CompiledTopology.js'
import type { Fix, ValidationInput } from './Finding.js'
import { faithfulSerde } from './faithfulSerde.js'

type DeclareConsumed = Omit<Extract<Fix, { readonly kind: 'declare-consumed' }>, 'effect'>

/** A declaration for a source that only reads its keys: offered only when its serde is proven on every sample key. */
export function declareSource(input: ValidationInput, source: CompiledNode): DeclareConsumed | undefined {
  const samples = input.samples.get(source.name)?.keys ?? []
  const { keyForm, keyDeserializer, topics } = source.source ?? {}
  if (keyForm === 'serde' || keyDeserializer === undefined) return undefined
  const keySerde = faithfulSerde(samples, keyDeserializer, topics?.[0] ?? source.name, input.serdes)?.id
  if (keySerde === undefined) return undefined
  const valueSerde = valueSerdeOf(input, source)
  return {
    kind: 'declare-consumed',
    source: source.name,
    keySerde,
    valueSerde,
    title: `Declare Consumed.with(${keySerde}, ${valueSerde}) on ${source.name}`,
  }
}

/** A full serde in the place of the value's deserializer is what the user means; else JSON, the usual one. */
function valueSerdeOf(input: ValidationInput, { source, value }: CompiledNode): string {
  const readBy = source?.valueDeserializer?.id ?? value.serde?.id
  const known = input.serdes ?? []
  return readBy !== undefined && (serdeById(readBy) !== undefined || known.some((serde) => serde.id === readBy))
    ? readBy
    : 'json'
}
