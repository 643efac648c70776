import { type KeyboardEvent, type ReactNode, useId } from 'react'
import { type Draft, useDraft } from './useDraft.js'
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
  const draft = useDraft(value, check, onChange)
  return (
    <Field label={label} hint={hint} problem={draft.refused}>
      {(id) => (
        <input
          id={id}
          className={mono ? 'input mono' : 'input'}
          placeholder={placeholder}
          spellCheck={false}
          {...draftProps(draft)}
        />
      )}
    </Field>
  )
}

/** What an input shows of a draft, and what it tells it. */
export function draftProps(draft: Draft) {
  return {
    value: draft.text,
    'aria-invalid': draft.refused !== undefined,
    onChange: (event: { readonly currentTarget: { readonly value: string } }) => draft.type(event.currentTarget.value),
    onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => {
      // Out of the field, and no further: the next Escape is the page's.
      if (event.key !== 'Escape') return
      event.stopPropagation()
      draft.drop()
      event.currentTarget.blur()
    },
    onBlur: () => draft.leave(),
  }
}
