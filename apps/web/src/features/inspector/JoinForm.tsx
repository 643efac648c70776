import { type JoinNode, joinInputs } from '@lanescope/shared'
import { swapSides } from '../../model/commands/edges.js'
import { formatDuration, parseDuration } from '../../model/duration.js'
import { storeNameProblem } from '../../model/names.js'
import { nodeById, sourcesOf } from '../../model/queries.js'
import { useProject } from '../../store/context.js'
import { Field, TextField } from '../../ui/Field.js'
import { Select } from '../../ui/Select.js'
import { needed } from './durationChecks.js'
import { FunctionField } from './FunctionField.js'
import { SerdeField } from './SerdeField.js'
import { useNodeEdit } from './useNodeEdit.js'

const HOW = {
  inner: 'only pairs',
  left: 'all of the left side',
  outer: 'all of both sides',
} as const

/** A join: its two sides, what it keeps, the function that makes one of two, and its windows where both are streams. */
export function JoinForm(props: { readonly node: JoinNode }) {
  const { node } = props
  const { properties } = node
  const { set } = useNodeEdit(node)
  const { of } = properties
  const hasOuter = of === 'stream-stream' || of === 'table-table'
  const kinds = hasOuter ? (['inner', 'left', 'outer'] as const) : (['inner', 'left'] as const)
  return (
    <>
      <Sides node={node} />
      <Field label="Keeps">
        {(id) => (
          <Select
            full
            id={id}
            label="Keeps"
            value={properties.how}
            options={kinds.map((how) => ({ value: how, label: `${HOW[how]} (${how} join)` }))}
            onChange={(how) => set('join', 'kind', { how })}
          />
        )}
      </Field>
      {(of === 'foreign-key' || of === 'stream-global') && (
        <FunctionField
          compact
          {...SELECTORS[of]}
          value={properties.selector ?? { module: properties.code.module, export: 'selector' }}
          onChange={(selector) => set('join', 'key selector', { selector })}
        />
      )}
      <FunctionField
        compact={of === 'foreign-key' || of === 'stream-global'}
        label="Function"
        hint={joinerHint(properties.how)}
        value={properties.code}
        onChange={(code) => set('join', 'function', { code })}
      />
      {of === 'stream-stream' && <Windows node={node} />}
      {(of === 'stream-stream' || of === 'stream-table') && <Serdes node={node} />}
    </>
  )
}

const SELECTORS = {
  'foreign-key': { label: 'Foreign key', hint: '(value, key) of a left row → the key of the right one, or null' },
  'stream-global': { label: 'Key selector', hint: '(key, value) → the key to look up, or null' },
} as const

function joinerHint(how: JoinNode['properties']['how']): string {
  if (how === 'inner') return '(left, right) → what goes on'
  return `(left, right) → what goes on; ${how === 'left' ? 'right' : 'either'} may be null`
}

function Sides(props: { readonly node: JoinNode }) {
  const { node } = props
  const { change } = useNodeEdit(node)
  const document = useProject((state) => state.workspace.document)
  const { left, right } = joinInputs(document, node.id)
  const nameOf = (id: string | undefined) => (id === undefined ? 'nothing yet' : (nodeById(document, id)?.name ?? ''))
  return (
    <section aria-label="Sides" className="join-sides">
      <dl>
        <dt>Left</dt>
        <dd>{nameOf(left?.from)}</dd>
        <dt>Right</dt>
        <dd>{nameOf(right?.from)}</dd>
      </dl>
      <button
        type="button"
        className="button lined small"
        disabled={left === undefined && right === undefined}
        onClick={() => change('sides', (at) => swapSides(at, node.id))}
      >
        Swap
      </button>
    </section>
  )
}

function Windows(props: { readonly node: JoinNode }) {
  const { node } = props
  const { beforeMs = 0, afterMs = 0, graceMs = 0, storeName } = node.properties
  const { set } = useNodeEdit(node)
  const document = useProject((state) => state.workspace.document)
  const fields = [
    ['Before', 'How much earlier than the left a right record may be', beforeMs, 'beforeMs'],
    ['After', 'How much later than the left a right record may be', afterMs, 'afterMs'],
    ['Grace', 'How late a record may come', graceMs, 'graceMs'],
  ] as const
  return (
    <>
      <h3 className="panel-heading">Window</h3>
      {fields.map(([label, hint, ms, field]) => (
        <TextField
          key={field}
          label={label}
          value={formatDuration(ms)}
          hint={hint}
          check={(text) => needed(text, 0)}
          onChange={(text) => set('join', label.toLowerCase(), { [field]: parseDuration(text) ?? 0 })}
        />
      ))}
      <TextField
        label="Store name"
        mono
        value={storeName ?? ''}
        hint="A store a side, named after it, for before + after + grace"
        check={(name) => storeNameProblem(document, node.id, name)}
        onChange={(name) => set('join', 'store name', { storeName: name })}
      />
    </>
  )
}

function Serdes(props: { readonly node: JoinNode }) {
  const { node } = props
  const { properties } = node
  const { set } = useNodeEdit(node)
  const document = useProject((state) => state.workspace.document)
  const { left, right } = joinInputs(document, node.id)
  const typesOf = (id: string | undefined) => (id === undefined ? undefined : sourcesOf(document, id)[0]?.properties)
  const sides = [
    ['Key', 'key', typesOf(left?.from)?.keyType ?? 'string'],
    ['Left value', 'leftValue', typesOf(left?.from)?.valueType ?? 'unknown'],
    ...(properties.of === 'stream-stream'
      ? ([['Right value', 'rightValue', typesOf(right?.from)?.valueType ?? 'unknown']] as const)
      : []),
  ] as const
  return (
    <>
      <h3 className="panel-heading">Serdes</h3>
      {sides.map(([label, field, type]) => (
        <SerdeField
          key={field}
          label={label}
          none="as the stream carries it"
          value={properties[field]}
          type={type}
          exportName={`${field}Serde`}
          onChange={(serde) => set('join', label.toLowerCase(), { [field]: serde })}
        />
      ))}
    </>
  )
}
