import { CodeWords } from '../ui/CodeWords.js'
import { Glyph } from '../ui/Glyph.js'
import { PlaceNumber } from '../ui/PlaceNumber.js'
import type { NodeFacts } from './flowModel.js'

/** Words around a node: the finding's numbered place above it, the lanes of the proven key beside it. */
export function NodeNotes(props: {
  readonly facts: NodeFacts
  readonly beside: string | undefined
  readonly error: string | undefined
  readonly live: boolean
}) {
  const { facts, beside, error, live } = props
  const { place, proof } = facts
  return (
    <>
      {place && (
        <div className="node-place">
          <PlaceNumber n={place.n} />
          <p>
            <CodeWords text={place.title} />
            <small>
              <CodeWords text={place.detail} />
            </small>
          </p>
        </div>
      )}
      {proof && !live && (
        <ul className="node-lanes">
          {proof.recordLane === proof.timerLane ? (
            <li className="flow">
              <Glyph name={proof.verdict === 'same-bytes' ? 'check' : 'arrow'} size={12} />
              {proof.key} records and timers on <b>lane {proof.recordLane}</b>
              {proof.verdict === 'agrees-by-luck' && <span className="caution"> by luck</span>}
            </li>
          ) : (
            <>
              <li className="flow">
                <Glyph name="arrow" size={12} />
                {proof.key} records on <b>lane {proof.recordLane}</b>
              </li>
              <li className="timer">
                <Glyph name="timer" size={12} />
                {proof.key} timers on <b>lane {proof.timerLane}</b>
              </li>
            </>
          )}
        </ul>
      )}
      {live && (error ?? beside) !== undefined && (
        <p className={error !== undefined ? 'node-beside danger' : 'node-beside caution'}>{error ?? beside}</p>
      )}
    </>
  )
}
