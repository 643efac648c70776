import { codeUses } from '@lanescope/shared'
import { useMemo, useState } from 'react'
import { editFile, removeFile } from '../../model/commands/files.js'
import { renameFile } from '../../model/commands/renameFile.js'
import { useProject, useStores, useView } from '../../store/context.js'
import type { ProjectNames } from './editor/meaningMarks.js'
import { GENERATED } from './files/codeFiles.js'
import type { GeneratedText } from './useGeneratedText.js'

/** What the generated text is held against. */
export type Compared = 'last' | 'start' | 'none'

/** What the read-only text shows beside itself: its changes, and the lines of the selected node. */
export function useShown(open: string, generated: GeneratedText | null) {
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
export function useProjectNames(): ProjectNames {
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

export function useFileActions() {
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
