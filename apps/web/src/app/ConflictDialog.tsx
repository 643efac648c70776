import { useProject, useView } from '../store/context.js'
import { DialogFrame } from '../ui/DialogFrame.js'
import { useServices } from './services.js'

/** Both this page and the disk changed one part: which of the two shall hold is for a person to say. */
export function ConflictDialog() {
  const open = useView((state) => state.overlay === 'conflict')
  const set = useView((state) => state.set)
  const message = useProject((state) => state.saveMessage)
  const { session, notify } = useServices()
  const settle = (keep: 'mine' | 'theirs') =>
    void session
      .resolve(keep)
      .catch((error: unknown) => notify(error instanceof Error ? error.message : String(error), 'danger'))
  return (
    <DialogFrame open={open} onClose={() => set({ overlay: null })} title="Changed here and elsewhere" width={460}>
      <div className="dialog-body">
        <p>{message}</p>
        <p className="ink-2">Until one of them is chosen, nothing is saved. Undo brings back what you had.</p>
      </div>
      <footer className="dialog-actions">
        <button type="button" className="button lined" onClick={() => settle('theirs')}>
          Take what is on disk
        </button>
        <button type="button" className="button primary" onClick={() => settle('mine')}>
          Keep mine
        </button>
      </footer>
    </DialogFrame>
  )
}
