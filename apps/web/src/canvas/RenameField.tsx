import type { DocumentNode } from '@lanescope/shared'
import { useState } from 'react'
import { renameNode } from '../model/commands/nodes.js'
import { nodeNameProblem } from '../model/names.js'
import { withDocument } from '../model/Workspace.js'
import { useProject, useStores, useView } from '../store/context.js'

/** A node's name in place, while it is being changed. Enter takes it, Escape does not. */
export function RenameField(props: { readonly node: DocumentNode }) {
  const { node } = props
  const { project } = useStores()
  const document = useProject((state) => state.workspace.document)
  const set = useView((state) => state.set)
  const [name, setName] = useState(node.name)
  const problem = nodeNameProblem(document, node.id, name)
  const end = (take: boolean) => {
    if (take && problem === undefined)
      project.getState().edit(`Rename ${node.name}`, (at) => withDocument(at, (now) => renameNode(now, node.id, name)))
    set({ renaming: null })
  }
  return (
    <input
      className="tn-rename nodrag"
      // biome-ignore lint/a11y/noAutofocus: the person asked to type here
      autoFocus
      aria-label="Name"
      aria-invalid={problem !== undefined}
      title={problem}
      value={name}
      onChange={(event) => setName(event.currentTarget.value)}
      onFocus={(event) => event.currentTarget.select()}
      onBlur={() => end(true)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') end(true)
        if (event.key === 'Escape') end(false)
        event.stopPropagation()
      }}
    />
  )
}
