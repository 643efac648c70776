import { useState } from 'react'
import { useServices } from '../../app/services.js'
import { RequestError } from '../../client/AgentClient.js'
import { useConnection } from '../../store/context.js'

/** Asks once more, and says where the project goes and how it comes back. */
export function DeleteProject(props: { readonly projectId: string; readonly onDone: () => void }) {
  const { projectId, onDone } = props
  const { folders } = useServices()
  const folder = useConnection((state) => state.hello?.projectsFolder)
  const running = useConnection((state) => state.runs.some((run) => run.projectId === projectId))
  const [refused, setRefused] = useState<string | null>(null)
  const remove = async () => {
    try {
      await folders.remove(projectId)
      onDone()
    } catch (error) {
      if (!(error instanceof RequestError)) throw error
      setRefused(error.message)
    }
  }
  return (
    <fieldset className="delete-project" aria-label={`Delete ${projectId}`}>
      <p>
        Delete <b>{projectId}</b>? It moves to <span className="mono">{folder ?? 'the projects folder'}/.trash</span>,
        with its code, topics and state.
      </p>
      {running && <p className="field-problem">It is running; stop it first.</p>}
      {refused !== null && (
        <p className="field-problem" role="alert">
          {refused}
        </p>
      )}
      <div>
        <button
          type="button"
          className="button lined danger"
          disabled={running}
          // biome-ignore lint/a11y/noAutofocus: the question has the focus, and Esc takes it back
          autoFocus
          onClick={() => void remove()}
        >
          Delete
        </button>
        <button type="button" className="button" onClick={onDone}>
          Cancel
        </button>
      </div>
    </fieldset>
  )
}
