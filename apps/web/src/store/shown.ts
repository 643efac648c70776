import { type ByteProof, byteProof } from '@lanescope/core'
import type { AnalysedFinding } from '@lanescope/shared'
import { useMemo } from 'react'
import { encodeKey, encodingOf, proofAt } from '../model/byteProof.js'
import { useFindings, useView } from './context.js'

/** Parameters of the view that a shown proof depends on; they stand in the link. */
export const PROOF_KEY = 'proof-key'
export const PROOF_LANES = 'proof-lanes'
export const PROOF_BYTES = 'proof-bytes'

const NONE: readonly AnalysedFinding[] = []

/** Findings of the newest analysis, in its order. */
export function useAllFindings(): readonly AnalysedFinding[] {
  return useFindings((state) => state.analysis?.findings ?? NONE)
}

/** The finding that is selected, while it still holds. */
export function useShownFinding(): AnalysedFinding | undefined {
  const id = useView((state) => state.findingId)
  return useAllFindings().find((finding) => finding.id === id)
}

/**
 * A key that no sample holds. The link carries its record bytes in hex, and the timer's after a slash where the
 * finding's proofs do not tell how timer keys are written.
 */
export function pastedProof(
  proofs: readonly ByteProof[],
  key: string,
  bytes: string | undefined,
  laneCount: number,
): ByteProof | undefined {
  const [record, timer] = (bytes ?? '').split('/')
  const how = encodingOf(proofs, 'timerBytes')
  const recordBytes = record ? encodeKey(record, 'hex') : undefined
  const timerBytes = timer ? encodeKey(timer, 'hex') : how && encodeKey(key, how)
  return recordBytes && timerBytes ? byteProof(key, recordBytes, timerBytes, laneCount) : undefined
}

/** The proof that panel and canvas show for the selected finding: of its sample, or of a pasted key. */
export function useShownProof(finding: AnalysedFinding | undefined): ByteProof | undefined {
  const key = useView((state) => state.params[PROOF_KEY])
  const lanes = useView((state) => state.params[PROOF_LANES])
  const bytes = useView((state) => state.params[PROOF_BYTES])
  return useMemo(() => {
    const proofs = finding?.proofs ?? []
    const sample = proofs.find((proof) => proof.key === key)
    const first = sample ?? proofs.find((proof) => proof.verdict === 'split') ?? proofs[0]
    if (!first) return undefined
    const laneCount = Number(lanes) >= 1 ? Number(lanes) : first.laneCount
    const pasted = key !== undefined && !sample ? pastedProof(proofs, key, bytes, laneCount) : undefined
    return pasted ?? proofAt(first, laneCount)
  }, [finding, key, lanes, bytes])
}
