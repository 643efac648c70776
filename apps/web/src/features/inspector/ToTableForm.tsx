import type { ToTableNode } from '@lanescope/shared'
import { storeNameProblem } from '../../model/names.js'
import { useProject } from '../../store/context.js'
import { TextField } from '../../ui/Field.js'
import { CarriedSerdes } from './CarriedSerdes.js'
import { useNodeEdit } from './useNodeEdit.js'

/** Where the rows that a stream becomes are kept, and how they are written. */
export function ToTableForm(props: { readonly node: ToTableNode }) {
  const { node } = props
  const { storeName } = node.properties
  const { set } = useNodeEdit(node)
  const document = useProject((state) => state.workspace.document)
  return (
    <>
      <TextField
        label="Store name"
        mono
        value={storeName}
        hint="The newest value of each key is kept here; null deletes"
        check={(name) => storeNameProblem(document, node.id, name)}
        onChange={(name) => set('to-table', 'store name', { storeName: name })}
      />
      <CarriedSerdes node={node} />
    </>
  )
}
