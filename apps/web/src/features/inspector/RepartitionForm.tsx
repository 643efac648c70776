import type { RepartitionNode } from '@lanescope/shared'
import { TextField } from '../../ui/Field.js'
import { CarriedSerdes } from './CarriedSerdes.js'
import { countProblem } from './durationChecks.js'
import { useNodeEdit } from './useNodeEdit.js'

/** How what crosses is written, and on how many lanes it goes on. */
export function RepartitionForm(props: { readonly node: RepartitionNode }) {
  const { node } = props
  const { numberOfLanes } = node.properties
  const { set } = useNodeEdit(node)
  return (
    <>
      <CarriedSerdes node={node} keyHint="Its bytes pick the lane" />
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
