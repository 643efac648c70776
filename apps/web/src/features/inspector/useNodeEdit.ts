import type { DocumentNode, TopologyDocument } from '@lanescope/shared'
import { useMemo } from 'react'
import { editWithStarters } from '../../model/commands/connectNodes.js'
import { type PropertiesPatch, setProperties } from '../../model/commands/nodes.js'
import { useStores } from '../../store/context.js'

/** Edits of one node from its form; typing in one field is one undo step. */
export function useNodeEdit(node: DocumentNode) {
  const { project } = useStores()
  const { id, name } = node
  return useMemo(
    () => ({
      /** Any change of the document; `field` names the burst. */
      change: (field: string, change: (document: TopologyDocument) => TopologyDocument) =>
        project
          .getState()
          .edit(`Change ${field} of ${name}`, (at) => editWithStarters(at, id, change), `${id} ${field}`),
      set: <K extends DocumentNode['kind']>(kind: K, field: string, patch: PropertiesPatch<K>) =>
        project
          .getState()
          .edit(
            `Change ${field} of ${name}`,
            (at) => editWithStarters(at, id, (next) => setProperties(next, id, kind, patch)),
            `${id} ${field}`,
          ),
    }),
    [project, id, name],
  )
}
