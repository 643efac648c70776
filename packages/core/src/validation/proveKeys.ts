import { Headers } from '../model/Headers.js'
import type { Deserializer, Serde } from '../serde/Serde.js'
import type { ResolvedSerde } from '../topology/CompiledTopology.js'
import { byteProof } from './byteProof.js'
import type { ByteProof } from './Finding.js'
import { keyText } from './keyText.js'

/** Keys as bytes, and all that is needed to write each again as a timer's key. */
export interface KeyCorpus {
  /** The topic that serdes are told. */
  readonly topic: string
  readonly keys: readonly Uint8Array[]
  readonly deserializer: Deserializer<any> | undefined
  readonly timerKey: ResolvedSerde
  readonly laneCount: number
}

/** A key that could not be read by the source, or not be written as a timer's key. */
export interface UnprovenKey {
  readonly bytes: Uint8Array
  readonly reason: string
}

export interface KeyProofs {
  readonly proofs: readonly ByteProof[]
  readonly unproven: readonly UnprovenKey[]
}

/** Reads every key as the source does, writes it as timers do, and holds the bytes side by side. Order kept. */
export function proveKeys({ topic, keys, deserializer, timerKey, laneCount }: KeyCorpus): KeyProofs {
  const proofs: ByteProof[] = []
  const unproven: UnprovenKey[] = []
  for (const bytes of keys) {
    try {
      if (deserializer === undefined) throw new Error('Nothing says how to read the key.')
      const key = deserializer.deserialize(topic, Headers.empty, bytes)
      proofs.push(byteProof(keyText(key), bytes, timerLaneBytes(topic, timerKey, key), laneCount))
    } catch (error) {
      unproven.push({ bytes, reason: error instanceof Error ? error.message : String(error) })
    }
  }
  return { proofs, unproven }
}

/** What picks a timer's lane; behind windows the inner key's bytes, whatever the window (T3). */
function timerLaneBytes(topic: string, timerKey: ResolvedSerde, key: unknown): Uint8Array {
  const serde = timerKey.serde as Serde<any> | undefined
  if (serde === undefined) throw new Error('Nothing says how to write the timer key.')
  const value = timerKey.windowed === true ? { key, window: { start: 0, end: 1 } } : key
  const bytes = serde.serialize(topic, Headers.empty, value)
  return serde.laneBytes === undefined ? bytes : serde.laneBytes(bytes)
}
