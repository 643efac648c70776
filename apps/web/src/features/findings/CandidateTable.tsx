import type { SerdeCandidate } from '@lanescope/core'
import type { AnalysedFinding, ChipWithCandidates } from '@lanescope/shared'
import { Fragment } from 'react'
import { chipText } from '../../model/chipText.js'
import { useFindings, useProject } from '../../store/context.js'
import { Glyph } from '../../ui/Glyph.js'
import { PlaceNumber } from '../../ui/PlaceNumber.js'

const CALLS: { readonly [by in SerdeCandidate['by']]: string } = {
  Consumed: 'Consumed',
  Grouped: 'Grouped',
  Joined: 'Joined',
  Repartitioned: 'Repartitioned',
  Produced: 'Produced',
  Materialized: 'Materialized',
  store: 'store',
  deserializer: 'deserializer',
  'default.key.serde': 'default',
  'default.value.serde': 'default',
}

/** Where the timer key's serde was looked for, in that order, and what was found. */
export function CandidateTable(props: { readonly finding: AnalysedFinding }) {
  const { finding } = props
  const timerKey = useFindings(
    (state) => state.analysis?.view.nodes.find((node) => node.nodeId === finding.nodeId)?.timerKey,
  )
  const config = useProject((state) => state.workspace.config)
  if (!timerKey || timerKey.candidates.length === 0) return null
  return (
    <section aria-label="Timer key serde">
      <h3 className="panel-heading">
        Timer key serde
        <span className="spring" />
        <small>in the order looked at</small>
      </h3>
      <dl className="candidates">
        {timerKey.candidates.map((candidate) => (
          <Fragment key={`${candidate.by} ${candidate.node ?? ''}`}>
            <dt className={candidate.verdict === 'used' ? used(candidate) : ''}>
              <Glyph name={glyphOf(candidate.verdict)} size={12} />
              {CALLS[candidate.by]}
            </dt>
            <dd>
              <Verdict candidate={candidate} timerKey={timerKey} finding={finding} isSet={candidate.by in config} />
            </dd>
          </Fragment>
        ))}
      </dl>
    </section>
  )
}

const used = (candidate: SerdeCandidate) => (candidate.by.startsWith('default.') ? 'used caution' : 'used')

function glyphOf(verdict: SerdeCandidate['verdict']): 'check' | 'barred' | 'none' {
  if (verdict === 'used') return 'check'
  return verdict === 'past-key-change' || verdict === 'conflicting' ? 'barred' : 'none'
}

function Verdict(props: {
  readonly candidate: SerdeCandidate
  readonly timerKey: ChipWithCandidates
  readonly finding: AnalysedFinding
  readonly isSet: boolean
}) {
  const { candidate, timerKey, finding, isSet } = props
  const byDefault = candidate.by.startsWith('default.')
  const place = placeOf(finding, candidate, byDefault)
  const number = place > 0 && <PlaceNumber n={place} />
  switch (candidate.verdict) {
    case 'used':
      return (
        <span className={byDefault ? 'used-value caution' : 'used-value'}>
          <span className="mono">{chipText(candidate.serdeId ?? timerKey.chip.label)}</span>{' '}
          <span className="mono ink-3">
            {byDefault ? (isSet ? 'app.config.json' : 'engine default') : candidate.node && `on ${candidate.node}`}
          </span>{' '}
          {number}
        </span>
      )
    case 'not-declared':
      return (
        <>
          not declared
          {candidate.node && (
            <>
              {' '}
              on <b>{candidate.node}</b>
            </>
          )}{' '}
          {number}
        </>
      )
    case 'none-on-path':
      return <>none on the path</>
    case 'past-key-change':
      return <>past a key change{candidate.node && <> on {candidate.node}</>}</>
    case 'no-store-upstream':
      return <>no store upstream</>
    case 'conflicting':
      return <>two that disagree</>
    case 'not-reached':
      return <>not reached</>
  }
}

/** The number of the place on the path that this candidate is about; 0 for none. */
function placeOf(finding: AnalysedFinding, candidate: SerdeCandidate, byDefault: boolean): number {
  const wanted = byDefault && candidate.verdict === 'used' ? finding.node : candidate.node
  if (wanted === undefined || (candidate.verdict !== 'used' && candidate.verdict !== 'not-declared')) return 0
  return finding.places.findIndex((place) => place.node === wanted) + 1
}
