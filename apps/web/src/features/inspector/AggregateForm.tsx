import { type AggregatingNode, type NodeWindows, windowsOf } from '@lanescope/shared'
import type { PropertiesPatch } from '../../model/commands/nodes.js'
import { sourcesOf } from '../../model/queries.js'
import { useProject } from '../../store/context.js'
import { ChosenWindows, InitializerField, MergerField, StoreFields } from './AggregateFields.js'
import { FunctionField } from './FunctionField.js'
import { SerdeField } from './SerdeField.js'
import { useNodeEdit } from './useNodeEdit.js'
import { EmitField, WindowFields } from './WindowFields.js'

/** A count, reduce or aggregate: its functions, its windows, how its keys are written, and where it keeps what it makes. */
export function AggregateForm(props: { readonly node: AggregatingNode }) {
  const { node } = props
  const { set } = useNodeEdit(node)
  const { properties } = node
  const windows = windowsOf(node)
  const change = (field: string, patch: PropertiesPatch<'count'>) => set(node.kind, field, patch as never)
  return (
    <>
      {node.kind === 'reduce' && (
        <FunctionField
          label="Reducer"
          hint="(aggregate, value) → the next aggregate"
          value={node.properties.code}
          onChange={(code) => set('reduce', 'reducer', { code })}
        />
      )}
      {node.kind === 'aggregate' && <AggregateFunctions node={node} />}
      {node.kind === 'reduce' || node.kind === 'aggregate' ? (
        <ChosenWindows node={node} />
      ) : (
        windows !== undefined && (
          <WindowFields windows={windows} onChange={(field, next) => set(node.kind, field, flat(next) as never)} />
        )
      )}
      {windows !== undefined && (
        <EmitField
          value={'emit' in properties ? properties.emit : undefined}
          onChange={(emit) => set(node.kind, 'emit', { emit } as never)}
        />
      )}
      <h3 className="panel-heading">Grouped by key</h3>
      <GroupedFields
        node={node}
        value={properties.value}
        onValue={(value) => change('grouped value', { value })}
        keySerde={properties.key}
        onKey={(key) => change('grouped key', { key })}
      />
      <StoreFields node={node} />
    </>
  )
}

/** The windows of a count stand beside its other properties. */
function flat(windows: NodeWindows): object {
  const { kind: _, ...lengths } = windows
  return windows.kind === 'time' ? { advanceMs: undefined, ...lengths } : lengths
}

/** How grouped keys and values are written, where a new key crosses lanes. */
function GroupedFields(props: {
  readonly node: AggregatingNode
  readonly keySerde: AggregatingNode['properties']['key']
  readonly value: AggregatingNode['properties']['value']
  readonly onKey: (value: AggregatingNode['properties']['key']) => void
  readonly onValue: (value: AggregatingNode['properties']['value']) => void
}) {
  const { node, keySerde, value, onKey, onValue } = props
  const document = useProject((state) => state.workspace.document)
  const types = sourcesOf(document, node.id)[0]?.properties
  return (
    <>
      <SerdeField
        label="Grouped key"
        none="as the stream carries it"
        value={keySerde}
        type={types?.keyType ?? 'string'}
        exportName="groupedKeySerde"
        onChange={onKey}
      />
      <SerdeField
        label="Grouped value"
        none="as the stream carries it"
        hint={value ? undefined : 'Written only where a new key crosses lanes'}
        value={value}
        type={types?.valueType ?? 'unknown'}
        exportName="groupedValueSerde"
        onChange={onValue}
      />
    </>
  )
}

function AggregateFunctions(props: { readonly node: Extract<AggregatingNode, { kind: 'aggregate' }> }) {
  const { node } = props
  const { set } = useNodeEdit(node)
  return (
    <>
      <InitializerField node={node} />
      <FunctionField
        compact
        label="Aggregator"
        hint="(key, value, aggregate) → the next aggregate"
        value={node.properties.code}
        onChange={(code) => set('aggregate', 'aggregator', { code })}
      />
      <MergerField node={node} />
    </>
  )
}
