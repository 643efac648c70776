import type { WireRestore } from '@lanescope/shared'
import { formatOf } from '../../live/formatNumber.js'
import { amountWords, restoredShare, restoreUnderWay, stateHeadline, timeLeftWords } from '../../live/restoreWords.js'
import { useRun } from '../../store/context.js'
import './run-state.css'

/** Large over the canvas while a run does not just run: it starts, restores its state, or stops. */
export function RunStateCard() {
  const headline = useRun((state) => stateHeadline(state.run, state.starting))
  const restore = useRun((state) => restoreUnderWay(state.run))
  if (headline === null) return null
  return (
    <section className="run-state-card" aria-label="State of the run" role="status">
      <h2>{headline}</h2>
      {restore === null ? (
        <p className="run-state-why">{WHY[headline] ?? ''}</p>
      ) : (
        <>
          <p className="run-state-why">
            {amountWords(restore)} read; {timeLeftWords(restore)}. Nothing is read and no timer fires before it is
            whole.
          </p>
          <Bar share={restoredShare(restore)} />
          <RestoreParts restore={restore} />
        </>
      )}
    </section>
  )
}

const WHY: { readonly [headline: string]: string } = {
  Starting: 'Nothing is known of it yet: it opens its topics and its state.',
  Stopping: 'What is under way settles, then the last epoch is committed.',
}

function RestoreParts({ restore }: { readonly restore: WireRestore }) {
  const waiting = restore.stores - restore.parts.length
  return (
    <table className="restore-parts" aria-label="Stores that are restored">
      <thead>
        <tr>
          <th>Store</th>
          <th>Read</th>
          <th>Left</th>
          <th aria-label="Share" />
        </tr>
      </thead>
      <tbody>
        {restore.parts.map((part) => (
          <tr key={part.store}>
            <td className="mono">{part.store}</td>
            <td>{amountWords(part)}</td>
            <td>{timeLeftWords(part)}</td>
            <td>
              <Bar share={restoredShare(part)} />
            </td>
          </tr>
        ))}
        {waiting > 0 && (
          <tr className="ink-3">
            <td colSpan={4}>
              {formatOf(waiting, 'store waits', 'stores wait')} for {waiting === 1 ? 'its' : 'their'} turn
            </td>
          </tr>
        )}
      </tbody>
    </table>
  )
}

function Bar({ share }: { readonly share: number }) {
  return (
    <span className="restore-bar" aria-hidden="true">
      <i style={{ width: `${share * 100}%` }} />
    </span>
  )
}
