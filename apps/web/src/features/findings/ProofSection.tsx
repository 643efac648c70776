import type { ByteProof } from '@lanescope/core'
import type { AnalysedFinding } from '@lanescope/shared'
import { useState } from 'react'
import { countSplits } from '../../model/byteProof.js'
import { chipText } from '../../model/chipText.js'
import { useFindings, useProject, useView } from '../../store/context.js'
import { PROOF_BYTES, PROOF_KEY, PROOF_LANES, useShownProof } from '../../store/shown.js'
import { Select } from '../../ui/Select.js'
import { ByteProofView } from './ByteProofView.js'
import { KeyCalculator } from './KeyCalculator.js'

const OTHER = '\0other'
const LANE_COUNTS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16, 18, 24, 32] as const

/** The byte proof of a finding: of a sample key or of one that is typed in, at any lane count. */
export function ProofSection(props: { readonly finding: AnalysedFinding }) {
  const { finding } = props
  const proof = useShownProof(finding)
  const setParam = useView((state) => state.setParam)
  const [asking, setAsking] = useState(false)
  const timerLabel = useFindings(
    (state) => state.analysis?.view.nodes.find((node) => node.nodeId === finding.nodeId)?.timerKey?.chip.label,
  )
  const byDeserializer = useProject((state) =>
    state.workspace.document.nodes.some(
      (node) => node.kind === 'source' && finding.nodeIds.includes(node.id) && node.properties.key.form !== 'serde',
    ),
  )
  const proofs = finding.proofs ?? []
  if (!proof) return null
  const keys = proofs.map((one) => one.key)
  const pasted = !keys.includes(proof.key)
  const own = proofs[0]?.laneCount ?? proof.laneCount
  const counts = [...new Set([...LANE_COUNTS, own, proof.laneCount])].sort((a, b) => a - b)
  const pick = (value: string) => {
    setAsking(value === OTHER)
    if (value === OTHER) return
    setParam(PROOF_BYTES, null)
    setParam(PROOF_KEY, value)
  }
  return (
    <section aria-label="Byte proof">
      <h3 className="panel-heading">
        Byte proof
        <span className="spring" />
        <Select
          label="Sample key"
          value={asking ? OTHER : proof.key}
          options={[
            ...keys.map((key) => ({ value: key, label: key })),
            ...(pasted ? [{ value: proof.key, label: proof.key }] : []),
            { value: OTHER, label: 'another key…' },
          ]}
          onChange={pick}
        />
        <Select
          label="Lane count"
          value={String(proof.laneCount)}
          options={counts.map((count) => ({ value: String(count), label: count === 1 ? '1 lane' : `${count} lanes` }))}
          onChange={(value) => setParam(PROOF_LANES, Number(value) === own ? null : value)}
        />
      </h3>
      {asking && <KeyCalculator proofs={proofs} onDone={() => setAsking(false)} />}
      <ByteProofView
        proof={proof}
        recordLabel={byDeserializer ? 'raw bytes' : 'written by'}
        timerLabel={chipText(timerLabel ?? '')}
      />
      <ProofCount finding={finding} proof={proof} />
    </section>
  )
}

function ProofCount(props: { readonly finding: AnalysedFinding; readonly proof: ByteProof }) {
  const { finding, proof } = props
  const proofs = finding.proofs ?? []
  const counted = countSplits(proofs, proof.laneCount)
  const lanes = proof.laneCount === 1 ? '1 lane' : `${proof.laneCount} lanes`
  return (
    <p className="proof-count">
      {counted.keys}:{' '}
      <b>
        {counted.split} of {counted.of} split
      </b>{' '}
      at {lanes}.{proof.agreesAt.length > 0 && ` ${proof.key} agrees by luck at ${listOf(proof.agreesAt)} lanes.`}
    </p>
  )
}

function listOf(counts: readonly number[]): string {
  const last = counts.at(-1)
  return counts.length < 2 ? `${last}` : `${counts.slice(0, -1).join(', ')} and ${last}`
}
