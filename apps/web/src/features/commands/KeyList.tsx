import { Dialog } from 'radix-ui'
import { useView } from '../../store/context.js'
import { DialogFrame } from '../../ui/DialogFrame.js'
import type { CommandGroup } from './Command.js'
import { keyText } from './keys.js'
import { useCommands } from './useCommands.js'
import './keylist.css'

const GROUPS: readonly CommandGroup[] = ['Edit', 'Walk', 'Add', 'View', 'Run', 'Findings', 'Project']

/** Every key, from the table that its handler is made of. */
export function KeyList() {
  const open = useView((state) => state.overlay === 'keys')
  const set = useView((state) => state.set)
  const commands = useCommands()
  return (
    <DialogFrame open={open} onClose={() => set({ overlay: null })} title="Keys" width={680}>
      <div className="key-list">
        {GROUPS.map((group) => {
          const keyed = commands.list.filter((command) => command.group === group && command.keys.length > 0)
          if (keyed.length === 0) return null
          return (
            <section key={group}>
              <h3>{group}</h3>
              <dl>
                {keyed.map((command) => (
                  <div key={command.id}>
                    <dt>{command.label.replace('…', '')}</dt>
                    <dd>
                      {command.keys.map((chord) => (
                        <kbd key={chord}>{keyText(chord, commands.isMac)}</kbd>
                      ))}
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          )
        })}
      </div>
      <Dialog.Description className="dialog-foot">
        None of them acts while you type in a field or the editor.
      </Dialog.Description>
    </DialogFrame>
  )
}
