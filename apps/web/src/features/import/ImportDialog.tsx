import { type ChangeEvent, useEffect, useId, useState } from 'react'
import { useServices } from '../../app/services.js'
import { formatOf } from '../../live/formatNumber.js'
import { type ImportedText, importText } from '../../model/importText.js'
import { useStores, useView } from '../../store/context.js'
import { DialogFrame } from '../../ui/DialogFrame.js'
import { SeverityMark } from '../../ui/SeverityMark.js'
import { openImported } from './openImported.js'
import './import.css'

/** Makes a project of a pasted TopologyDescription or a topology.json. */
export function ImportDialog() {
  const open = useView((state) => state.overlay === 'import')
  const set = useView((state) => state.set)
  const { canvas } = useServices()
  const close = () => set({ overlay: null })
  return (
    <DialogFrame open={open} onClose={close} title="Import" width={640} onClosed={() => canvas.current?.focus()}>
      <ImportBody onDone={close} />
    </DialogFrame>
  )
}

function ImportBody(props: { readonly onDone: () => void }) {
  const pasted = useView((state) => state.importing)
  const stores = useStores()
  const { session, notify } = useServices()
  const [text, setText] = useState(pasted)
  const read = useImported(text)
  const problemId = useId()
  const onFile = (event: ChangeEvent<HTMLInputElement>) => {
    const [file] = event.currentTarget.files ?? []
    event.currentTarget.value = ''
    if (file) void file.text().then(setText, (error: unknown) => notify(String(error), 'danger'))
  }
  const make = () => {
    if (!read?.ok) return
    openImported(read, stores, session).then(props.onDone, (error: unknown) =>
      notify(error instanceof Error ? error.message : String(error), 'danger'),
    )
  }
  return (
    <>
      <div className="import">
        <label htmlFor={`${problemId}-text`}>
          What <span className="mono">Topology#describe()</span> of a Kafka Streams application prints, or a{' '}
          <span className="mono">topology.json</span> of Lanescope.
        </label>
        <textarea
          id={`${problemId}-text`}
          className="input mono"
          // biome-ignore lint/a11y/noAutofocus: it opens to be pasted into
          autoFocus
          spellCheck={false}
          placeholder={PLACEHOLDER}
          value={text}
          aria-invalid={read?.ok === false}
          aria-describedby={problemId}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <p id={problemId} className="import-verdict" role="status">
          <Verdict read={read} />
        </p>
      </div>
      <footer className="dialog-actions">
        <label className="button lined import-file">
          Choose a file…
          <input type="file" accept=".json,.txt,application/json,text/plain" onChange={onFile} />
        </label>
        <span className="spring" />
        <button type="button" className="button primary" disabled={!read?.ok} onClick={make}>
          Make a project of it
        </button>
      </footer>
    </>
  )
}

/** What the text holds, or the first thing that is wrong with it; nothing while there is no text. */
function Verdict({ read }: { readonly read: ImportedText | null }) {
  if (read === null) return null
  if (!read.ok)
    return (
      <>
        <SeverityMark severity="error" /> {read.message}
      </>
    )
  const { nodes } = read.document
  const what = read.what === 'document' ? 'A topology document' : 'A TopologyDescription'
  const code =
    read.placeholders === 0
      ? ''
      : ` It does not tell what ${formatOf(read.placeholders, 'of them does', 'of them do')}: they get placeholders that hand records on.`
  const files = read.what === 'document' ? ' Its code is not in it: add the files that it names.' : ''
  return `${what} of ${formatOf(nodes.length, 'node')}.${code}${files}`
}

function useImported(text: string): ImportedText | null {
  const [read, setRead] = useState<ImportedText | null>(null)
  useEffect(() => {
    let current = true
    if (text.trim() === '') setRead(null)
    else
      void importText(text).then((next) => {
        if (current) setRead(next)
      })
    return () => {
      current = false
    }
  }, [text])
  return read
}

const PLACEHOLDER = `Topologies:
   Sub-topology: 0
    Source: KSTREAM-SOURCE-0000000000 (topics: [orders])
      --> KSTREAM-FILTER-0000000001
    …`
