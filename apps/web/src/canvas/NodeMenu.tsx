import { ContextMenu } from 'radix-ui'
import { type MouseEvent, type ReactNode, useState } from 'react'
import { useCommands } from '../features/commands/useCommands.js'
import type { Offer } from '../features/palette/AddMenu.js'
import { connectNodes } from '../model/commands/connectNodes.js'
import { disconnect } from '../model/commands/edges.js'
import { wireTargets } from '../model/connectRules.js'
import { nodeById } from '../model/queries.js'
import { withDocument } from '../model/Workspace.js'
import { useProject, useStores, useView } from '../store/context.js'
import '../ui/menu.css'

type Target = { readonly node: string } | { readonly edge: string } | null

/** The menu of what lies under the pointer; also how a wire is drawn without a mouse. */
export function NodeMenu(props: { readonly children: ReactNode; readonly onOffer: (offer: Offer) => void }) {
  const { view } = useStores()
  const [target, setTarget] = useState<Target>(null)
  const [at, setAt] = useState({ x: 0, y: 0 })
  const onContextMenu = (event: MouseEvent) => {
    const element = event.target as Element
    const node = element.closest('.react-flow__node')?.getAttribute('data-id')
    const edge = element.closest('.react-flow__edge')?.getAttribute('data-id')
    setAt({ x: event.clientX, y: event.clientY })
    setTarget(node ? { node } : edge ? { edge } : null)
    if (node && !view.getState().selection.includes(node)) view.getState().selectNodes([node])
  }
  return (
    <ContextMenu.Root>
      <ContextMenu.Trigger asChild onContextMenu={onContextMenu}>
        <div className="canvas-flow">{props.children}</div>
      </ContextMenu.Trigger>
      <ContextMenu.Portal>
        <ContextMenu.Content className="menu" aria-label="Canvas menu">
          {target && 'node' in target ? (
            <NodeItems node={target.node} />
          ) : target && 'edge' in target ? (
            <EdgeItems
              edge={target.edge}
              onOffer={() => props.onOffer({ at, goal: { to: 'edge', edge: target.edge } })}
            />
          ) : (
            <CommandItems ids={['add', 'paste', 'select-all', 'tidy', 'fit']} />
          )}
        </ContextMenu.Content>
      </ContextMenu.Portal>
    </ContextMenu.Root>
  )
}

function CommandItems(props: { readonly ids: readonly string[] }) {
  const commands = useCommands()
  return props.ids.map((id) => {
    const command = commands.find(id)
    if (!command) return null
    return (
      <ContextMenu.Item
        key={id}
        className="menu-item"
        disabled={!commands.enabled(id)}
        onSelect={() => commands.run(id)}
      >
        {command.label}
        {command.keys[0] && <kbd>{commands.keyText(command)}</kbd>}
      </ContextMenu.Item>
    )
  })
}

function NodeItems(props: { readonly node: string }) {
  const { project } = useStores()
  const document = useProject((state) => state.workspace.document)
  const several = useView((state) => state.selection.length > 1)
  const node = nodeById(document, props.node)
  if (!node) return null
  const targets = node.kind === 'sink' ? [] : [...wireTargets(document, node.id, 'forward')]
  return (
    <>
      <CommandItems ids={['open', 'rename', 'add']} />
      {targets.length > 0 && (
        <ContextMenu.Sub>
          <ContextMenu.SubTrigger className="menu-item">Connect to…</ContextMenu.SubTrigger>
          <ContextMenu.Portal>
            <ContextMenu.SubContent className="menu">
              {targets.map(([id, refusal]) => (
                <ContextMenu.Item
                  key={id}
                  className="menu-item"
                  disabled={refusal !== null}
                  title={refusal ?? undefined}
                  onSelect={() => project.getState().edit('Connect', (at) => connectNodes(at, node.id, id))}
                >
                  {nodeById(document, id)?.name}
                  {refusal !== null && <small>{refusal}</small>}
                </ContextMenu.Item>
              ))}
            </ContextMenu.SubContent>
          </ContextMenu.Portal>
        </ContextMenu.Sub>
      )}
      <ContextMenu.Separator className="menu-line" />
      {several && (
        <>
          <CommandItems ids={['tidy', 'align-row', 'align-column', 'align-spread-across', 'align-spread-down']} />
          <ContextMenu.Separator className="menu-line" />
        </>
      )}
      <CommandItems ids={['copy', 'cut', 'duplicate', 'delete']} />
    </>
  )
}

function EdgeItems(props: { readonly edge: string; readonly onOffer: () => void }) {
  const { project } = useStores()
  return (
    <>
      <ContextMenu.Item className="menu-item" onSelect={props.onOffer}>
        Add a node here…
      </ContextMenu.Item>
      <ContextMenu.Item
        className="menu-item"
        onSelect={() =>
          project.getState().edit('Disconnect', (at) => withDocument(at, (next) => disconnect(next, [props.edge])))
        }
      >
        Delete the edge
      </ContextMenu.Item>
    </>
  )
}
