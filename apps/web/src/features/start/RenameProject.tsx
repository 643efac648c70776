import { projectNameProblem } from '@lanescope/shared'
import { type FormEvent, useId, useState } from 'react'
import { useServices } from '../../app/services.js'
import { RequestError } from '../../client/AgentClient.js'

/** Gives a project another name; what keeps it from that is said where the name is typed. */
export function RenameProject(props: { readonly projectId: string; readonly onDone: () => void }) {
  const { projectId, onDone } = props
  const { folders } = useServices()
  const problemId = useId()
  const [name, setName] = useState(projectId)
  const [refused, setRefused] = useState<string | null>(null)
  const problem = projectNameProblem(name) ?? refused ?? undefined
  const onSubmit = async (event: FormEvent) => {
    event.preventDefault()
    if (name === projectId) return onDone()
    try {
      await folders.rename(projectId, name)
      onDone()
    } catch (error) {
      if (!(error instanceof RequestError)) throw error
      setRefused(error.message)
    }
  }
  return (
    <form className="new-project" onSubmit={(event) => void onSubmit(event)}>
      <input
        className="input"
        aria-label={`New name of ${projectId}`}
        value={name}
        spellCheck={false}
        // biome-ignore lint/a11y/noAutofocus: the person asked to rename it
        autoFocus
        aria-invalid={problem !== undefined}
        aria-describedby={problem === undefined ? undefined : problemId}
        onFocus={(event) => event.currentTarget.select()}
        onChange={(event) => {
          setName(event.currentTarget.value)
          setRefused(null)
        }}
      />
      <button type="submit" className="button lined" disabled={problem !== undefined}>
        Rename
      </button>
      <button type="button" className="button" onClick={onDone}>
        Cancel
      </button>
      {problem !== undefined && (
        <p id={problemId} className="field-problem" role="alert">
          {problem}
        </p>
      )}
      <p className="project-hint">
        Its folder gets that name. Its <span className="mono">application.id</span> stays, and with it what its topics
        and state hold.
      </p>
    </form>
  )
}
