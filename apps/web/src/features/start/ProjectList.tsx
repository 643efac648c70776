import { useConnection } from '../../store/context.js'
import { ProjectRow } from './ProjectRow.js'
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
        <ProjectRow
          key={project.id}
          project={project}
          running={runs.some((run) => run.projectId === project.id)}
          onOpen={() => {
            ways.openProject(project.id)
            props.onDone?.()
          }}
        />
      ))}
    </div>
  )
}
