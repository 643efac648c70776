import type { EngineState } from '@lanescope/core'
import { stateHeadline } from '../../live/restoreWords.js'
import { useProject, useRun, useView } from '../../store/context.js'
import type { SaveState } from '../../store/projectStore.js'
import { useCommands } from '../commands/useCommands.js'

const SAYS: { readonly [state in SaveState]: string } = {
  nothing: 'Nothing to save',
  saved: 'Saved',
  unsaved: 'Not saved yet',
  saving: 'Saving…',
  conflict: 'Changed elsewhere',
  failed: 'Not saved',
}

const RUN_SAYS: { readonly [state in EngineState]?: string } = {
  running: 'Running',
  stopped: 'Stopped',
  failed: 'Stopped by an error',
}

/** Which project this is, and where its last edit is. */
export function ProjectName() {
  const projectId = useProject((state) => state.projectId)
  const name = useProject((state) => state.workspace.document.name)
  const saveState = useProject((state) => state.saveState)
  const message = useProject((state) => state.saveMessage)
  const live = useView((state) => state.mode === 'live')
  const runState = useRun((state) => state.run?.state)
  const headline = useRun((state) => stateHeadline(state.run, state.starting))
  const set = useView((state) => state.set)
  const commands = useCommands()
  const runs = live && saveState === 'saved' && runState !== undefined
  const running = live && saveState === 'saved' ? (headline ?? (runs ? RUN_SAYS[runState] : undefined)) : undefined
  const troubled = saveState === 'conflict' || saveState === 'failed'
  return (
    <div className="project-name">
      <button
        type="button"
        className="project-switch"
        title="Open another project (Ctrl O)"
        onClick={() => commands.run('open-project')}
      >
        <b>{projectId ?? 'untitled'}</b>
        <span className="sep">/</span>
        <span className="topology-name">{projectId === null ? 'topology' : name}</span>
      </button>
      {troubled ? (
        <button
          type="button"
          className="save-state caution"
          title={message ?? undefined}
          onClick={() => saveState === 'conflict' && set({ overlay: 'conflict' })}
        >
          {SAYS[saveState]}
        </button>
      ) : (
        <span
          className={
            running === undefined ? 'save-state' : `save-state run-${headline === null ? runState : 'starting'}`
          }
          role="status"
          title={message ?? undefined}
        >
          {running ?? SAYS[saveState]}
        </span>
      )}
    </div>
  )
}
