import { type SideDeclaration, type SourceNode, typeProblem } from '@lanescope/shared'
import { ownType, retyped } from '../../model/commands/retyped.js'
import { setTopics } from '../../model/commands/sourceTopics.js'
import { formatDuration, parseDuration } from '../../model/duration.js'
import { storeNameProblem, topicsProblem } from '../../model/names.js'
import { useProject } from '../../store/context.js'
import { Field, TextField } from '../../ui/Field.js'
import { Select } from '../../ui/Select.js'
import { countProblem, durationProblem } from './durationChecks.js'
import { SampleKeys } from './SampleKeys.js'
import { SideField } from './SerdeField.js'
import { useNodeEdit } from './useNodeEdit.js'

const topicsOf = (text: string): string[] =>
  text
    .split(',')
    .map((topic) => topic.trim())
    .filter((topic) => topic !== '')

/** What a topic source reads and what it declares. */
export function SourceForm(props: { readonly node: SourceNode }) {
  const { node } = props
  const { properties } = node
  const { set, change } = useNodeEdit(node)
  const document = useProject((state) => state.workspace.document)
  return (
    <>
      <TextField
        label={properties.table ? 'Topic' : 'Topics'}
        mono
        value={properties.topics.join(', ')}
        placeholder="events"
        hint={!properties.table && properties.topics.length > 1 ? 'Read together' : undefined}
        check={(text) => topicsProblem(topicsOf(text))}
        onChange={(text) => change('topics', (at) => setTopics(at, node.id, topicsOf(text)))}
      />
      <TypeField
        label="Key type"
        side={properties.key}
        type={properties.keyType}
        onChange={(keyType) =>
          set('source', 'key type', { keyType, key: retyped(properties.key, properties.keyType, keyType) })
        }
      />
      <SideField
        label="Key"
        side="key"
        value={properties.key}
        type={properties.keyType}
        onChange={(key) => set('source', 'key', { key, keyType: ownType(key) ?? properties.keyType })}
      />
      <TypeField
        label="Value type"
        side={properties.value}
        type={properties.valueType}
        onChange={(valueType) =>
          set('source', 'value type', { valueType, value: retyped(properties.value, properties.valueType, valueType) })
        }
      />
      <SideField
        label="Value"
        side="value"
        value={properties.value}
        type={properties.valueType}
        onChange={(value) => set('source', 'value', { value, valueType: ownType(value) ?? properties.valueType })}
      />
      {properties.table && (
        <TextField
          label="Store name"
          mono
          value={properties.table.storeName}
          hint={
            properties.table.global
              ? 'The newest value of each key of the whole topic is kept here, for every lane'
              : 'The newest value of each key is kept here'
          }
          check={(name) => storeNameProblem(document, node.id, name)}
          onChange={(storeName) => set('source', 'store name', { table: { ...properties.table, storeName } })}
        />
      )}
      {!properties.table?.global && <TimeAndLanes node={node} />}
      {!properties.table && <Nulls node={node} />}
      <SampleKeys node={node} />
    </>
  )
}

/** When its records are, and on how many lanes they run. A global table fills before any record runs, beside the lanes. */
function TimeAndLanes(props: { readonly node: SourceNode }) {
  const { node } = props
  const { properties } = node
  const { set } = useNodeEdit(node)
  return (
    <>
      <h3 className="panel-heading">Time and lanes</h3>
      <TextField
        label="Max ahead"
        value={properties.maxAheadMs === undefined ? '' : formatDuration(properties.maxAheadMs)}
        placeholder="not bounded"
        hint="How far ahead of the clock a record may be"
        check={durationProblem}
        onChange={(text) => set('source', 'max ahead', { maxAheadMs: parseDuration(text) })}
      />
      <TextField
        label="Out of order"
        value={properties.maxOutOfOrdernessMs === undefined ? '' : formatDuration(properties.maxOutOfOrdernessMs)}
        placeholder="engine's default"
        check={durationProblem}
        onChange={(text) => set('source', 'out of order', { maxOutOfOrdernessMs: parseDuration(text) })}
      />
      <TextField
        label="Lanes"
        value={properties.numberOfLanes === undefined ? '' : String(properties.numberOfLanes)}
        placeholder="lanes.count"
        check={countProblem}
        onChange={(text) => set('source', 'lanes', { numberOfLanes: text.trim() === '' ? undefined : Number(text) })}
      />
    </>
  )
}

/** The type of one side. A serde that knows its own type says it; the field is for the others. */
function TypeField(props: {
  readonly label: string
  readonly side: SideDeclaration
  readonly type: string
  readonly onChange: (type: string) => void
}) {
  const { label, side, type, onChange } = props
  const own = ownType(side)
  if (own !== undefined) {
    return (
      <Field label={label} hint="Said by the serde">
        {(id) => <input id={id} className="input mono" value={own} readOnly />}
      </Field>
    )
  }
  return <TextField label={label} mono value={type} check={typeProblem} onChange={onChange} />
}

/** A table has its own use for nulls: they delete. */
function Nulls(props: { readonly node: SourceNode }) {
  const { node } = props
  const { set } = useNodeEdit(node)
  return (
    <Field label="Nulls">
      {(id) => (
        <Select
          full
          id={id}
          label="Nulls"
          value={node.properties.nulls ?? 'keep'}
          options={[
            { value: 'keep', label: 'Keep records without key or value' },
            { value: 'drop', label: 'Drop and count them' },
          ]}
          onChange={(nulls) => set('source', 'nulls', { nulls: nulls === 'keep' ? undefined : nulls })}
        />
      )}
    </Field>
  )
}
