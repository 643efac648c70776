import { waitsFor } from '../../model/waitsFor.js'
import { useFindings, useProject, useStores, useView } from '../../store/context.js'
import { useAllFindings } from '../../store/shown.js'
import { SeverityMark } from '../../ui/SeverityMark.js'

/** What is said of a node, at the head of its form. */
export function NodeFindings(props: { readonly nodeId: string }) {
  const { nodeId } = props
  const { view } = useStores()
  const findings = useAllFindings().filter((finding) => finding.nodeId === nodeId)
  const problems =
    useFindings((state) => state.analysis?.problems)?.filter((problem) => problem.nodeId === nodeId) ?? []
  const document = useProject((state) => state.workspace.document)
  const waits = useFindings((state) => waitsFor(document, state.analysis, nodeId))
  const selectFinding = useView((state) => state.selectFinding)
  if (findings.length + problems.length === 0 && waits === undefined) return null
  return (
    <ul className="node-findings">
      {waits !== undefined && <li className="node-waits">{waits}</li>}
      {findings.map((finding) => (
        <li key={finding.id}>
          <button type="button" onClick={() => selectFinding(finding.id, nodeId)}>
            <SeverityMark severity={finding.severity} />
            <span>{finding.title}</span>
          </button>
        </li>
      ))}
      {problems.map((problem) => (
        <li key={problem.id}>
          <button
            type="button"
            disabled={problem.file === undefined}
            onClick={() =>
              problem.file !== undefined &&
              view
                .getState()
                .openCode({ path: problem.file, ...(problem.line === undefined ? {} : { line: problem.line }) })
            }
          >
            <SeverityMark severity={problem.severity} />
            <span>{problem.message}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}
