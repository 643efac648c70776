import { projectNameProblem } from '@lanescope/shared'
import { type FormEvent, useId, useState } from 'react'
import { useStartWays } from './useStartWays.js'

/** Names a new project and makes it. */
export function NewProject(props: { readonly onDone?: () => void }) {
  const ways = useStartWays()
  const problemId = useId()
  const [name, setName] = useState('')
  const problem = name === '' ? undefined : projectNameProblem(name)
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (name === '' || problem !== undefined) return
    ways.create(name)
    props.onDone?.()
  }
  return (
    <form className="new-project" onSubmit={onSubmit}>
      <input
        className="input"
        aria-label="Name of a new project"
        placeholder="Name of a new project"
        value={name}
        spellCheck={false}
        // biome-ignore lint/a11y/noAutofocus: the person asked for a new project
        autoFocus
        aria-invalid={problem !== undefined}
        aria-describedby={problem === undefined ? undefined : problemId}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <button type="submit" className="button lined" disabled={name === '' || problem !== undefined}>
        Create
      </button>
      {problem !== undefined && (
        <p id={problemId} className="field-problem" role="alert">
          {problem}
        </p>
      )}
    </form>
  )
}
