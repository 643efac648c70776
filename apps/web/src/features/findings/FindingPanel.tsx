import type { AnalysedFinding } from '@lanescope/shared'
import { useServices } from '../../app/services.js'
import { useView } from '../../store/context.js'
import { useAllFindings, useShownFinding } from '../../store/shown.js'
import { CodeWords } from '../../ui/CodeWords.js'
import { Glyph } from '../../ui/Glyph.js'
import { PanelHead } from '../../ui/PanelHead.js'
import { SeverityMark } from '../../ui/SeverityMark.js'
import { useCommands } from '../commands/useCommands.js'
import { CandidateTable } from './CandidateTable.js'
import { FixSection } from './FixSection.js'
import { ProofSection } from './ProofSection.js'
import './finding.css'

/** A finding: evidence first, then where it came from, then the fix. */
export function FindingPanel() {
  const finding = useShownFinding()
  const all = useAllFindings()
  const selectFinding = useView((state) => state.selectFinding)
  const commands = useCommands()
  const { notify } = useServices()
  if (!finding) return <GoneFinding onClose={() => selectFinding(null)} />
  const copyLink = () =>
    void navigator.clipboard.writeText(window.location.href).then(
      () => notify('The link is copied.'),
      () => notify('The browser did not let the link be copied.', 'caution'),
    )
  return (
    <section className="panel" aria-label="Finding">
      <PanelHead
        title="Finding"
        note={`${all.indexOf(finding) + 1} of ${all.length}`}
        onClose={() => selectFinding(null)}
      >
        <button
          type="button"
          className="icon-button small"
          aria-label="Previous finding"
          title="Previous (Shift F8)"
          onClick={() => commands.run('previous-finding')}
        >
          <Glyph name="up" />
        </button>
        <button
          type="button"
          className="icon-button small"
          aria-label="Next finding"
          title="Next (F8)"
          onClick={() => commands.run('next-finding')}
        >
          <Glyph name="down" />
        </button>
        <button
          type="button"
          className="icon-button small"
          aria-label="Copy a link to this finding"
          title="Copy a link"
          onClick={copyLink}
        >
          <Glyph name="link" size={14} />
        </button>
      </PanelHead>
      <div className="panel-body">
        <p className="rule-line">
          <SeverityMark severity={finding.severity} />
          <span className="mono">{finding.rule}</span> on {finding.node}
        </p>
        <h2>{finding.title}</h2>
        <p className="finding-text">
          <CodeWords text={finding.message} />
        </p>
        {(finding.proofs?.length ?? 0) > 0 && <ProofSection finding={finding} />}
        {finding.endangered && <Endangered finding={finding} />}
        <CandidateTable finding={finding} />
      </div>
      <FixSection key={finding.id} finding={finding} />
    </section>
  )
}

/** What one record from the future would take. */
function Endangered(props: { readonly finding: AnalysedFinding }) {
  const list = props.finding.endangered ?? []
  if (list.length === 0) return null
  return (
    <section aria-label="What it would take">
      <h3 className="panel-heading">What it would take</h3>
      <ul className="endangered">
        {list.map((one) => (
          <li key={`${one.what} ${one.name}`}>
            <Glyph
              name={one.what === 'timers' ? 'timer' : 'store'}
              size={13}
              className={one.what === 'timers' ? 'timer' : 'segment'}
            />
            <b>{one.name}</b>
            <span>{one.detail}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function GoneFinding(props: { readonly onClose: () => void }) {
  const commands = useCommands()
  const left = useAllFindings().length
  return (
    <section className="panel" aria-label="Finding">
      <PanelHead title="Finding" onClose={props.onClose} />
      <div className="panel-body">
        <p className="finding-gone">
          <Glyph name="check" size={14} /> This finding does not hold any more.
        </p>
        {left > 0 && (
          <button type="button" className="button lined small" onClick={() => commands.run('next-finding')}>
            {left === 1 ? 'Show the one that is left' : `Show the next of ${left}`}
          </button>
        )}
      </div>
    </section>
  )
}
