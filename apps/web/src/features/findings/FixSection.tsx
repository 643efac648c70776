import type { Fix } from '@lanescope/core'
import type { AnalysedFinding, FixPreview } from '@lanescope/shared'
import { type FormEvent, useEffect, useState } from 'react'
import { suppress } from '../../model/commands/findings.js'
import { shortDiff } from '../../model/shortDiff.js'
import { withDocument } from '../../model/Workspace.js'
import { useProject, useStores } from '../../store/context.js'
import { CodeWords } from '../../ui/CodeWords.js'
import { makeFix } from '../commands/projectCommands.js'
import { useCommands } from '../commands/useCommands.js'

/** The foot of a finding: the fix as a diff, its button, why it matters, and how to silence it with a reason. */
export function FixSection(props: { readonly finding: AnalysedFinding }) {
  const { finding } = props
  const commands = useCommands()
  const { project } = useStores()
  const [open, setOpen] = useState<'why' | 'suppress' | null>(null)
  const [fix, ...others] = finding.fixes
  const apply = (chosen: Fix) =>
    void makeFix(commands.context, chosen).catch((error: unknown) =>
      commands.context.services.notify(String(error), 'danger'),
    )
  const onSuppress = (reason: string) =>
    project
      .getState()
      .edit(`Suppress ${finding.rule}`, (at) =>
        withDocument(at, (next) => suppress(next, finding.rule, finding.nodeId, reason)),
      )
  return (
    <footer className="fix-section">
      {open === 'why' && <p className="why">{finding.why}</p>}
      {open === 'suppress' && <SuppressForm onSuppress={onSuppress} onCancel={() => setOpen(null)} />}
      {fix ? (
        <>
          <h3>
            Quick fix <small>one undo step</small>
          </h3>
          <p>
            <CodeWords text={fix.effect} />
          </p>
          <Diff fix={fix} />
          <button type="button" className="button primary wide" onClick={() => apply(fix)}>
            {fix.title}
          </button>
          {others.map((other) => (
            <button
              key={other.title}
              type="button"
              className="button lined wide"
              title={other.effect}
              onClick={() => apply(other)}
            >
              {other.title}
            </button>
          ))}
        </>
      ) : (
        finding.note && (
          <>
            <h3>No quick fix</h3>
            <p>
              <CodeWords text={finding.note} />
            </p>
          </>
        )
      )}
      {fix && finding.note && <p className="fix-note">{finding.note}</p>}
      <div className="fix-acts">
        <button
          type="button"
          className="button lined small"
          aria-expanded={open === 'why'}
          onClick={() => setOpen(open === 'why' ? null : 'why')}
        >
          Why
        </button>
        <button
          type="button"
          className="button lined small"
          aria-expanded={open === 'suppress'}
          onClick={() => setOpen(open === 'suppress' ? null : 'suppress')}
        >
          Suppress…
        </button>
        <span className="spring" />
        {fix && <kbd>Ctrl .</kbd>}
      </div>
    </footer>
  )
}

/** Characters that a line of the diff has room for. */
const DIFF_ROOM = 42

/** The lines of the generated code that the fix takes away and puts there. */
function Diff(props: { readonly fix: Fix }) {
  const { fix } = props
  const document = useProject((state) => state.workspace.document)
  const [preview, setPreview] = useState<FixPreview | null>(null)
  useEffect(() => {
    let current = true
    void import('../../model/generated.js').then(({ fixPreview }) => {
      if (!current) return
      const { removed, added } = fixPreview(document, fix)
      setPreview(shortDiff(removed, added, DIFF_ROOM))
    })
    return () => {
      current = false
    }
  }, [document, fix])
  if (!preview || preview.removed.length + preview.added.length === 0) return null
  return (
    <pre
      className="diff"
      role="img"
      aria-label={`Removes ${preview.removed.join(' ')}. Adds ${preview.added.join(' ')}`}
    >
      {preview.removed.map((line) => (
        <div key={`-${line}`} className="removed">
          {line}
        </div>
      ))}
      {preview.added.map((line) => (
        <div key={`+${line}`} className="added">
          {line}
        </div>
      ))}
    </pre>
  )
}

function SuppressForm(props: { readonly onSuppress: (reason: string) => void; readonly onCancel: () => void }) {
  const [reason, setReason] = useState('')
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (reason.trim() !== '') props.onSuppress(reason.trim())
  }
  return (
    <form className="suppress" onSubmit={onSubmit}>
      <label htmlFor="suppress-reason">Why is this fine here? The project keeps the reason.</label>
      <input
        id="suppress-reason"
        className="input"
        // biome-ignore lint/a11y/noAutofocus: the person chose to type a reason
        autoFocus
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      <div>
        <button type="submit" className="button lined small" disabled={reason.trim() === ''}>
          Suppress
        </button>
        <button type="button" className="button small" onClick={props.onCancel}>
          Cancel
        </button>
      </div>
    </form>
  )
}
