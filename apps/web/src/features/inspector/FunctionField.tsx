import type { CodeRef } from '@lanescope/shared'
import { Field } from '../../ui/Field.js'
import { CodeRefInputs } from './CodeRefInputs.js'

/** A function of the user's, with what it is given and what it gives. */
export function FunctionField(props: {
  readonly label: string
  readonly hint: string
  readonly value: CodeRef
  readonly onChange: (value: CodeRef) => void
}) {
  const { label, hint, value, onChange } = props
  return (
    <Field label={label} hint={hint}>
      {() => <CodeRefInputs label={label} value={value} onChange={onChange} />}
    </Field>
  )
}
