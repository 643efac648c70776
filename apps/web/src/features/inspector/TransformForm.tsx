import type { TransformNode } from '@lanescope/shared'
import { Field } from '../../ui/Field.js'
import { CodeRefInputs } from './CodeRefInputs.js'
import { useNodeEdit } from './useNodeEdit.js'

const TAKES: { readonly [op in TransformNode['properties']['op']]: string } = {
  filter: '(key, value) → whether the record passes',
  'map-values': '(value, key) → the value that goes on',
  'flat-map-values': '(value, key) → the values that go on',
  'select-key': '(key, value) → the new key',
  peek: '(key, value); what it returns is not used',
}

/** A function of the user's, and what it is given. */
export function TransformForm(props: { readonly node: TransformNode }) {
  const { node } = props
  const { set } = useNodeEdit(node)
  return (
    <Field label="Function" hint={TAKES[node.properties.op]}>
      {() => (
        <CodeRefInputs
          label="Function"
          value={node.properties.code}
          onChange={(code) => set('transform', 'function', { code })}
        />
      )}
    </Field>
  )
}
