import { type ReactNode, useEffect, useId, useState } from 'react'
import './field.css'

/** A labelled row of a form. */
export function Field(props: {
  readonly label: string
  readonly hint?: string | undefined
  readonly problem?: string | undefined
  readonly children: (id: string) => ReactNode
}) {
  const { label, hint, problem, children } = props
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children(id)}
      {problem !== undefined ? (
        <p className="field-problem" role="alert">
          {problem}
        </p>
      ) : (
        hint && <p className="field-hint">{hint}</p>
      )}
    </div>
  )
}

/**
 * A text field over a value of the document. What is typed is kept here while it cannot be taken, with the reason
 * below it, until Escape or another value; what can be taken is taken at once, so that undo goes through bursts of
 * typing.
 */
export function TextField(props: {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly check?: (value: string) => string | undefined
  readonly hint?: string | undefined
  readonly placeholder?: string
  readonly mono?: boolean
}) {
  const { label, value, onChange, check, hint, placeholder, mono } = props
  const [text, setText] = useState(value)
  const [refused, setRefused] = useState<string | undefined>(undefined)
  useEffect(() => {
    setText(value)
    setRefused(undefined)
  }, [value])
  const onType = (next: string) => {
    setText(next)
    const problem = check?.(next)
    setRefused(problem)
    if (problem === undefined) onChange(next)
  }
  return (
    <Field label={label} hint={hint} problem={refused}>
      {(id) => (
        <input
          id={id}
          className={mono ? 'input mono' : 'input'}
          value={text}
          placeholder={placeholder}
          spellCheck={false}
          aria-invalid={refused !== undefined}
          onChange={(event) => onType(event.currentTarget.value)}
          onKeyDown={(event) => {
            // Out of the field, and no further: the next Escape is the page's.
            if (event.key !== 'Escape') return
            event.stopPropagation()
            setText(value)
            setRefused(undefined)
            event.currentTarget.blur()
          }}
          // What cannot be taken stays with its reason: without a word it would seem to be taken.
          onBlur={() => refused === undefined && setText(value)}
        />
      )}
    </Field>
  )
}
