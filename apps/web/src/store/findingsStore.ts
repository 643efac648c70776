import type { AnalysisProblem, AnalysisResult } from '@lanescope/shared'
import { createStore, type StoreApi } from 'zustand/vanilla'
import type { CodeDiagnostic } from '../model/CodeDiagnostic.js'

export interface FindingsState {
  /** The newest analysis with what the compiler says; null until the first came. Stays while a newer one is made. */
  readonly analysis: AnalysisResult | null
  /** Whether the document has changed since. */
  readonly stale: boolean
  /** What the compiler says about the user's files; null until the language service has looked. */
  readonly code: readonly CodeDiagnostic[] | null
  readonly take: (analysis: AnalysisResult) => void
  /** The compiler's newest word, and the same as problems on the nodes whose code it is. */
  readonly takeCode: (code: readonly CodeDiagnostic[], problems: readonly AnalysisProblem[]) => void
  readonly markStale: () => void
  readonly clear: () => void
}

export type FindingsStore = StoreApi<FindingsState>

export function createFindingsStore(): FindingsStore {
  return createStore<FindingsState>()((set) => {
    // The two come at their own pace; readers see one list of problems.
    let analysed: AnalysisResult | null = null
    let problems: readonly AnalysisProblem[] = []
    const together = () => (analysed === null ? null : withProblems(analysed, problems))
    return {
      analysis: null,
      stale: false,
      code: null,
      take: (analysis) => {
        analysed = analysis
        set({ analysis: together(), stale: false })
      },
      takeCode: (code, found) => {
        problems = found
        set({ code, analysis: together() })
      },
      markStale: () => set({ stale: true }),
      clear: () => {
        analysed = null
        problems = []
        set({ analysis: null, stale: false, code: null })
      },
    }
  })
}

/** Adds problems that the analysis does not know yet; what it knows, it knows better. */
function withProblems(analysis: AnalysisResult, problems: readonly AnalysisProblem[]): AnalysisResult {
  const known = new Set(analysis.problems.map(({ id }) => id))
  const added = problems.filter(({ id }) => !known.has(id))
  return added.length === 0 ? analysis : { ...analysis, problems: [...analysis.problems, ...added] }
}
