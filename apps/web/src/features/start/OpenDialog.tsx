import { useServices } from '../../app/services.js'
import { useView } from '../../store/context.js'
import { DialogFrame } from '../../ui/DialogFrame.js'
import { NewProject } from './NewProject.js'
import { ProjectList } from './ProjectList.js'
import { useStartWays } from './useStartWays.js'
import './start.css'

/** Changes to another project, an example, or a new one. */
export function OpenDialog() {
  const open = useView((state) => state.overlay === 'open')
  const set = useView((state) => state.set)
  const ways = useStartWays()
  const { canvas } = useServices()
  const close = () => set({ overlay: null })
  const openExample = (id: string, fresh: boolean) => {
    ways.openExample(id, fresh)
    close()
  }
  return (
    <DialogFrame
      open={open}
      onClose={close}
      title="Open a project"
      width={480}
      onClosed={() => canvas.current?.focus()}
    >
      <div className="open-dialog">
        <h3>New project</h3>
        <NewProject onDone={close} />
        <h3>Projects</h3>
        <ProjectList onDone={close} />
        {ways.folder !== undefined && (
          <p className="folder-note">
            Each is a folder in <span className="mono">{ways.folder}</span>.
          </p>
        )}
        {ways.examples.length > 0 && <h3>Examples</h3>}
        <div className="project-list">
          {ways.examples.map((example) => (
            <div key={example.id} className="example-row">
              <button type="button" onClick={() => openExample(example.id, false)}>
                <b>{example.title}</b>
                <span className="wide">{example.description}</span>
              </button>
              {ways.hasCopyOf(example.id) && (
                <button
                  type="button"
                  className="button lined small"
                  aria-label={`Open a fresh copy of ${example.title}`}
                  onClick={() => openExample(example.id, true)}
                >
                  Fresh copy
                </button>
              )}
            </div>
          ))}
        </div>
      </div>
    </DialogFrame>
  )
}
