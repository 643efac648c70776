import { Glyph } from './Glyph.js'
import './controls.css'

export interface Option<T extends string> {
  readonly value: T
  readonly label: string
  readonly disabled?: boolean
}

/** The host's own select in our clothes: keyboard, screen readers and touch come with it. */
export function Select<T extends string>(props: {
  readonly label: string
  readonly value: T
  readonly options: readonly Option<T>[]
  readonly onChange: (value: T) => void
  readonly full?: boolean
  readonly disabled?: boolean
  readonly id?: string
}) {
  const { label, value, options, onChange, full, disabled, id } = props
  return (
    <span className={full ? 'select full' : 'select'}>
      <select
        id={id}
        aria-label={label}
        value={value}
        disabled={disabled}
        onChange={(event) => onChange(event.currentTarget.value as T)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value} disabled={option.disabled}>
            {option.label}
          </option>
        ))}
      </select>
      <Glyph name="down" size={12} />
    </span>
  )
}
