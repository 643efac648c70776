import type { Severity } from '@lanescope/core'
import { useFindings, useProject, useView } from '../../store/context.js'
import type { FindingsState } from '../../store/findingsStore.js'
import { Glyph } from '../../ui/Glyph.js'
import { SeverityMark } from '../../ui/SeverityMark.js'

const count = (severity: Severity) => (state: FindingsState) => {
  const { analysis } = state
  if (!analysis) return 0
  const found = analysis.findings.filter((one) => one.severity === severity).length
  return found + analysis.problems.filter((one) => one.severity === severity).length
}

const errors = count('error')
const warnings = count('warn')
const hints = count('hint')

/** How many problems of each kind; opens their list. */
export function ProblemCounts() {
  const open = useProject((state) => state.projectId !== null)
  const known = useFindings((state) => state.analysis !== null)
  const counts: readonly (readonly [Severity, number, string])[] = [
    ['error', useFindings(errors), 'errors'],
    ['warn', useFindings(warnings), 'warnings'],
    ['hint', useFindings(hints), 'hints'],
  ]
  const openTab = useView((state) => state.openTab)
  const some = counts.filter(([, n]) => n > 0)
  if (!open || (known && some.length === 0)) {
    return (
      <span className="counts-none" role="status">
        <Glyph name="check" size={14} />
        No problems
      </span>
    )
  }
  if (!known)
    return (
      <span className="counts-none" role="status">
        Checking…
      </span>
    )
  return (
    <button
      type="button"
      className="counts"
      aria-label={some.map(([, n, word]) => `${n} ${n === 1 ? word.slice(0, -1) : word}`).join(', ')}
      onClick={() => openTab('problems')}
    >
      {some.map(([severity, n]) => (
        <span key={severity}>
          <SeverityMark severity={severity} />
          {n}
        </span>
      ))}
    </button>
  )
}
