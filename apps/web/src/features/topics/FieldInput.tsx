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
  // Nothing typed yet is not wrong yet; it is not sent either.
  const wrong = !encoded.ok && field.text !== ''
  const common = {
    className: 'input mono',
    'aria-label': label,
    'aria-invalid': wrong,
    disabled: isNull,
    value: isNull ? '' : field.text,
    placeholder: isNull ? 'null' : PLACEHOLDERS[field.encoding],
    spellCheck: false,
  }
  return (
    <div className={rows > 1 ? 'field-input' : 'field-input one-line'}>
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
      {wrong && !encoded.ok && <p className="field-problem">{encoded.problem}</p>}
    </div>
  )
}

const PLACEHOLDERS: { readonly [encoding in Field['encoding']]: string } = {
  text: '',
  json: 'JSON, such as {"n": 1} or "text"',
  long: 'a whole number',
  hex: '22 6b 30 22',
  null: 'null',
}
