import { useEffect, useState } from 'react'
import { useServices } from '../../app/services.js'
import { useFindings, useProject, useStores, useView } from '../../store/context.js'
import { DialogFrame } from '../../ui/DialogFrame.js'
import { Glyph } from '../../ui/Glyph.js'
import { SeverityMark } from '../../ui/SeverityMark.js'
import { BuildVerdict, useBuildErrors } from './BuildVerdict.js'
import {
  EXPORT_FORMS,
  type ExportedFile,
  type ExportForm,
  exportFile,
  type ListedFile,
  listProject,
  missingParts,
} from './exportForms.js'
import './export.css'

/** Takes the project home: as TypeScript, as its document, as Kafka Streams' description, as a diagram or a picture. */
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
  const isProject = form === 'typescript'
  const text = isProject ? shown.code : shown.file?.text
  const save = useSaving(form, shown.file, text)
  const blocked = isProject ? shown.missing.length > 0 : shown.file === undefined
  const broken = useBuildErrors().length > 0
  const kb = Math.max(1, Math.round((shown.file?.blob.size ?? 0) / 1024))
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
          <Preview form={form} file={shown.file} />
        )}
      </div>
      <footer className="dialog-actions">
        {isProject && broken ? <BuildVerdict /> : <Warnings />}
        <span className="spring" />
        {shown.file !== undefined && text === undefined && (
          <span className="export-note">A picture has no text to copy</span>
        )}
        <button
          type="button"
          className="button lined"
          disabled={text === undefined}
          title={text === undefined ? 'There is no text to copy: download it.' : undefined}
          onClick={save.copy}
        >
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

/** The text itself, or the picture. */
function Preview(props: { readonly form: ExportForm; readonly file: ExportedFile | undefined }) {
  const { form, file } = props
  const isPicture = form === 'drawing' || form === 'image'
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    if (!isPicture || file === undefined) return undefined
    const made = URL.createObjectURL(file.blob)
    setUrl(made)
    return () => {
      URL.revokeObjectURL(made)
      setUrl(null)
    }
  }, [isPicture, file])
  if (!isPicture)
    return <pre className="export-text">{file?.text ?? 'The topology cannot be built yet: see its problems.'}</pre>
  return (
    <div className="export-picture">
      {url === null ? <p className="ink-3">Drawing…</p> : <img src={url} alt="The topology as it is drawn" />}
    </div>
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
  const projectId = useProject((state) => state.projectId) ?? 'topology'
  const analysis = useFindings((state) => state.analysis)
  const { notify } = useServices()
  const [files, setFiles] = useState<readonly ListedFile[] | null>(null)
  const [missing, setMissing] = useState<readonly string[]>([])
  const [file, setFile] = useState<ExportedFile | undefined>(undefined)
  useEffect(() => {
    let current = true
    const work = async () => {
      const [next, nextMissing] = await Promise.all([
        exportFile(form, projectId, workspace, analysis),
        missingParts(workspace),
      ])
      const nextFiles = form === 'typescript' && nextMissing.length === 0 ? await listProject(workspace) : null
      if (!current) return
      setFile(next)
      setMissing(nextMissing)
      setFiles(nextFiles)
    }
    setFile(undefined)
    work().catch((error: unknown) => {
      const [why = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
      notify(why, 'danger')
      // What cannot be written is not on its way either.
      if (current && form === 'typescript') setMissing([`The code cannot be written. ${why}`])
    })
    return () => {
      current = false
    }
  }, [form, projectId, workspace, analysis, notify])
  return { files, missing, file, code: analysis?.topologyText }
}

/** Downloads and copies. The project's zip comes from the agent, from what is on disk. */
function useSaving(form: ExportForm, file: ExportedFile | undefined, text: string | undefined) {
  const { session, exportUrl, notify } = useServices()
  const { project } = useStores()
  const [busy, setBusy] = useState(false)
  const run = async () => {
    const { projectId } = project.getState()
    if (projectId === null) return
    if (form === 'typescript') {
      await session.flush()
      saveAs(exportUrl(projectId), `${projectId}.zip`)
    } else if (file !== undefined) {
      const url = URL.createObjectURL(file.blob)
      saveAs(url, file.name)
      URL.revokeObjectURL(url)
    }
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
