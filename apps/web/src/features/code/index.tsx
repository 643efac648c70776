import { codeUses } from '@lanescope/shared'
import { useMemo, useState } from 'react'
import { useServices } from '../../app/services.js'
import { editFile, removeFile } from '../../model/commands/files.js'
import { renameFile } from '../../model/commands/renameFile.js'
import { useFindings, useProject, useStores, useView } from '../../store/context.js'
import { Glyph } from '../../ui/Glyph.js'
import { Select } from '../../ui/Select.js'
import { CodeStatus } from './CodeStatus.js'
import { CodeEditor } from './editor/CodeEditor.js'
import type { ProjectNames } from './editor/meaningMarks.js'
import { CONFIG, codeFiles, GENERATED, nameProblem } from './files/codeFiles.js'
import { FileTabs } from './files/FileTabs.js'
import { useCodeFile } from './useCodeFile.js'
import { useGeneratedText } from './useGeneratedText.js'
import './code.css'

type Compared = 'last' | 'start' | 'none'

const COMPARED: readonly { readonly value: Compared; readonly label: string }[] = [
  { value: 'last', label: 'Last change' },
  { value: 'start', label: 'Changes since start' },
  { value: 'none', label: 'No changes' },
]

/** The project's code: what the canvas is written as, the user's own files, and the config. */
export function CodeTab() {
  const { view } = useStores()
  const { language } = useServices()
  const [client] = useState(() => language.client())
  const workspace = useProject((state) => state.workspace)
  const projectId = useProject((state) => state.projectId)
  const code = useFindings((state) => state.code)
  const isTall = useView((state) => state.params['code-size'] === 'tall')
  const place = useView((state) => state.code)
  const files = useMemo(() => codeFiles(workspace), [workspace])
  const open = files.some(({ path }) => path === place?.path) ? (place?.path ?? GENERATED) : GENERATED
  const generated = useGeneratedText(workspace.document, projectId)
  const file = useCodeFile(open, generated)
  const { shown, compared, setCompared } = useShown(open, generated)
  const names = useProjectNames()
  const [cursor, setCursor] = useState({ line: 1, column: 1 })
  const goTo = useMemo(() => (place?.line === undefined ? null : { line: place.line }), [place])
  const wrong = useMemo(() => new Set((code ?? []).map(({ path }) => path)), [code])
  const actions = useFileActions()
  const openFile = (path: string, line?: number) =>
    view.getState().set({ code: line === undefined ? { path } : { path, line } })

  return (
    <section className={isTall ? 'code tall' : 'code'} aria-label="Code">
      <header className="code-head">
        <FileTabs
          files={files}
          open={open}
          wrong={wrong}
          onOpen={openFile}
          problemOf={(path, current) => nameProblem(path, workspace.files, current)}
          {...actions}
        />
        <span className="spring" />
        {open === GENERATED && (
          <Select label="Changes to show" value={compared} options={COMPARED} onChange={setCompared} />
        )}
        <button
          type="button"
          className="icon-button small"
          aria-pressed={isTall}
          aria-label={isTall ? 'Back to the drawer' : 'Full height'}
          title={isTall ? 'Back to the drawer' : 'Full height'}
          onClick={() => view.getState().setParam('code-size', isTall ? null : 'tall')}
        >
          <Glyph name={isTall ? 'down' : 'up'} />
        </button>
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
        diagnostics={open === CONFIG ? file.diagnostics : code}
        cursor={cursor}
        onGo={({ path, line }) => openFile(path, line)}
      />
    </section>
  )
}

/** What the read-only text shows beside itself: its changes, and the lines of the selected node. */
function useShown(open: string, generated: ReturnType<typeof useGeneratedText>) {
  const [compared, setCompared] = useState<Compared>('last')
  const selected = useView((state) => state.selection[0])
  const shown = useMemo(() => {
    if (open !== GENERATED || generated === null) return { older: null, lines: null }
    const older = { last: generated.before, start: generated.first, none: null }[compared]
    return { older, lines: (selected === undefined ? undefined : generated.lines[selected]) ?? null }
  }, [open, generated, compared, selected])
  return { shown, compared, setCompared }
}

/** The project's own names that carry a meaning. Fixed while a file is open: they colour, no more. */
function useProjectNames(): ProjectNames {
  const document = useProject((state) => state.workspace.document)
  return useMemo(() => {
    const timed = document.nodes.filter((node) => node.kind === 'processor' && node.properties.timers.length > 0)
    const ids = new Set(timed.map(({ id }) => id))
    const uses = codeUses(document)
    const named = (wanted: (use: (typeof uses)[number]) => boolean) =>
      new Set(uses.filter(wanted).map((use) => use.code.export))
    return {
      timers: named((use) => use.role === 'processor' && use.nodeIds.some((id) => ids.has(id))),
      serdes: named((use) => use.role === 'serde'),
    }
  }, [document])
}

function useFileActions() {
  const { project, view } = useStores()
  return useMemo(() => {
    const show = (path: string) => view.getState().set({ code: { path } })
    return {
      onCreate: (path: string) => {
        project.getState().edit(`Create ${path}`, (workspace) => editFile(workspace, path, ''))
        show(path)
      },
      onRename: (from: string, to: string) => {
        project.getState().edit(`Rename ${from}`, (workspace) => renameFile(workspace, from, to))
        show(to)
      },
      onDelete: (path: string) => {
        project.getState().edit(`Delete ${path}`, (workspace) => removeFile(workspace, path))
        show(GENERATED)
      },
      onUndo: () => project.getState().undo(),
      onRedo: () => project.getState().redo(),
    }
  }, [project, view])
}
