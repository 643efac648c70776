import { useServices } from '../../app/services.js'
import { useProject, useView } from '../../store/context.js'
import { DialogFrame } from '../../ui/DialogFrame.js'
import { DeleteProject } from './DeleteProject.js'
import { RenameProject } from './RenameProject.js'
import './start.css'

/** Renames or deletes the project that is open. */
export function ProjectDialogs() {
  const overlay = useView((state) => state.overlay)
  const set = useView((state) => state.set)
  const projectId = useProject((state) => state.projectId)
  const { canvas } = useServices()
  const close = () => set({ overlay: null })
  const act = overlay === 'rename-project' || overlay === 'delete-project' ? overlay : null
  return (
    <DialogFrame
      open={act !== null && projectId !== null}
      onClose={close}
      title={act === 'delete-project' ? 'Delete the project' : 'Rename the project'}
      width={460}
      onClosed={() => canvas.current?.focus()}
    >
      <div className="open-dialog">
        {projectId !== null && act === 'rename-project' && <RenameProject projectId={projectId} onDone={close} />}
        {projectId !== null && act === 'delete-project' && <DeleteProject projectId={projectId} onDone={close} />}
      </div>
    </DialogFrame>
  )
}
