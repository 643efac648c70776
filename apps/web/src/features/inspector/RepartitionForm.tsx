import type { RepartitionNode } from '@lanescope/shared'
import { sourcesOf } from '../../model/queries.js'
import { useProject } from '../../store/context.js'
import { TextField } from '../../ui/Field.js'
import { countProblem } from './durationChecks.js'
import { SerdeField } from './SerdeField.js'
import { useNodeEdit } from './useNodeEdit.js'

/** How what crosses is written, and on how many lanes it goes on. */
export function RepartitionForm(props: { readonly node: RepartitionNode }) {
  const { node } = props
  const { key, value, numberOfLanes } = node.properties
  const { set } = useNodeEdit(node)
  const document = useProject((state) => state.workspace.document)
  const types = sourcesOf(document, node.id)[0]?.properties
  return (
    <>
      <SerdeField
        label="Key"
        none="as the stream carries it"
        hint="Its bytes pick the lane"
        value={key}
        type={types?.keyType ?? 'string'}
        exportName="keySerde"
        onChange={(next) => set('repartition', 'key', { key: next })}
      />
      <SerdeField
        label="Value"
        none="as the stream carries it"
        value={value}
        type={types?.valueType ?? 'unknown'}
        exportName="valueSerde"
        onChange={(next) => set('repartition', 'value', { value: next })}
      />
      <TextField
        label="Lanes"
        value={numberOfLanes === undefined ? '' : String(numberOfLanes)}
        placeholder="lanes.count"
        hint="Of the sub-topology behind it"
        check={countProblem}
        onChange={(text) =>
          set('repartition', 'lanes', { numberOfLanes: text.trim() === '' ? undefined : Number(text) })
        }
      />
    </>
  )
}
