import { useEffect } from 'react'
import { useServices } from '../../app/services.js'
import type { CodeDiagnostic } from '../../model/CodeDiagnostic.js'
import { useFindings, useStores } from '../../store/context.js'
import { SeverityMark } from '../../ui/SeverityMark.js'

const NONE: readonly CodeDiagnostic[] = []

/** What the compiler says against the project, generated code among it; asks it if nobody has before. */
export function useBuildErrors(): readonly CodeDiagnostic[] {
  const { language } = useServices()
  const code = useFindings((state) => state.code)
  useEffect(() => {
    language.client()
  }, [language])
  return code?.filter(({ severity }) => severity === 'error') ?? NONE
}

/** Says that the export will not build, and leads to the first reason. */
export function BuildVerdict() {
  const errors = useBuildErrors()
  const { view } = useStores()
  const [first] = errors
  if (first === undefined) return null
  const go = () => {
    view.getState().set({ overlay: null })
    view.getState().openCode({ path: first.path, line: first.line })
  }
  const count = errors.length === 1 ? '1 error' : `${errors.length} errors`
  return (
    <span className="export-note" role="alert">
      <SeverityMark severity="error" /> It will not compile: {count}, first in {first.path}:{first.line}
      <button type="button" className="button lined small" onClick={go}>
        Open the code
      </button>
    </span>
  )
}
