import { StreamError } from '../../errors/index.js'
import { laneOf } from '../../lanes/murmur3.js'
import { Headers } from '../../model/Headers.js'
import { keyText } from '../../model/keyText.js'
import type { Record } from '../../model/Record.js'
import type { CompiledBoundary } from '../../topology/CompiledTopology.js'
import type { SubTopologyRuntime } from './SubTopologyRuntime.js'

/** Where a record goes on behind a boundary, and the bytes that said so. */
export interface LaneBehind {
  readonly lane: number
  /** Null for a null key, and where a partitioner picked the lane. */
  readonly keyBytes: Uint8Array | null
  readonly hashed: boolean
}

/**
 * Picks the lane behind a boundary: by the key's bytes as the boundary's serde writes them (L4), round-robin for a null
 * key (L3), or as a custom partitioner says (L9).
 *
 * @throws StreamError LANE_KEY_SERIALIZATION when the serde cannot write the key (B3); PROCESSING_FAILED when the
 * partitioner picks no lane
 */
export function laneBehind(
  boundary: CompiledBoundary,
  record: Record<unknown, unknown>,
  target: SubTopologyRuntime,
): LaneBehind {
  if (boundary.partitioner !== undefined) {
    const lane = boundary.partitioner(record.key, record.value, target.laneCount)
    if (!Number.isInteger(lane) || lane < 0 || lane >= target.laneCount) {
      throw noSuchLane(boundary, lane, target.laneCount)
    }
    return { keyBytes: null, lane, hashed: false }
  }
  if (record.key === null || record.key === undefined) return { keyBytes: null, lane: target.nextLane(), hashed: false }
  const keyBytes = bytesOf(boundary, record)
  return { keyBytes, lane: laneOf(keyBytes, target.laneCount), hashed: true }
}

function bytesOf(boundary: CompiledBoundary, { key }: Record<unknown, unknown>): Uint8Array {
  const { serde } = boundary.key
  try {
    if (serde === undefined) throw new TypeError('no serde is declared for it')
    const written = serde.serialize(`${boundary.from}-${boundary.to}`, Headers.empty, key)
    return serde.laneBytes ? serde.laneBytes(written) : written
  } catch (cause) {
    throw new StreamError(
      `The key ${keyText(key)} cannot be written at the boundary ${boundary.from} → ${boundary.to}: ` +
        `${cause instanceof Error ? cause.message : String(cause)}. Declare its serde upstream, or set default.key.serde.`,
      { code: 'LANE_KEY_SERIALIZATION', kind: 'user', retriable: false, context: { node: boundary.to }, cause },
    )
  }
}

function noSuchLane({ from, to }: CompiledBoundary, lane: number, laneCount: number): StreamError {
  return new StreamError(
    `The partitioner of the boundary ${from} → ${to} picked lane ${lane}; there are lanes 0 to ${laneCount - 1}. Return an integer of that range.`,
    { code: 'PROCESSING_FAILED', kind: 'user', retriable: false, context: { node: to } },
  )
}
