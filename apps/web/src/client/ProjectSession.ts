import type { Cancellable, Clock } from '@lanescope/core'
import type { Project, RunSummary } from '@lanescope/shared'
import type { Workspace } from '../model/Workspace.js'
import type { AppStores } from '../store/AppStores.js'
import { type AgentClient, RequestError } from './AgentClient.js'
import { changesBetween } from './changesBetween.js'
import type { Drafts } from './drafts.js'
import { mergeWorkspace } from './mergeWorkspace.js'

/** A pause in editing after which what was edited goes to disk. */
export const AUTOSAVE_MS = 400

export interface ProjectSession {
  /** Watches the project for edits and saves them; returns how to stop. */
  watch(): () => void
  /** `linked`: what is looked at came with the address and stays. */
  openProject(projectId: string, linked?: boolean): Promise<void>
  /** The project made from the example earlier, if there is one; `fresh` makes another. */
  openExample(exampleId: string, fresh?: boolean): Promise<void>
  create(name: string): Promise<void>
  close(): void
  /** Saves now; resolves when all is on disk. @throws RequestError when it cannot be saved */
  flush(): Promise<void>
  /** The agent says that the project changed on disk or in another page. */
  onChanged(projectId: string, revision: number): Promise<void>
  /** The agent says that there is no such project any more: an open one is followed to its new name, or closed. */
  onGone(projectId: string, renamedTo: string | null): Promise<void>
  /** Settles a dispute with the state on disk. */
  resolve(keep: 'mine' | 'theirs'): Promise<void>
  refreshLists(): Promise<void>
}

export interface SessionDeps {
  readonly client: AgentClient
  readonly stores: AppStores
  readonly clock: Clock
  readonly drafts: Drafts
}

const workspaceOf = (project: Project): Workspace => ({
  document: project.document,
  files: project.files,
  config: project.config,
})

/** Keeps the open project and the agent's copy of it together. */
export function createProjectSession(deps: SessionDeps): ProjectSession {
  const { client, stores, clock, drafts } = deps
  const project = stores.project
  let timer: Cancellable | null = null
  let saving: Promise<void> | null = null

  const leave = () => {
    stores.notice.getState().clear()
    stores.view.getState().leaveProject()
  }

  const opened = (found: Project, run: RunSummary | null, linked = false) => {
    if (!linked) leave()
    const draft = drafts.read(found.id)
    const mine = draft ? restore(found, draft.base, draft.workspace) : undefined
    project.getState().open(found, mine)
    stores.run.getState().setRun(run)
    stores.findings.getState().clear()
    if (mine) void saveSoon(0)
    else drafts.drop(found.id)
  }

  const restore = (found: Project, base: Workspace, workspace: Workspace): Workspace | undefined => {
    const merge = mergeWorkspace(base, workspace, workspaceOf(found))
    if (merge.ok) return merge.workspace
    stores.notice
      .getState()
      .say(
        `Unsaved edits of an earlier visit were left out; these changed on disk: ${merge.parts.join(', ')}`,
        'caution',
      )
    return undefined
  }

  const keepDraft = () => {
    const { projectId, saved, workspace, revision } = project.getState()
    if (projectId !== null && saved && saved !== workspace) drafts.keep(projectId, { revision, base: saved, workspace })
  }

  const save = async (): Promise<void> => {
    const { projectId, saved, workspace, revision } = project.getState()
    if (projectId === null || saved === null || workspace === saved) return
    project.getState().markSaving()
    const changes = changesBetween(saved, workspace)
    try {
      const reply = await client.request('save-project', { projectId, baseRevision: revision, ...changes })
      if (project.getState().projectId !== projectId) return
      project.getState().markSaved(workspace, reply.revision)
      drafts.drop(projectId)
    } catch (error) {
      await onSaveFailed(projectId, error)
    }
  }

  const onSaveFailed = async (projectId: string, error: unknown) => {
    keepDraft()
    if (!(error instanceof RequestError)) throw error
    if (error.error.code === 'CONFLICT') return takeNewer(projectId)
    const state = error.error.code === 'CONNECTION_LOST' ? 'unsaved' : 'failed'
    project.getState().markNotSaved(state, error.message)
  }

  const takeNewer = async (projectId: string) => {
    const reply = await client.request('open-project', { projectId })
    const { saved, workspace, projectId: current } = project.getState()
    if (current !== projectId || saved === null) return
    const theirs = workspaceOf(reply.project)
    const merge = mergeWorkspace(saved, workspace, theirs)
    if (!merge.ok) {
      project.getState().markNotSaved('conflict', `Changed here and on disk: ${merge.parts.join(', ')}`)
      stores.view.getState().set({ overlay: 'conflict' })
      return
    }
    const changed = changesBetween(theirs, merge.workspace)
    const present = Object.keys(changed).length === 0 ? theirs : merge.workspace
    project.getState().takeFromDisk(present, theirs, reply.project.revision)
  }

  const saveNow = async (): Promise<void> => {
    timer?.cancel()
    timer = null
    while (saving) await saving
    saving = save().finally(() => {
      saving = null
    })
    await saving
  }

  const close = () => {
    leave()
    stores.project.getState().close()
    stores.findings.getState().clear()
    stores.run.getState().setRun(null)
  }

  const refreshLists = async () => {
    const [projects, examples] = await Promise.all([
      client.request('list-projects', {}),
      client.request('list-examples', {}),
    ])
    stores.connection.getState().set({ projects: projects.projects, examples: examples.examples })
  }

  const saveSoon = (delayMs: number) => {
    timer?.cancel()
    timer = clock.after(delayMs, () => {
      timer = null
      saveNow().catch((error: unknown) => project.getState().markNotSaved('failed', String(error)))
    })
  }

  return {
    watch: () =>
      project.subscribe((state, before) => {
        if (state.workspace === before.workspace || state.projectId !== before.projectId) return
        if (state.projectId === null || state.workspace === state.saved || state.saveState === 'conflict') return
        keepDraft()
        saveSoon(AUTOSAVE_MS)
      }),
    openProject: async (projectId, linked) => {
      const reply = await client.request('open-project', { projectId })
      opened(reply.project, reply.run, linked)
    },
    openExample: async (exampleId, fresh = false) => {
      const reply = await client.request('open-example', fresh ? { exampleId, fresh } : { exampleId })
      opened(reply.project, reply.run)
    },
    create: async (name) => {
      const reply = await client.request('create-project', { name })
      opened(reply.project, null)
    },
    close,
    flush: async () => {
      await saveNow()
      const { saveState, saveMessage, workspace, saved, projectId } = project.getState()
      if (projectId !== null && workspace !== saved && saveState !== 'saving') {
        const message = saveMessage ?? 'The project is not on disk yet.'
        throw new RequestError({ code: 'NOT_SAVED', kind: 'operational', message, context: {} })
      }
    },
    onChanged: async (projectId, revision) => {
      const state = project.getState()
      if (state.projectId !== projectId || state.revision >= revision || saving) return
      await takeNewer(projectId)
    },
    onGone: async (projectId, renamedTo) => {
      const { projectId: open, saved, workspace, revision } = project.getState()
      if (open === projectId && renamedTo === null) {
        keepDraft()
        close()
        stores.notice.getState().say(`“${projectId}” was deleted in another tab: it is in the trash.`, 'caution')
      } else if (open === projectId && renamedTo !== null) {
        // What is not on disk yet goes along to the new name.
        if (saved !== null && saved !== workspace) drafts.keep(renamedTo, { revision, base: saved, workspace })
        drafts.drop(projectId)
        const reply = await client.request('open-project', { projectId: renamedTo })
        opened(reply.project, reply.run, true)
        stores.notice.getState().say(`This project is called “${renamedTo}” now.`)
      }
      await refreshLists()
    },
    resolve: async (keep) => {
      const { projectId } = project.getState()
      if (projectId === null) return
      const reply = await client.request('open-project', { projectId })
      const theirs = workspaceOf(reply.project)
      const mine = project.getState().workspace
      project.getState().takeFromDisk(keep === 'mine' ? mine : theirs, theirs, reply.project.revision)
      stores.view.getState().set({ overlay: null })
      if (keep === 'mine') await saveNow()
      else drafts.drop(projectId)
    },
    refreshLists,
  }
}
