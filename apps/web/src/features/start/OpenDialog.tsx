import { useView } from '../../store/context.js'
import { DialogFrame } from '../../ui/DialogFrame.js'
import { ProjectList } from './ProjectList.js'
import { useStartWays } from './useStartWays.js'
import './start.css'

/** Changes to another project, an example, or a new one. */
export function OpenDialog() {
  const open = useView((state) => state.overlay === 'open')
  const set = useView((state) => state.set)
  const ways = useStartWays()
  const close = () => set({ overlay: null })
  return (
    <DialogFrame open={open} onClose={close} title="Open a project" width={480}>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: closes after any of the buttons in it was pressed */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: closes after any of the buttons in it was pressed */}
      <div
        className="open-dialog"
        onClick={(event) => (event.target as Element).closest('button[type="button"]') && close()}
      >
        <ProjectList />
        {ways.examples.length > 0 && <h3>Examples</h3>}
        <div className="project-list">
          {ways.examples.map((example) => (
            <button key={example.id} type="button" onClick={() => ways.openExample(example.id)}>
              <b>{example.title}</b>
              <span className="wide">{example.description}</span>
            </button>
          ))}
        </div>
      </div>
    </DialogFrame>
  )
}
