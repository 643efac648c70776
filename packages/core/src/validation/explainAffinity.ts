import { StreamError } from '../errors/StreamError.js'
import type { Deserializer } from '../serde/Serde.js'
import type { CompiledTopology, ResolvedSerde } from '../topology/CompiledTopology.js'
import type { ByteProof } from './Finding.js'
import { laneEntries } from './laneEntries.js'
import { proveKeys, type UnprovenKey } from './proveKeys.js'

/** How a corpus of keys fares at one lane count. */
export interface AffinityAt {
  readonly laneCount: number
  /** Keys whose timers leave their records' lane. */
  readonly split: number
  /** Keys whose two encodings differ and share a lane. */
  readonly luck: number
  /** Keys whose two encodings are the same bytes. */
  readonly same: number
  /** In the order of the keys. */
  readonly proofs: readonly ByteProof[]
}

export interface AffinityExplanation {
  readonly processor: string
  /** Where its records get their lane: a source, or the child side of a boundary. */
  readonly lanedAt: string
  readonly timerKey: ResolvedSerde
  /** One for each lane count asked for, in that order. */
  readonly at: readonly AffinityAt[]
  /** Keys that cannot be read or written. */
  readonly unproven: readonly UnprovenKey[]
}

/**
 * Judges a corpus of keys offline: for each lane count, how many keys' timers would leave their records' lane, and
 * how many stay by luck (A7).
 *
 * @param rawKeys what lanes the records: raw key bytes of the source, or what the boundary in front of it writes
 * @param laneCounts each at least 1
 * @throws StreamError ILLEGAL_STATE when the processor has no timer key (T4, A9)
 */
export function explainAffinity(
  topology: CompiledTopology,
  processor: string,
  rawKeys: readonly Uint8Array[],
  laneCounts: readonly number[],
): AffinityExplanation {
  const { timerKey } = topology.node(processor)
  if (timerKey === undefined) {
    throw new StreamError(
      `"${processor}" has no timer key: it declares no timers, and no two sources or boundaries feed its store. Name a timer processor.`,
      {
        code: 'ILLEGAL_STATE',
        kind: 'user',
        retriable: false,
        context: { node: processor },
      },
    )
  }
  const { lanedAt, topic, deserializer } = entryOf(topology, processor)
  const judged = laneCounts.map((laneCount) => proveKeys({ topic, keys: rawKeys, deserializer, timerKey, laneCount }))
  return {
    processor,
    lanedAt,
    timerKey,
    at: judged.map(({ proofs }, index) => count(laneCounts[index] as number, proofs)),
    unproven: judged[0]?.unproven ?? [],
  }
}

function entryOf(
  topology: CompiledTopology,
  processor: string,
): { lanedAt: string; topic: string; deserializer: Deserializer<any> | undefined } {
  const [entry] = laneEntries(topology, processor)
  if (entry === undefined) return { lanedAt: processor, topic: processor, deserializer: undefined }
  if (entry.kind === 'boundary') {
    return { lanedAt: entry.boundary.to, topic: entry.boundary.to, deserializer: entry.boundary.key.deserializer }
  }
  const { name, source } = entry.source
  return { lanedAt: name, topic: source?.topics[0] ?? name, deserializer: source?.keyDeserializer }
}

function count(laneCount: number, proofs: readonly ByteProof[]): AffinityAt {
  const of = (verdict: ByteProof['verdict']) => proofs.filter((proof) => proof.verdict === verdict).length
  return { laneCount, split: of('split'), luck: of('agrees-by-luck'), same: of('same-bytes'), proofs }
}
