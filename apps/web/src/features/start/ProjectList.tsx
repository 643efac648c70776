import { formatDateTime } from '../../live/formatTime.js'
import { useConnection } from '../../store/context.js'
import { useStartWays } from './useStartWays.js'

/** Projects in the folder, the newest first. */
export function ProjectList(props: { readonly onDone?: () => void }) {
  const projects = useConnection((state) => state.projects)
  const runs = useConnection((state) => state.runs)
  const ways = useStartWays()
  const newest = [...projects].sort((a, b) => b.changedAt - a.changedAt)
  return (
    <div className="project-list">
      {newest.map((project) => (
        <button
          key={project.id}
          type="button"
          aria-label={`Open ${project.id}`}
          onClick={() => {
            ways.openProject(project.id)
            props.onDone?.()
          }}
        >
          <b>{project.id}</b>
          <span>
            {runs.some((run) => run.projectId === project.id) && <span className="flow">running · </span>}
            {project.nodes === 1 ? '1 node' : `${project.nodes} nodes`}
          </span>
          <time>{formatDateTime(project.changedAt, 'minute')} UTC</time>
        </button>
      ))}
    </div>
  )
}
