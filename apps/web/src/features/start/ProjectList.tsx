import { type FormEvent, useState } from 'react'
import { kafkaNameProblem } from '../../model/names.js'
import { useConnection } from '../../store/context.js'
import { useStartWays } from './useStartWays.js'

const day = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' })

/** Projects in the folder, the newest first, and a name for a new one. */
export function ProjectList() {
  const projects = useConnection((state) => state.projects)
  const runs = useConnection((state) => state.runs)
  const ways = useStartWays()
  const [name, setName] = useState('')
  const problem = name === '' ? undefined : kafkaNameProblem(name)
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (name !== '' && problem === undefined) ways.create(name)
  }
  const newest = [...projects].sort((a, b) => b.changedAt - a.changedAt)
  return (
    <div className="project-list">
      {newest.map((project) => (
        <button
          key={project.id}
          type="button"
          aria-label={`Open ${project.id}`}
          onClick={() => ways.openProject(project.id)}
        >
          <b>{project.id}</b>
          {runs.some((run) => run.projectId === project.id) && <span className="flow">running</span>}
          <span>{project.nodes === 1 ? '1 node' : `${project.nodes} nodes`}</span>
          <time>{day.format(project.changedAt)}</time>
        </button>
      ))}
      <form onSubmit={onSubmit}>
        <input
          className="input"
          aria-label="Name of a new project"
          placeholder="Name of a new project"
          value={name}
          aria-invalid={problem !== undefined}
          title={problem}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <button type="submit" className="button lined" disabled={name === '' || problem !== undefined}>
          Create
        </button>
      </form>
    </div>
  )
}
