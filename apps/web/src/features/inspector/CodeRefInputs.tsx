import type { CodeRef } from '@lanescope/shared'
import { pathOf } from '../../model/clipboard.js'
import { exportProblem, moduleProblem } from '../../model/codeRefProblem.js'
import { useProject, useView } from '../../store/context.js'
import { draftProps } from '../../ui/Field.js'
import { Glyph } from '../../ui/Glyph.js'
import { useDraft } from '../../ui/useDraft.js'

/** A named export of a module under `src/`, with the way to its text: in words, or where several stand below each other, as a glyph. */
export function CodeRefInputs(props: {
  readonly label: string
  readonly value: CodeRef
  readonly onChange: (value: CodeRef) => void
  readonly compact?: boolean
}) {
  const { label, value, onChange, compact = false } = props
  const openCode = useView((state) => state.openCode)
  const path = pathOf(value.module)
  const there = useProject((state) => state.workspace.files[path] !== undefined)
  const module = useDraft(value.module, moduleProblem, (next) => onChange({ ...value, module: next }))
  const name = useDraft(value.export, exportProblem, (next) => onChange({ ...value, export: next }))
  const problems = [module.refused, name.refused].filter((problem) => problem !== undefined)
  const way = there ? `Open ${path}` : `Write ${path}`
  return (
    <div className="stack">
      <div className={compact ? 'pair with-act' : 'pair'}>
        <input className="input mono" aria-label={`${label}: module`} spellCheck={false} {...draftProps(module)} />
        <input className="input mono" aria-label={`${label}: export`} spellCheck={false} {...draftProps(name)} />
        {compact && (
          <button
            type="button"
            className="icon-button small"
            aria-label={`${label}: ${way}`}
            title={way}
            onClick={() => openCode({ path })}
          >
            <Glyph name="code" size={14} />
          </button>
        )}
      </div>
      {problems.map((problem) => (
        <p key={problem} className="field-problem" role="alert">
          {problem}
        </p>
      ))}
      {!compact && (
        <button type="button" className="button lined small open-code" onClick={() => openCode({ path })}>
          <Glyph name="code" size={13} />
          {way}
        </button>
      )}
    </div>
  )
}
