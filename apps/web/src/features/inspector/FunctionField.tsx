import type { CodeRef } from '@lanescope/shared'
import { Field } from '../../ui/Field.js'
import { CodeRefInputs } from './CodeRefInputs.js'

/** A function of the user's, with what it is given and what it gives. */
export function FunctionField(props: {
  readonly label: string
  readonly hint: string
  readonly value: CodeRef
  /** It stands among others of the same node. */
  readonly compact?: boolean
  readonly onChange: (value: CodeRef) => void
}) {
  const { label, hint, value, onChange, compact = false } = props
  return (
    <Field label={label} hint={hint}>
      {() => <CodeRefInputs label={label} value={value} onChange={onChange} compact={compact} />}
    </Field>
  )
}
