import type { RepartitionNode, ToTableNode } from '@lanescope/shared'
import { sourcesOf } from '../../model/queries.js'
import { useProject } from '../../store/context.js'
import { SerdeField } from './SerdeField.js'
import { useNodeEdit } from './useNodeEdit.js'

/** How keys and values of a stream are written from here on: where nothing is said, as the stream carries them. */
export function CarriedSerdes(props: { readonly node: RepartitionNode | ToTableNode; readonly keyHint?: string }) {
  const { node, keyHint } = props
  const { key, value } = node.properties
  const { set } = useNodeEdit(node)
  const document = useProject((state) => state.workspace.document)
  const types = sourcesOf(document, node.id)[0]?.properties
  return (
    <>
      <SerdeField
        label="Key"
        none="as the stream carries it"
        {...(keyHint === undefined ? {} : { hint: keyHint })}
        value={key}
        type={types?.keyType ?? 'string'}
        exportName="keySerde"
        onChange={(next) => set(node.kind, 'key', { key: next })}
      />
      <SerdeField
        label="Value"
        none="as the stream carries it"
        value={value}
        type={types?.valueType ?? 'unknown'}
        exportName="valueSerde"
        onChange={(next) => set(node.kind, 'value', { value: next })}
      />
    </>
  )
}
