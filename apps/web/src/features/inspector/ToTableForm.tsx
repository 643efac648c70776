import type { ToTableNode } from '@lanescope/shared'
import { storeNameProblem } from '../../model/names.js'
import { sourcesOf } from '../../model/queries.js'
import { useProject } from '../../store/context.js'
import { TextField } from '../../ui/Field.js'
import { SerdeField } from './SerdeField.js'
import { useNodeEdit } from './useNodeEdit.js'

/** Where the rows that a stream becomes are kept, and how they are written. */
export function ToTableForm(props: { readonly node: ToTableNode }) {
  const { node } = props
  const { storeName, key, value } = node.properties
  const { set } = useNodeEdit(node)
  const document = useProject((state) => state.workspace.document)
  const types = sourcesOf(document, node.id)[0]?.properties
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
      <SerdeField
        label="Key"
        none="as the stream carries it"
        value={key}
        type={types?.keyType ?? 'string'}
        exportName="keySerde"
        onChange={(next) => set('to-table', 'key', { key: next })}
      />
      <SerdeField
        label="Value"
        none="as the stream carries it"
        value={value}
        type={types?.valueType ?? 'unknown'}
        exportName="valueSerde"
        onChange={(next) => set('to-table', 'value', { value: next })}
      />
    </>
  )
}
