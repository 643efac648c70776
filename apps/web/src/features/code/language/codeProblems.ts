import { type AnalysisProblem, codeUses, fileOfModule, type TopologyDocument } from '@lanescope/shared'
import type { CodeDiagnostic } from '../../../model/CodeDiagnostic.js'

/** TypeScript numbers errors of syntax below this. */
const FIRST_SEMANTIC = 2_000

/**
 * What the compiler says, as problems on the nodes whose code it is: the first error of each file for each of its
 * nodes. An error of syntax has the id that the analysis gives it, so that it is listed once.
 */
export function codeProblems(document: TopologyDocument, diagnostics: readonly CodeDiagnostic[]): AnalysisProblem[] {
  const uses = codeUses(document)
  const first = new Map<string, CodeDiagnostic>()
  const counts = new Map<string, number>()
  for (const diagnostic of diagnostics) {
    if (diagnostic.severity !== 'error') continue
    if (!first.has(diagnostic.path)) first.set(diagnostic.path, diagnostic)
    counts.set(diagnostic.path, (counts.get(diagnostic.path) ?? 0) + 1)
  }
  return [...first.values()].flatMap((diagnostic) => {
    const { path, line, column, code } = diagnostic
    const rule = code < FIRST_SEMANTIC ? 'syntax' : 'types'
    const others = (counts.get(path) ?? 1) - 1
    const message = others === 0 ? diagnostic.message : `${diagnostic.message} (and ${others} more in this file)`
    const problem = { severity: 'error', message, file: path, line, column } as const
    const nodeIds = new Set(uses.filter((use) => fileOfModule(use.code.module) === path).flatMap((use) => use.nodeIds))
    if (nodeIds.size === 0) return [{ id: `${rule}:${path}`, ...problem }]
    return [...nodeIds].map((nodeId) => ({ id: `${rule}:${nodeId}:${path}`, nodeId, ...problem }))
  })
}
