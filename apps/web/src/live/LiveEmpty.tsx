import type { RunSummary } from '@lanescope/shared'
import { useRun } from '../store/context.js'
import './live.css'

/** In place of a live view that has nothing measured to show: says what it would show and how to get there. */
export function LiveEmpty(props: { readonly shows: string; readonly because?: string }) {
  const run = useRun((state) => state.run)
  const because = props.because ?? becauseOf(run)
  return (
    <div className="live-empty">
      <p>
        <b>{because}</b> {props.shows}
      </p>
    </div>
  )
}

function becauseOf(run: RunSummary | null): string {
  if (run === null) return 'Nothing has run yet.'
  return run.endedAt === null ? 'The run has sent no frame yet.' : 'The run ended before it sent a frame.'
}
