import type { CodeDiagnostic } from '../../model/CodeDiagnostic.js'
import { useProject, useStores } from '../../store/context.js'
import { Glyph } from '../../ui/Glyph.js'
import { SeverityMark } from '../../ui/SeverityMark.js'

/** The line below the editor: whether it compiles, the last change, the cursor's place. */
export function CodeStatus(props: {
  /** Null while the compiler has not looked yet. */
  readonly errors: readonly CodeDiagnostic[] | null
  readonly cursor: { readonly line: number; readonly column: number }
  readonly onGo: (diagnostic: CodeDiagnostic) => void
}) {
  const { errors, cursor, onGo } = props
  const { project } = useStores()
  const undoLabel = useProject((state) => state.undoLabel)
  return (
    <div className="code-status">
      <Verdict errors={errors} onGo={onGo} />
      {undoLabel !== undefined && (
        <>
          <span className="code-last">{undoLabel}</span>
          <button type="button" className="code-undo" onClick={() => project.getState().undo()}>
            Undo
          </button>
        </>
      )}
      <span className="spring" />
      <span className="mono">
        Ln {cursor.line}, Col {cursor.column}
      </span>
    </div>
  )
}

function Verdict(props: {
  readonly errors: readonly CodeDiagnostic[] | null
  readonly onGo: (diagnostic: CodeDiagnostic) => void
}) {
  const { errors, onGo } = props
  if (errors === null) return <span role="status">Checking…</span>
  const [first] = errors
  if (first === undefined) {
    return (
      <span role="status" className="code-verdict">
        <Glyph name="check" size={13} /> Compiles
      </span>
    )
  }
  const count = errors.length === 1 ? '1 error' : `${errors.length} errors`
  return (
    <button type="button" className="code-verdict wrong" onClick={() => onGo(first)}>
      <SeverityMark severity="error" /> {count}
      <span className="code-first">
        {first.path}:{first.line} {first.message.split('\n')[0]}
      </span>
    </button>
  )
}
