import { typeProblem } from '@lanescope/shared'
import { draftProps } from '../../ui/Field.js'
import { useDraft } from '../../ui/useDraft.js'

/** The TypeScript type of a JSON serde. What is no type is kept with its reason, and not taken. */
export function TypeInput(props: {
  readonly label: string
  readonly value: string
  readonly onChange: (type: string) => void
}) {
  const draft = useDraft(props.value, typeProblem, props.onChange)
  return (
    <>
      <input className="input mono" aria-label={props.label} spellCheck={false} {...draftProps(draft)} />
      {draft.refused !== undefined && (
        <p className="field-problem" role="alert">
          {draft.refused}
        </p>
      )}
    </>
  )
}
