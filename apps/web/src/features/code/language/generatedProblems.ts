import type { AnalysisProblem, GeneratedTopology, TopologyDocument } from '@lanescope/shared'
import type { CodeDiagnostic } from '../../../model/CodeDiagnostic.js'

/**
 * What the compiler says about generated code, as problems on the nodes whose calls it is: the first error of each.
 * A node whose own code has an error is left out, and so is what belongs to no node while there are such errors:
 * the generated code only repeats them.
 *
 * @param topology laid out as it was checked, so that its lines are those of the diagnostics
 * @param own what is wrong with people's own files
 */
export function generatedProblems(
  document: TopologyDocument,
  topology: GeneratedTopology,
  diagnostics: readonly CodeDiagnostic[],
  own: readonly AnalysisProblem[],
): AnalysisProblem[] {
  const blamed = new Set(own.map(({ nodeId }) => nodeId))
  const problems = new Map<string, AnalysisProblem>()
  for (const diagnostic of diagnostics) {
    if (diagnostic.severity !== 'error') continue
    const { path, line, column } = diagnostic
    const nodeId = path === 'topology.ts' ? topology.nodeAt(line) : undefined
    if (nodeId === undefined ? own.length > 0 : blamed.has(nodeId)) continue
    const name = document.nodes.find(({ id }) => id === nodeId)?.name
    const id = nodeId === undefined ? `types:${path}` : `types:${nodeId}:${path}`
    const subject = name === undefined ? 'The export' : `"${name}"`
    const message = `${subject} does not compile${name === undefined ? '' : ' in the export'}: ${reasonOf(diagnostic.message)}`
    if (!problems.has(id))
      problems.set(id, {
        id,
        ...(nodeId !== undefined && { nodeId }),
        severity: 'error',
        message,
        file: path,
        line,
        column,
      })
  }
  return [...problems.values()]
}

/** Of a chain of reasons the last: the first only says that a call fits none of its forms. */
function reasonOf(message: string): string {
  return (message.split('\n').at(-1) ?? message).trim()
}
