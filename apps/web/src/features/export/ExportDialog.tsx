import { useEffect, useState } from 'react'
import { useServices } from '../../app/services.js'
import { useFindings, useProject, useStores, useView } from '../../store/context.js'
import { DialogFrame } from '../../ui/DialogFrame.js'
import { Glyph } from '../../ui/Glyph.js'
import { SeverityMark } from '../../ui/SeverityMark.js'
import { BuildVerdict, useBuildErrors } from './BuildVerdict.js'
import { EXPORT_FORMS, type ExportForm, exportText, type ListedFile, listProject, missingParts } from './exportForms.js'
import './export.css'

/** Takes the project home: as TypeScript, as its document, as Kafka Streams' description. */
export function ExportDialog() {
  const open = useView((state) => state.overlay === 'export')
  const set = useView((state) => state.set)
  return (
    <DialogFrame open={open} onClose={() => set({ overlay: null })} title="Export" width={640}>
      <ExportBody onDone={() => set({ overlay: null })} />
    </DialogFrame>
  )
}

function ExportBody(props: { readonly onDone: () => void }) {
  const [form, setForm] = useState<ExportForm>('typescript')
  const shown = useExport(form)
  const save = useSaving(form, shown.text)
  const isProject = form === 'typescript'
  const blocked = isProject ? shown.missing.length > 0 : shown.text === undefined
  const broken = useBuildErrors().length > 0
  const kb = Math.max(1, Math.round(shown.size / 1024))
  return (
    <>
      <div className="export">
        <div className="export-forms" role="radiogroup" aria-label="Form">
          {EXPORT_FORMS.map((one) => (
            <label key={one.id} className={one.id === form ? 'chosen' : ''}>
              <input type="radio" name="export-form" checked={one.id === form} onChange={() => setForm(one.id)} />
              {one.label}
              <span className="mono">{one.ending}</span>
            </label>
          ))}
        </div>
        {isProject ? (
          <FileList files={shown.files} missing={shown.missing} />
        ) : (
          <pre className="export-text">{shown.text ?? 'The topology cannot be built yet: see its problems.'}</pre>
        )}
      </div>
      <footer className="dialog-actions">
        {isProject && broken ? <BuildVerdict /> : <Warnings />}
        <span className="spring" />
        <button type="button" className="button lined" disabled={shown.text === undefined} onClick={save.copy}>
          {isProject ? 'Copy code' : 'Copy'}
        </button>
        <button
          type="button"
          className="button primary"
          disabled={blocked || save.busy}
          onClick={() => {
            save.download(props.onDone)
          }}
        >
          {isProject ? (broken ? 'Export anyway' : 'Export project') : `Export ${kb} KB`}
        </button>
      </footer>
    </>
  )
}

function FileList(props: { readonly files: readonly ListedFile[] | null; readonly missing: readonly string[] }) {
  const name = useProject((state) => state.projectId)
  if (props.missing.length > 0) {
    return (
      <div className="export-files">
        <p>Before it can run:</p>
        <ul className="export-missing">
          {props.missing.map((message) => (
            <li key={message}>
              <SeverityMark severity="error" />
              {message}
            </li>
          ))}
        </ul>
      </div>
    )
  }
  return (
    <div className="export-files mono">
      <p>{name}/</p>
      {props.files === null ? (
        <p className="ink-3">Writing the code…</p>
      ) : (
        <dl>
          {props.files.map((file) => (
            <div key={file.path}>
              <dt>{file.path}</dt>
              <dd>{file.note}</dd>
            </div>
          ))}
          <div>
            <dt>vendor/</dt>
            <dd>the packages it needs</dd>
          </div>
        </dl>
      )}
    </div>
  )
}

function Warnings() {
  const count = useFindings(
    (state) => state.analysis?.findings.filter((finding) => finding.severity !== 'hint').length ?? 0,
  )
  if (count === 0) {
    return (
      <span className="export-note">
        <Glyph name="check" size={14} /> No warnings
      </span>
    )
  }
  return (
    <span className="export-note">
      <SeverityMark severity="warn" /> {count === 1 ? '1 warning holds' : `${count} warnings hold`} for the exported
      project, too
    </span>
  )
}

/** What the chosen form holds, as the project stands. */
function useExport(form: ExportForm) {
  const workspace = useProject((state) => state.workspace)
  const analysis = useFindings((state) => state.analysis)
  const { notify } = useServices()
  const [files, setFiles] = useState<readonly ListedFile[] | null>(null)
  const [missing, setMissing] = useState<readonly string[]>([])
  const [text, setText] = useState<string | undefined>(undefined)
  useEffect(() => {
    let current = true
    const work = async () => {
      const [nextText, nextMissing] = await Promise.all([
        exportText(form, workspace, analysis),
        missingParts(workspace),
      ])
      const nextFiles = form === 'typescript' && nextMissing.length === 0 ? await listProject(workspace) : null
      if (!current) return
      setText(nextText)
      setMissing(nextMissing)
      setFiles(nextFiles)
    }
    work().catch((error: unknown) => notify(String(error), 'danger'))
    return () => {
      current = false
    }
  }, [form, workspace, analysis, notify])
  return { files, missing, text, size: text?.length ?? 0 }
}

/** Downloads and copies. The project's zip comes from the agent, from what is on disk. */
function useSaving(form: ExportForm, text: string | undefined) {
  const { session, exportUrl, notify } = useServices()
  const { project } = useStores()
  const [busy, setBusy] = useState(false)
  const run = async () => {
    const { projectId } = project.getState()
    if (projectId === null) return
    if (form !== 'typescript') {
      const ending = form === 'document' ? 'topology.json' : `${projectId}.txt`
      const url = URL.createObjectURL(new Blob([text ?? ''], { type: 'text/plain' }))
      saveAs(url, ending)
      URL.revokeObjectURL(url)
      return
    }
    await session.flush()
    saveAs(exportUrl(projectId), `${projectId}.zip`)
  }
  return {
    busy,
    download: (onDone: () => void) => {
      setBusy(true)
      void run()
        .then(onDone, (error: unknown) => notify(error instanceof Error ? error.message : String(error), 'danger'))
        .finally(() => setBusy(false))
    },
    copy: () =>
      void navigator.clipboard.writeText(text ?? '').then(
        () => notify('Copied.'),
        () => notify('The browser did not let it be copied.', 'caution'),
      ),
  }
}

function saveAs(url: string, name: string): void {
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
}
