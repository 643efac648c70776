import { LaneKeySerializationException, StreamError } from '../../errors/index.js'
import { laneOf } from '../../lanes/murmur3.js'
import { Headers } from '../../model/Headers.js'
import { keyText } from '../../model/keyText.js'
import type { Record } from '../../model/Record.js'
import type { Serde } from '../../serde/Serde.js'
import type { CompiledBoundary } from '../../topology/CompiledTopology.js'
import { choosePlaces } from '../../topology/StreamPartitioner.js'
import type { SubTopologyRuntime } from './SubTopologyRuntime.js'

/** Where a record goes on behind a boundary, and the bytes that said so. */
export interface LaneBehind {
  readonly lane: number
  /** Null for a null key. */
  readonly keyBytes: Uint8Array | null
  readonly hashed: boolean
  /** Wrote `keyBytes`, all of them; undefined where only a part picks the lane (T3). */
  readonly serde?: Serde<any> | undefined
}

/**
 * Picks the lane behind a boundary: by the key's bytes as the boundary's serde writes them (L4), round-robin for a null
 * key (L3).
 *
 * @param place what the serde is told for a topic
 * @throws LaneKeySerializationException when the serde cannot write the key (B3)
 */
export function laneBehind(
  boundary: CompiledBoundary,
  place: string,
  record: Record<unknown, unknown>,
  target: SubTopologyRuntime,
): LaneBehind {
  if (record.key === null || record.key === undefined) return { keyBytes: null, lane: target.nextLane(), hashed: false }
  const { serde } = boundary.key
  const keyBytes = bytesOf(boundary, place, record)
  const lane = laneOf(keyBytes, target.laneCount)
  return { keyBytes, lane, hashed: true, serde: serde?.laneBytes === undefined ? serde : undefined }
}

/**
 * The lanes that a boundary's own partitioner picks (L9), one of them as a rule; none: the record is dropped (G3).
 * Undefined where there is no partitioner, or it leaves the choice to the key's hash.
 *
 * @throws StreamError PROCESSING_FAILED when it throws, or picks a lane that is not there
 */
export function chosenLanes(
  { partitioner, from, to }: CompiledBoundary,
  { key, value }: Record<unknown, unknown>,
  target: SubTopologyRuntime,
): readonly number[] | undefined {
  if (partitioner === undefined) return undefined
  try {
    return choosePlaces(partitioner, key, value, target.laneCount)
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new StreamError(
      `The partitioner of the boundary ${from} → ${to} failed for the key ${keyText(key)}: ${why}`,
      {
        code: 'PROCESSING_FAILED',
        kind: 'user',
        retriable: false,
        context: { node: to },
        cause,
      },
    )
  }
}

function bytesOf(boundary: CompiledBoundary, place: string, { key }: Record<unknown, unknown>): Uint8Array {
  const { serde } = boundary.key
  try {
    if (serde === undefined) throw new TypeError('no serde is declared for it')
    const written = serde.serialize(place, Headers.empty, key)
    return serde.laneBytes ? serde.laneBytes(written) : written
  } catch (cause) {
    throw new LaneKeySerializationException(
      `The key ${keyText(key)} cannot be written at the boundary ${boundary.from} → ${boundary.to}: ` +
        `${(cause instanceof Error ? cause.message : String(cause)).replace(/\.$/, '')}. Declare its serde upstream, or set default.key.serde.`,
      { node: boundary.to },
      cause,
    )
  }
}
