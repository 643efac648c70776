import type { CogroupNode, DocumentEdge } from '@lanescope/shared'
import { editEdge } from '../../model/commands/edges.js'
import { nodeById, sourcesOf } from '../../model/queries.js'
import { useProject } from '../../store/context.js'
import { ChosenWindows, InitializerField, MergerField, StoreFields } from './AggregateFields.js'
import { FunctionField } from './FunctionField.js'
import { SerdeField } from './SerdeField.js'
import { useNodeEdit } from './useNodeEdit.js'

/** Streams that are aggregated together: how each one's records are added, what they begin with, windows and store. */
export function CogroupForm(props: { readonly node: CogroupNode }) {
  const { node } = props
  const { set } = useNodeEdit(node)
  const document = useProject((state) => state.workspace.document)
  const edges = document.edges.filter(({ to }) => to === node.id)
  const keyType = sourcesOf(document, node.id)[0]?.properties.keyType ?? 'string'
  return (
    <>
      <InitializerField node={node} />
      <MergerField node={node} />
      <section aria-label="Streams">
        <h3 className="panel-heading">
          Streams <span className="spring" />
          <small className="ink-3">in the order of their edges</small>
        </h3>
        {edges.length === 0 && <p className="ink-3">None yet: draw an edge from each.</p>}
        {edges.map((edge) => (
          <Stream key={edge.id} node={node} edge={edge} />
        ))}
      </section>
      <SerdeField
        label="Grouped key"
        none="as the streams carry it"
        value={node.properties.key}
        type={keyType}
        exportName="groupedKeySerde"
        onChange={(key) => set('cogroup', 'grouped key', { key })}
      />
      <ChosenWindows node={node} />
      <StoreFields node={node} />
    </>
  )
}

function Stream(props: { readonly node: CogroupNode; readonly edge: DocumentEdge }) {
  const { node, edge } = props
  const { change } = useNodeEdit(node)
  const document = useProject((state) => state.workspace.document)
  const from = nodeById(document, edge.from)?.name ?? ''
  const valueType = sourcesOf(document, edge.from)[0]?.properties.valueType ?? 'unknown'
  return (
    <fieldset className="part-card">
      <legend>{from}</legend>
      <FunctionField
        compact
        label="Aggregator"
        hint="(key, value, aggregate) → the next aggregate"
        value={edge.aggregator ?? { module: node.properties.initializer.module, export: 'aggregator' }}
        onChange={(aggregator) => change(`aggregator of ${from}`, (at) => editEdge(at, edge.id, { aggregator }))}
      />
      <SerdeField
        label="Grouped value"
        none="as the stream carries it"
        value={edge.value}
        type={valueType}
        exportName="groupedValueSerde"
        onChange={(value) => change(`grouped value of ${from}`, (at) => editEdge(at, edge.id, { value }))}
      />
    </fieldset>
  )
}
