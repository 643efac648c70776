import { useServices } from '../app/services.js'
import { useRun } from '../store/context.js'
import { Glyph } from '../ui/Glyph.js'
import '../ui/controls.css'
import './live.css'

/** In place of a live view that has nothing measured to show: says what it would show and how to get there. */
export function LiveEmpty(props: { readonly shows: string; readonly because?: string }) {
  const { run: actions } = useServices()
  const run = useRun((state) => state.run)
  const starting = useRun((state) => state.starting)
  const running = run !== null && run.endedAt === null
  const because = props.because ?? (running ? 'The run has sent no frame yet.' : 'Nothing has run yet.')
  return (
    <div className="live-empty">
      <p>
        <b>{because}</b> {props.shows}
      </p>
      {!running && (
        <button type="button" className="button lined small" disabled={starting} onClick={() => void actions.start()}>
          <Glyph name="play" size={14} /> Run
        </button>
      )}
    </div>
  )
}
