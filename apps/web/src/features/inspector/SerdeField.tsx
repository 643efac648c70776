import type { SerdeRef, SideDeclaration } from '@lanescope/shared'
import { chipText } from '../../model/chipText.js'
import { Field } from '../../ui/Field.js'
import { Select } from '../../ui/Select.js'
import { CodeRefInputs } from './CodeRefInputs.js'
import { TypeInput } from './TypeInput.js'

const BUILT_IN = [
  'string',
  'long',
  'bigint',
  'integer',
  'short',
  'double',
  'float',
  'boolean',
  'byteArray',
  'bytes',
  'byteBuffer',
  'uuid',
  'void',
] as const

type BuiltIn = (typeof BUILT_IN)[number]
type SerdeKind = BuiltIn | 'json' | 'custom'

const KINDS: readonly { readonly value: SerdeKind; readonly label: string }[] = [
  { value: 'json', label: 'JSON' },
  ...BUILT_IN.map((name) => ({ value: name, label: chipText(name) })),
  { value: 'custom', label: 'from your code…' },
]

const kindOf = (ref: SerdeRef): SerdeKind => (ref.kind === 'built-in' ? ref.name : ref.kind)

/** A reference of the chosen kind; JSON takes the type that stood there or the side's. */
function refOf(kind: SerdeKind, before: SerdeRef | undefined, type: string, exportName: string): SerdeRef {
  if (kind === 'json') return { kind: 'json', type: before?.kind === 'json' ? before.type : type }
  if (kind === 'custom')
    return before?.kind === 'custom' ? before : { kind: 'custom', code: { module: './serdes', export: exportName } }
  return { kind: 'built-in', name: kind }
}

/** Which serde: a built-in one, JSON of a type, or an export of the project's own code. */
export function SerdeInputs(props: {
  readonly label: string
  readonly id?: string
  readonly value: SerdeRef | undefined
  /** TypeScript type that a new JSON serde gets. */
  readonly type: string
  /** What an export of the project's own is called at first. */
  readonly exportName: string
  /** Whether `type` stands in a field of its own beside this, so that it need not be asked for again. */
  readonly typeIsKnown?: boolean
  /** The label of "none"; absent: one must be chosen. */
  readonly none?: string
  readonly onChange: (value: SerdeRef | undefined) => void
}) {
  const { label, id, value, type, typeIsKnown = false, exportName, none, onChange } = props
  const options = none === undefined ? KINDS : [{ value: 'none' as const, label: none }, ...KINDS]
  return (
    <div className="stack">
      <Select
        full
        label={label}
        {...(id === undefined ? {} : { id })}
        value={value ? kindOf(value) : 'none'}
        options={options as readonly { readonly value: SerdeKind | 'none'; readonly label: string }[]}
        onChange={(kind) => onChange(kind === 'none' ? undefined : refOf(kind, value, type, exportName))}
      />
      {value?.kind === 'json' && !(typeIsKnown && value.type === type) && (
        <TypeInput label={`${label}: type`} value={value.type} onChange={(type) => onChange({ kind: 'json', type })} />
      )}
      {value?.kind === 'custom' && (
        <CodeRefInputs label={label} value={value.code} onChange={(code) => onChange({ kind: 'custom', code })} />
      )}
    </div>
  )
}

/** A serde of a sink, a store or a windowed count. */
export function SerdeField(
  props: Omit<Parameters<typeof SerdeInputs>[0], 'id'> & { readonly hint?: string | undefined },
) {
  const { hint, ...rest } = props
  return (
    <Field label={props.label} hint={hint}>
      {(id) => <SerdeInputs {...rest} id={id} />}
    </Field>
  )
}

type Form = SideDeclaration['form']

const FORMS: readonly { readonly value: Form; readonly label: string }[] = [
  { value: 'serde', label: 'Serde: reads and writes' },
  { value: 'deserializer', label: 'Deserializer: only reads' },
  { value: 'default', label: 'Not declared: the default' },
]

function sideOf(form: Form, before: SideDeclaration, type: string): SideDeclaration {
  if (form === 'default') return { form }
  const ref: SerdeRef =
    before.form === 'serde'
      ? before.serde
      : before.form === 'deserializer'
        ? before.deserializer
        : { kind: 'json', type }
  return form === 'serde' ? { form, serde: ref } : { form, deserializer: ref }
}

/** How a source declares its key or value. */
export function SideField(props: {
  readonly label: string
  readonly side: 'key' | 'value'
  readonly value: SideDeclaration
  readonly type: string
  readonly onChange: (value: SideDeclaration) => void
}) {
  const { label, side, value, type, onChange } = props
  const ref = value.form === 'serde' ? value.serde : value.form === 'deserializer' ? value.deserializer : undefined
  const warns = side === 'key' && value.form === 'deserializer'
  return (
    <Field label={label} hint={warns ? 'Says how to read a key, and not how a timer writes it.' : undefined}>
      {(id) => (
        <div className="stack">
          <Select
            full
            id={id}
            label={label}
            value={value.form}
            options={FORMS}
            onChange={(form) => onChange(sideOf(form, value, type))}
          />
          {ref && (
            <SerdeInputs
              label={value.form === 'serde' ? `${label} serde` : `${label} deserializer`}
              value={ref}
              type={type}
              typeIsKnown
              exportName={value.form === 'serde' ? `${side}Serde` : `${side}Deserializer`}
              onChange={(next) =>
                next &&
                onChange(
                  value.form === 'serde'
                    ? { form: 'serde', serde: next }
                    : { form: 'deserializer', deserializer: next },
                )
              }
            />
          )}
        </div>
      )}
    </Field>
  )
}
