import { Command as List } from 'cmdk'
import { Dialog } from 'radix-ui'
import { useState } from 'react'
import { kindFacts, paletteKindOf } from '../../model/nodeKinds.js'
import { searchNodes } from '../../model/search.js'
import { useProject, useStores, useView } from '../../store/context.js'
import { Glyph } from '../../ui/Glyph.js'
import type { CommandGroup } from './Command.js'
import { useCommands } from './useCommands.js'
import '../../ui/menu.css'
import './palette.css'

const GROUPS: readonly CommandGroup[] = ['Run', 'Findings', 'Add', 'Edit', 'View', 'Project']

/** Commands, and the nodes whose name, topic, store or code holds what was typed. */
export function CommandPalette() {
  const open = useView((state) => state.overlay === 'commands')
  const set = useView((state) => state.set)
  return (
    <Dialog.Root open={open} onOpenChange={(next) => set({ overlay: next ? 'commands' : null })}>
      <Dialog.Portal>
        <Dialog.Overlay className="veil" />
        <Dialog.Content className="command-palette" aria-describedby={undefined}>
          <Dialog.Title className="visually-hidden">Commands and search</Dialog.Title>
          <PaletteList />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function PaletteList() {
  const commands = useCommands()
  const { view } = useStores()
  const workspace = useProject((state) => state.workspace)
  const [text, setText] = useState('')
  const hits = searchNodes(workspace, text).slice(0, 8)
  const close = () => view.getState().set({ overlay: null })
  return (
    <List label="Commands and search" loop>
      <div className="palette-field">
        <Glyph name="search" />
        <List.Input placeholder="Search or run" value={text} onValueChange={setText} />
      </div>
      <List.List className="palette-list">
        <List.Empty className="palette-empty">Nothing is called so.</List.Empty>
        {hits.length > 0 && (
          <List.Group heading="Nodes">
            {hits.map((hit) => {
              const node = workspace.document.nodes.find((one) => one.id === hit.id)
              if (!node) return null
              return (
                <List.Item
                  key={hit.id}
                  className="menu-item"
                  value={`node ${hit.id}`}
                  keywords={[text]}
                  onSelect={() => {
                    close()
                    view.getState().selectNodes([hit.id])
                  }}
                >
                  <Glyph name={kindFacts(paletteKindOf(node)).glyph} />
                  {node.name}
                  {hit.where !== 'name' && <small>in its {hit.where}</small>}
                </List.Item>
              )
            })}
          </List.Group>
        )}
        {GROUPS.map((group) => (
          <List.Group key={group} heading={group}>
            {commands.list
              .filter((command) => command.group === group && !command.hidden && command.id !== 'commands')
              .filter((command) => command.enabled(commands.context))
              .map((command) => (
                <List.Item
                  key={command.id}
                  className="menu-item"
                  value={command.label}
                  keywords={[...(command.words ?? [])]}
                  onSelect={() => {
                    close()
                    commands.run(command.id)
                  }}
                >
                  {command.label}
                  {command.keys.length > 0 && <kbd>{commands.keyText(command)}</kbd>}
                </List.Item>
              ))}
          </List.Group>
        ))}
      </List.List>
    </List>
  )
}
