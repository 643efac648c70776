import { type AggregatingNode, type CogroupNode, type NodeWindows, windowsOf } from '@lanescope/shared'
import { aggregateType } from '../../model/flowTypes.js'
import { storeNameProblem } from '../../model/names.js'
import { useProject } from '../../store/context.js'
import { TextField } from '../../ui/Field.js'
import { FunctionField } from './FunctionField.js'
import { SerdeField } from './SerdeField.js'
import { useNodeEdit } from './useNodeEdit.js'
import { RetentionField, WindowFields, WindowsField } from './WindowFields.js'

type Making = Extract<AggregatingNode, { kind: 'aggregate' }> | CogroupNode

/** What an aggregation begins with. */
export function InitializerField(props: { readonly node: Making }) {
  const { node } = props
  const { set } = useNodeEdit(node)
  return (
    <FunctionField
      compact
      label="Initializer"
      hint="() → what the first record is added to"
      value={node.properties.initializer}
      onChange={(initializer) => set(node.kind, 'initializer', { initializer } as never)}
    />
  )
}

/** What two sessions come to; nothing for other windows. */
export function MergerField(props: { readonly node: Making }) {
  const { node } = props
  const { set } = useNodeEdit(node)
  const { merger, windows, initializer } = node.properties
  if (windows?.kind !== 'session') return null
  return (
    <FunctionField
      compact
      label="Merger"
      hint="(key, one, other) → what two sessions that become one come to"
      value={merger ?? { module: initializer.module, export: 'merger' }}
      onChange={(next) => set(node.kind, 'merger', { merger: next } as never)}
    />
  )
}

/** Which windows, if any, and their lengths. Sessions get a merger with them. */
export function ChosenWindows(props: {
  readonly node: Extract<AggregatingNode, { kind: 'reduce' | 'aggregate' }> | CogroupNode
}) {
  const { node } = props
  const { set } = useNodeEdit(node)
  const { windows } = node.properties
  const choose = (next: NodeWindows | undefined) => {
    const merges = next?.kind === 'session' && node.kind !== 'reduce' && node.properties.merger === undefined
    set(node.kind, 'windows', {
      windows: next,
      // What only windows have goes with them.
      ...(next === undefined && { retentionMs: undefined, ...(node.kind !== 'cogroup' && { emit: undefined }) }),
      ...(merges && { merger: { module: node.properties.initializer.module, export: 'merger' } }),
    } as never)
  }
  return (
    <>
      <h3 className="panel-heading">Windows</h3>
      <WindowsField value={windows} onChange={choose} />
      {windows !== undefined && (
        <WindowFields windows={windows} onChange={(field, next) => set(node.kind, field, { windows: next } as never)} />
      )}
    </>
  )
}

/** Where an aggregation keeps what it makes, how that is written, and for how long. */
export function StoreFields(props: { readonly node: AggregatingNode | CogroupNode }) {
  const { node } = props
  const { set } = useNodeEdit(node)
  const document = useProject((state) => state.workspace.document)
  const windows = windowsOf(node)
  const { properties } = node
  return (
    <>
      <h3 className="panel-heading">Store</h3>
      <TextField
        label="Store name"
        mono
        value={properties.storeName}
        check={(name) => storeNameProblem(document, node.id, name)}
        onChange={(storeName) => set(node.kind, 'store name', { storeName } as never)}
      />
      {(node.kind === 'aggregate' || node.kind === 'cogroup') && (
        <SerdeField
          label="Aggregate"
          none="the default"
          hint="How results are kept and sent; its type is what the functions make"
          value={node.properties.aggregateSerde}
          type={aggregateType(node)}
          exportName="aggregateSerde"
          onChange={(aggregateSerde) => set(node.kind, 'aggregate serde', { aggregateSerde } as never)}
        />
      )}
      {windows !== undefined && (
        <RetentionField
          windows={windows}
          value={'retentionMs' in properties ? properties.retentionMs : undefined}
          onChange={(retentionMs) => set(node.kind, 'retention', { retentionMs } as never)}
        />
      )}
    </>
  )
}
