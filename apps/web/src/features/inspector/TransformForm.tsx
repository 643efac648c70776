import type { TransformNode } from '@lanescope/shared'
import { FunctionField } from './FunctionField.js'
import { useNodeEdit } from './useNodeEdit.js'

const TAKES: { readonly [op in TransformNode['properties']['op']]: string } = {
  filter: '(key, value) → whether the record passes',
  'filter-not': '(key, value) → whether the record is left out',
  'map-values': '(value, key) → the value that goes on',
  map: '(key, value) → [key, value]',
  'flat-map-values': '(value, key) → the values that go on',
  'flat-map': '(key, value) → the records that go on, each as [key, value]',
  'select-key': '(key, value) → the new key',
  peek: '(key, value); what it returns is not used',
}

/** A function of the user's, and what it is given. */
export function TransformForm(props: { readonly node: TransformNode }) {
  const { node } = props
  const { set } = useNodeEdit(node)
  return (
    <FunctionField
      label="Function"
      hint={TAKES[node.properties.op]}
      value={node.properties.code}
      onChange={(code) => set('transform', 'function', { code })}
    />
  )
}
