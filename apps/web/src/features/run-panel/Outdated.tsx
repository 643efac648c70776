import { fingerprintOf } from '@lanescope/shared'
import { useMemo } from 'react'
import { useServices } from '../../app/services.js'
import { useProject, useRun } from '../../store/context.js'
import { Glyph } from '../../ui/Glyph.js'

/** Whether the run that lives was made from an older state of the project than the one that is drawn. */
function useOutdated(): boolean {
  const begun = useRun((state) => (state.run?.endedAt === null ? (state.run.fingerprint ?? null) : null))
  const workspace = useProject((state) => (begun === null ? null : state.workspace))
  const now = useMemo(() => (workspace === null ? null : fingerprintOf(workspace)), [workspace])
  return begun !== null && now !== null && begun !== now
}

/** In the bar, in every mode: edits do not reach a run that goes on. */
export function OutdatedButton() {
  const { run } = useServices()
  if (!useOutdated()) return null
  return (
    <button
      type="button"
      className="button small caution run-outdated"
      title="The run is older than the drawing: your edits take effect with the next run"
      onClick={() => void run.restart()}
    >
      <Glyph name="redo" size={13} /> Restart<span> with your edits</span>
    </button>
  )
}

/** The same, in a sentence, over the run's figures. */
export function OutdatedNote() {
  const { run } = useServices()
  if (!useOutdated()) return null
  return (
    <div className="run-note">
      <p>
        <b>The run is older than the drawing.</b> What you have edited since takes effect with the next run.
      </p>
      <button type="button" className="button lined small" onClick={() => void run.restart()}>
        Restart
      </button>
    </div>
  )
}
