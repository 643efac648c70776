import { useCallback, useMemo, useState } from 'react'
import { useServices } from '../../app/services.js'
import type { History } from '../../model/history.js'
import type { Workspace } from '../../model/Workspace.js'
import { useFindings, useProject, useStores, useView } from '../../store/context.js'
import { Glyph } from '../../ui/Glyph.js'
import { Select } from '../../ui/Select.js'
import { CodeStatus } from './CodeStatus.js'
import { CodeEditor } from './editor/CodeEditor.js'
import { CONFIG, codeFiles, GENERATED, nameProblem } from './files/codeFiles.js'
import { FileTabs } from './files/FileTabs.js'
import { useCodeFile } from './useCodeFile.js'
import { type Compared, useFileActions, useProjectNames, useShown } from './useCodeTab.js'
import { type EarlierDocuments, useGeneratedText } from './useGeneratedText.js'
import './code.css'

const COMPARED: readonly { readonly value: Compared; readonly label: string }[] = [
  { value: 'last', label: 'Last change' },
  { value: 'start', label: 'Changes since start' },
  { value: 'none', label: 'No changes' },
]

const CANVAS_SETTLES_MS = 60

/** The project's code: what the canvas is written as, the user's own files, and the config. */
export function CodeTab() {
  const { language } = useServices()
  const [client] = useState(() => language.client())
  const workspace = useProject((state) => state.workspace)
  const projectId = useProject((state) => state.projectId)
  const code = useFindings((state) => state.code)
  const isTall = useView((state) => state.params['code-size'] === 'tall')
  const place = useView((state) => state.code)
  const { view, project } = useStores()
  const earlier = useCallback(() => earlierIn(project.getState().history), [project])
  const files = useMemo(() => codeFiles(workspace), [workspace])
  const open = files.find(({ path }) => path === place?.path)?.path ?? GENERATED
  const generated = useGeneratedText(workspace.document, projectId, earlier)
  const file = useCodeFile(open, generated)
  const { shown, compared, setCompared } = useShown(open, generated)
  const names = useProjectNames()
  const [cursor, setCursor] = useState({ line: 1, column: 1 })
  const goTo = useMemo(() => (place?.line === undefined ? null : { line: place.line }), [place])
  const errors = useMemo(() => code?.filter(({ severity }) => severity === 'error') ?? null, [code])
  const actions = useFileActions()
  const openFile = (path: string, line?: number) => {
    view.getState().set({ code: line === undefined ? { path } : { path, line } })
    setCursor({ line: 1, column: 1 })
  }

  return (
    <section className={isTall ? 'code tall' : 'code'} aria-label="Code">
      <header className="code-head">
        <FileTabs
          files={files}
          open={open}
          wrong={new Set(errors?.map(({ path }) => path))}
          onOpen={openFile}
          problemOf={(path, current) => nameProblem(path, workspace.files, current)}
          {...actions}
        />
        <span className="spring" />
        {open === GENERATED && (
          <Select label="Changes to show" value={compared} options={COMPARED} onChange={setCompared} />
        )}
        <SizeButton isTall={isTall} />
      </header>
      <CodeEditor
        key={`${projectId}:${open}`}
        path={open}
        text={file.text}
        readOnly={file.readOnly}
        language={open === CONFIG ? null : client}
        names={names}
        diagnostics={file.diagnostics}
        shown={shown}
        place={goTo}
        onChange={file.onChange}
        onCursor={(line, column) => setCursor({ line, column })}
        onUndo={actions.onUndo}
        onRedo={actions.onRedo}
      />
      <CodeStatus
        errors={open === CONFIG ? file.diagnostics : errors}
        cursor={cursor}
        onGo={({ path, line }) => openFile(path, line)}
      />
    </section>
  )
}

function earlierIn({ past }: History<Workspace>): EarlierDocuments {
  return { first: past[0]?.before.document, before: past.at(-1)?.before.document }
}

/** Lets the code stand beside the canvas, as high as it is, instead of below it. */
function SizeButton({ isTall }: { readonly isTall: boolean }) {
  const { view } = useStores()
  const { canvas, clock } = useServices()
  const label = isTall ? 'Back to the drawer' : 'Full height'
  return (
    <button
      type="button"
      className="icon-button small"
      aria-pressed={isTall}
      aria-label={label}
      title={label}
      onClick={() => {
        view.getState().setParam('code-size', isTall ? null : 'tall')
        // The canvas has its new size only once the page is laid out again.
        clock.after(CANVAS_SETTLES_MS, () => canvas.current?.fit())
      }}
    >
      <Glyph name={isTall ? 'down' : 'up'} />
    </button>
  )
}
