import type { Clock } from '@lanescope/core'
import type { Project } from '@lanescope/shared'
import { createStore, type StoreApi } from 'zustand/vanilla'
import {
  type History,
  record,
  redo,
  redoLabel,
  replacePresent,
  startHistory,
  undo,
  undoLabel,
} from '../model/history.js'
import { emptyDocument, type Workspace } from '../model/Workspace.js'

/** Where the last edit is: on disk, on its way, only here, or in dispute with a newer one. */
export type SaveState = 'nothing' | 'saved' | 'unsaved' | 'saving' | 'conflict' | 'failed'

export interface ProjectState {
  /** Folder of the open project; null on the first screen. */
  readonly projectId: string | null
  readonly revision: number
  /** The present: what canvas, panels and the analysis read. */
  readonly workspace: Workspace
  readonly history: History<Workspace>
  /** What the agent has, as far as we know; null before the first save. */
  readonly saved: Workspace | null
  readonly saveState: SaveState
  readonly saveMessage: string | null
  readonly undoLabel: string | undefined
  readonly redoLabel: string | undefined
  /** The one way to change a project: an undoable step. Steps with the same `batch` in quick succession become one. */
  edit(label: string, change: (workspace: Workspace) => Workspace, batch?: string): void
  undo(): void
  redo(): void
  /** Opens what came from the agent; `draft` holds edits that never reached it. */
  open(project: Project, draft?: Workspace): void
  /** Takes a newer state from disk as the present, keeping the way back. */
  takeFromDisk(workspace: Workspace, saved: Workspace, revision: number): void
  close(): void
  markSaving(): void
  markSaved(workspace: Workspace, revision: number): void
  markNotSaved(state: 'conflict' | 'failed' | 'unsaved', message: string | null): void
}

export type ProjectStore = StoreApi<ProjectState>

const NO_PROJECT: Workspace = { document: emptyDocument('topology'), files: {}, config: {} }

function afterHistory(history: History<Workspace>) {
  return {
    history,
    workspace: history.present,
    undoLabel: undoLabel(history),
    redoLabel: redoLabel(history),
  }
}

const closed = () => ({
  projectId: null,
  revision: 0,
  saved: null,
  saveState: 'nothing' as const,
  saveMessage: null,
  ...afterHistory(startHistory(NO_PROJECT)),
})

/** What the state of saving is once the present has changed. */
function saveStateOf(state: ProjectState, workspace: Workspace): SaveState {
  if (state.projectId === null) return 'nothing'
  if (state.saveState === 'conflict') return 'conflict'
  return workspace === state.saved ? 'saved' : 'unsaved'
}

export function createProjectStore(clock: Pick<Clock, 'now'>): ProjectStore {
  return createStore<ProjectState>()((set, get) => {
    const move = (next: History<Workspace>) => {
      const state = get()
      if (next === state.history) return
      set({ ...afterHistory(next), saveState: saveStateOf(state, next.present) })
    }
    return {
      ...closed(),
      edit: (label, change, batch) => {
        const { history } = get()
        const options = { label, at: clock.now(), ...(batch === undefined ? {} : { batch }) }
        move(record(history, change(history.present), options))
      },
      undo: () => move(undo(get().history)),
      redo: () => move(redo(get().history)),
      open: (project, draft) => {
        const saved: Workspace = { document: project.document, files: project.files, config: project.config }
        set({
          projectId: project.id,
          revision: project.revision,
          saved,
          saveState: draft ? 'unsaved' : 'saved',
          saveMessage: null,
          ...afterHistory(startHistory(draft ?? saved)),
        })
      },
      takeFromDisk: (workspace, saved, revision) =>
        set({
          ...afterHistory(replacePresent(get().history, workspace)),
          saved,
          revision,
          saveState: workspace === saved ? 'saved' : 'unsaved',
          saveMessage: null,
        }),
      close: () => set(closed()),
      markSaving: () => set({ saveState: 'saving', saveMessage: null }),
      markSaved: (saved, revision) =>
        set({ saved, revision, saveMessage: null, saveState: get().workspace === saved ? 'saved' : 'unsaved' }),
      markNotSaved: (saveState, saveMessage) => set({ saveState, saveMessage }),
    }
  })
}
