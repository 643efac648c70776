import type { SinkNode, ThroughNode } from '@lanescope/shared'
import { kafkaNameProblem } from '../../model/names.js'
import { TextField } from '../../ui/Field.js'
import { SerdeField } from './SerdeField.js'
import { useNodeEdit } from './useNodeEdit.js'

/** What writes to a topic: that, and how key and value are written. */
export function SinkForm(props: { readonly node: SinkNode | ThroughNode }) {
  const { node } = props
  const { properties } = node
  const { set } = useNodeEdit(node)
  return (
    <>
      <TextField
        label="Topic"
        mono
        value={properties.topic}
        placeholder="sessions"
        check={(text) => (text === '' ? undefined : kafkaNameProblem(text))}
        onChange={(topic) => set(node.kind, 'topic', { topic })}
      />
      <SerdeField
        label="Key"
        none="as the stream carries it"
        hint={properties.key ? undefined : 'The serde declared before it, else default.key.serde'}
        value={properties.key}
        type="string"
        exportName="sinkKeySerde"
        onChange={(key) => set(node.kind, 'key', { key })}
      />
      <SerdeField
        label="Value"
        none="as the stream carries it"
        hint={properties.value ? undefined : 'The serde declared before it, else default.value.serde'}
        value={properties.value}
        type="unknown"
        exportName="sinkValueSerde"
        onChange={(value) => set(node.kind, 'value', { value })}
      />
    </>
  )
}
