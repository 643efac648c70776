import type { Fix, Severity } from '@lanescope/core'
import type { AnalysedFinding, AnalysisProblem, AnalysisResult } from '@lanescope/shared'

/** A line of the list: a finding of validation, one that is suppressed, or what keeps the analysis from a part. */
export type ProblemRow =
  | {
      readonly type: 'finding'
      readonly id: string
      readonly severity: Severity
      readonly nodeId: string
      readonly finding: AnalysedFinding
    }
  | {
      readonly type: 'suppressed'
      readonly id: string
      readonly nodeId: string
      readonly finding: AnalysedFinding
      readonly reason: string
    }
  | {
      readonly type: 'problem'
      readonly id: string
      readonly severity: Severity
      readonly nodeId: string | undefined
      readonly problem: AnalysisProblem
    }

export type Grouping = 'severity' | 'node'

const RANK: { readonly [severity in Severity]: number } = { error: 0, warn: 1, hint: 2 }
const rankOf = (row: ProblemRow) => (row.type === 'suppressed' ? 3 : RANK[row.severity])

/** The list in its order: the worst first, or node by node as the document has them. */
export function problemRows(
  analysis: AnalysisResult | null,
  nodeIds: readonly string[],
  grouping: Grouping,
): readonly ProblemRow[] {
  if (!analysis) return []
  const rows: ProblemRow[] = [
    ...analysis.problems.map(
      (problem): ProblemRow => ({
        type: 'problem',
        id: problem.id,
        severity: problem.severity,
        nodeId: problem.nodeId,
        problem,
      }),
    ),
    ...analysis.findings.map(
      (finding): ProblemRow => ({
        type: 'finding',
        id: finding.id,
        severity: finding.severity,
        nodeId: finding.nodeId,
        finding,
      }),
    ),
    ...analysis.suppressed.map(
      ({ finding, reason }): ProblemRow => ({
        type: 'suppressed',
        id: `suppressed ${finding.id}`,
        nodeId: finding.nodeId,
        finding,
        reason,
      }),
    ),
  ]
  const place = (row: ProblemRow) => (row.nodeId === undefined ? -1 : nodeIds.indexOf(row.nodeId))
  return rows
    .map((row, index) => ({ row, index }))
    .sort((a, b) => {
      const byNode = grouping === 'node' ? place(a.row) - place(b.row) : 0
      return byNode || rankOf(a.row) - rankOf(b.row) || a.index - b.index
    })
    .map(({ row }) => row)
}

/** The first fix of every finding of a rule, for mending them together; empty where a single one would do. */
export function fixesOfKind(rows: readonly ProblemRow[], rule: string): readonly Fix[] {
  const fixes = rows.flatMap((row) =>
    row.type === 'finding' && row.finding.rule === rule ? row.finding.fixes.slice(0, 1) : [],
  )
  return fixes.length > 1 ? fixes : []
}
