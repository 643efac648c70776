import type { Fix } from '@lanescope/core'
import type { AnalysisProblem } from '@lanescope/shared'
import { useMemo } from 'react'
import { unsuppress } from '../../model/commands/findings.js'
import { withDocument } from '../../model/Workspace.js'
import { useFindings, useProject, useStores, useView } from '../../store/context.js'
import { Glyph } from '../../ui/Glyph.js'
import { SeverityMark } from '../../ui/SeverityMark.js'
import { makeFix, makeFixes } from '../commands/projectCommands.js'
import { useCommands } from '../commands/useCommands.js'
import { fixesOfKind, type Grouping, type ProblemRow, problemRows } from './problemRows.js'
import './problems.css'

/** Everything that is wrong or may be, each with its fix. */
export function ProblemsTab() {
  const analysis = useFindings((state) => state.analysis)
  const open = useProject((state) => state.projectId !== null)
  const nodes = useProject((state) => state.workspace.document.nodes)
  const grouping = useView((state) => (state.params.group === 'node' ? 'node' : 'severity') satisfies Grouping)
  const rows = useMemo(
    () =>
      problemRows(
        analysis,
        nodes.map((node) => node.id),
        grouping,
      ),
    [analysis, nodes, grouping],
  )
  if (rows.length === 0) {
    const text = !open ? 'Nothing to report yet.' : analysis ? 'No problems.' : 'Checking the topology…'
    return <p className="problems-none">{text}</p>
  }
  return (
    <ul className="problems" aria-label="Problems">
      {rows.map((row) => (
        <li key={row.id}>
          {row.type === 'problem' ? (
            <CodeProblem problem={row.problem} />
          ) : (
            <FindingRow row={row} alike={fixesOfKind(rows, row.finding.rule)} />
          )}
        </li>
      ))}
    </ul>
  )
}

function FindingRow(props: {
  readonly row: Exclude<ProblemRow, { type: 'problem' }>
  /** Fixes of all findings of its kind, where there are others. */
  readonly alike: readonly Fix[]
}) {
  const { row, alike } = props
  const { finding } = row
  const shown = useView((state) => state.findingId === finding.id)
  const selectFinding = useView((state) => state.selectFinding)
  const { project } = useStores()
  const commands = useCommands()
  const [fix] = finding.fixes
  if (row.type === 'suppressed') {
    const undo = () =>
      project
        .getState()
        .edit(`Report ${finding.rule} again`, (at) =>
          withDocument(at, (next) => unsuppress(next, finding.rule, finding.nodeId)),
        )
    return (
      <div className="problem suppressed">
        <Glyph name="barred" size={14} />
        <span className="problem-title">
          {finding.title} <em>suppressed: {row.reason}</em>
        </span>
        <span className="mono problem-rule">{finding.rule}</span>
        <button type="button" className="problem-fix" onClick={undo}>
          Report again
        </button>
      </div>
    )
  }
  return (
    <div className={shown ? 'problem shown' : 'problem'}>
      <SeverityMark severity={row.severity} />
      <button
        type="button"
        className="problem-title"
        aria-pressed={shown}
        onClick={() => selectFinding(finding.id, finding.nodeId)}
      >
        {!finding.title.split(' ').includes(finding.node) && <b>{finding.node}: </b>}
        {finding.title}
      </button>
      <span className="mono problem-rule">{finding.rule}</span>
      {fix && (
        <span className="problem-fixes">
          <button
            type="button"
            className="problem-fix"
            title={fix.effect}
            onClick={() => void makeFix(commands.context, fix)}
          >
            {fix.title}
          </button>
          {alike[0] === fix && (
            <button
              type="button"
              className="problem-fix whole"
              title="All findings of this kind"
              onClick={() => void makeFixes(commands.context, finding.rule, alike)}
            >
              Fix all {alike.length}
            </button>
          )}
        </span>
      )}
    </div>
  )
}

function CodeProblem(props: { readonly problem: AnalysisProblem }) {
  const { problem } = props
  const { view } = useStores()
  const name = useProject((state) => state.workspace.document.nodes.find((node) => node.id === problem.nodeId)?.name)
  const place =
    problem.file === undefined ? undefined : `${problem.file}${problem.line === undefined ? '' : `:${problem.line}`}`
  const go = () => {
    if (problem.nodeId !== undefined) view.getState().selectNodes([problem.nodeId])
    if (problem.file !== undefined)
      view.getState().openCode({ path: problem.file, ...(problem.line === undefined ? {} : { line: problem.line }) })
  }
  return (
    <div className="problem">
      <SeverityMark severity={problem.severity} />
      <button type="button" className="problem-title" onClick={go}>
        {name !== undefined && !problem.message.includes(`"${name}"`) && <b>{name}: </b>}
        {problem.message}
      </button>
      <span className="mono problem-rule">{place ?? problem.field ?? ''}</span>
      {place !== undefined && (
        <button type="button" className="problem-fix" onClick={go}>
          Open the code
        </button>
      )}
    </div>
  )
}
