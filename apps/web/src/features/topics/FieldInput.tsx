import { Select } from '../../ui/Select.js'
import { ENCODINGS, encodeField, type Field } from './encodeField.js'
import './topics.css'

/** A key or a value: its text and how the text becomes bytes, with the bytes or the problem below. */
export function FieldInput(props: {
  readonly label: string
  readonly field: Field
  readonly onChange: (field: Field) => void
  readonly rows?: number
}) {
  const { label, field, onChange, rows = 1 } = props
  const encoded = encodeField(field)
  const isNull = field.encoding === 'null'
  const common = {
    className: 'input mono',
    'aria-label': label,
    'aria-invalid': !encoded.ok,
    disabled: isNull,
    value: isNull ? '' : field.text,
    placeholder: isNull ? 'null' : '',
    spellCheck: false,
  }
  return (
    <div className="field-input">
      <div className="field-head">
        <span>{label}</span>
        <Select
          label={`${label} as`}
          value={field.encoding}
          options={ENCODINGS}
          onChange={(encoding) => onChange({ ...field, encoding })}
        />
      </div>
      {rows > 1 ? (
        <textarea
          {...common}
          rows={rows}
          onChange={(event) => onChange({ ...field, text: event.currentTarget.value })}
        />
      ) : (
        <input {...common} onChange={(event) => onChange({ ...field, text: event.currentTarget.value })} />
      )}
      {!encoded.ok && <p className="field-problem">{encoded.problem}</p>}
    </div>
  )
}
