import type { CodeRef } from '@lanescope/shared'
import { useEffect, useState } from 'react'
import { pathOf } from '../../model/clipboard.js'
import { useProject, useView } from '../../store/context.js'
import { Glyph } from '../../ui/Glyph.js'

const MODULE = /^\.\/[A-Za-z0-9_./-]+$/
const EXPORT = /^[A-Za-z_$][\w$]*$/

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
  const way = there ? `Open ${path}` : `Write ${path}`
  return (
    <div className="stack">
      <div className={compact ? 'pair with-act' : 'pair'}>
        <Draft
          label={`${label}: module`}
          value={value.module}
          pattern={MODULE}
          onTake={(module) => onChange({ ...value, module })}
        />
        <Draft
          label={`${label}: export`}
          value={value.export}
          pattern={EXPORT}
          onTake={(name) => onChange({ ...value, export: name })}
        />
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
      {!compact && (
        <button type="button" className="button lined small open-code" onClick={() => openCode({ path })}>
          <Glyph name="code" size={13} />
          {way}
        </button>
      )}
    </div>
  )
}

/** Takes what fits the pattern, and keeps the rest as it is typed. */
function Draft(props: {
  readonly label: string
  readonly value: string
  readonly pattern: RegExp
  readonly onTake: (value: string) => void
}) {
  const { label, value, pattern, onTake } = props
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  return (
    <input
      className="input mono"
      aria-label={label}
      aria-invalid={!pattern.test(text)}
      spellCheck={false}
      value={text}
      onChange={(event) => {
        const next = event.currentTarget.value
        setText(next)
        if (pattern.test(next)) onTake(next)
      }}
      onBlur={() => setText(value)}
    />
  )
}
