import { equalBytes } from '../model/bytes.js'
import { Headers } from '../model/Headers.js'
import { builtInSerdes } from '../serde/builtInSerdes.js'
import type { Deserializer, Serde } from '../serde/Serde.js'
import { sameValue } from './sameValue.js'

/** What people's keys are most often; the rest follows in its own order. */
const likeliest = ['string', 'json', 'long', 'integer']

/**
 * The first serde that does to every sample what the source's deserializer does, and back: it reads the same value,
 * and writes it as the very same bytes. Undefined when none does, or when there is nothing to try it on.
 */
export function faithfulSerde(
  samples: readonly Uint8Array[],
  deserializer: Deserializer<any>,
  topic: string,
  serdes: readonly Serde<any>[] = likeliestFirst(builtInSerdes),
): Serde<any> | undefined {
  if (samples.length === 0) return undefined
  return serdes.find((serde) => samples.every((bytes) => isFaithful(serde, bytes, deserializer, topic)))
}

function likeliestFirst(serdes: readonly Serde<any>[]): Serde<any>[] {
  const rank = ({ id }: Serde<any>) => (likeliest.includes(id) ? likeliest.indexOf(id) : likeliest.length)
  return [...serdes].sort((a, b) => rank(a) - rank(b))
}

function isFaithful(serde: Serde<any>, bytes: Uint8Array, deserializer: Deserializer<any>, topic: string): boolean {
  try {
    const value = serde.deserialize(topic, Headers.empty, bytes)
    if (!sameValue(value, deserializer.deserialize(topic, Headers.empty, bytes))) return false
    return equalBytes(serde.serialize(topic, Headers.empty, value), bytes)
  } catch {
    // A serde that cannot read or write the sample is not the one.
    return false
  }
}
