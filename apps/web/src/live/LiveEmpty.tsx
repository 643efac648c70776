import type { RunSummary } from '@lanescope/shared'
import { useRun } from '../store/context.js'
import { useLive } from './LiveProvider.js'
import { restoreUnderWay } from './restoreWords.js'
import './live.css'

/** In place of a live view that has nothing measured to show: says what it would show and how to get there. */
export function LiveEmpty(props: { readonly shows: string; readonly because?: string }) {
  const run = useRun((state) => state.run)
  const measured = useLive((state) => state.view?.frame != null) ?? false
  const because = props.because ?? becauseOf(run, measured)
  return (
    <div className="live-empty">
      <p>
        <b>{because}</b> {props.shows}
      </p>
    </div>
  )
}

function becauseOf(run: RunSummary | null, measured: boolean): string {
  if (run === null) return 'Nothing has run yet.'
  if (restoreUnderWay(run) !== null) return 'The run restores its state; it has read no record yet.'
  if (measured)
    return run.endedAt === null ? 'The run has read no record yet.' : 'The run ended before it read a record.'
  return run.endedAt === null ? 'The run has sent no frame yet.' : 'The run ended before it sent a frame.'
}
