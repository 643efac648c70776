import type { AppStores } from '../store/AppStores.js'
import type { AgentClient } from './AgentClient.js'
import type { ProjectSession } from './ProjectSession.js'

/** What can be done with a project as a whole, whether it is open or not. Each rejects with what the agent refuses. */
export interface ProjectFolders {
  rename(projectId: string, name: string): Promise<void>
  /** Opens the copy when the project itself is open. */
  duplicate(projectId: string): Promise<void>
  /** Moves it to the trash, and offers to take it back. */
  remove(projectId: string): Promise<void>
}

export function createProjectFolders(deps: {
  readonly client: Pick<AgentClient, 'request'>
  readonly stores: AppStores
  readonly session: Pick<ProjectSession, 'flush' | 'openProject' | 'refreshLists'>
}): ProjectFolders {
  const { client, stores, session } = deps
  const isOpen = (projectId: string) => stores.project.getState().projectId === projectId
  const { say } = stores.notice.getState()

  const restore = async (trashId: string, wasOpen: boolean) => {
    const { projectId } = await client.request('restore-project', { trashId })
    await session.refreshLists()
    if (wasOpen) await session.openProject(projectId)
    say(`“${projectId}” is back.`)
  }

  return {
    // Every page hears of it by `project-gone`, this one too, and follows.
    rename: async (projectId, name) => {
      if (isOpen(projectId)) await session.flush()
      await client.request('rename-project', { projectId, name })
    },
    duplicate: async (projectId) => {
      const open = isOpen(projectId)
      if (open) await session.flush()
      const copy = await client.request('duplicate-project', { projectId })
      await session.refreshLists()
      if (open) await session.openProject(copy.projectId)
      say(`“${copy.projectId}” is a copy of “${projectId}”, with an application.id of its own.`)
    },
    remove: async (projectId) => {
      const open = isOpen(projectId)
      if (open) await session.flush()
      const { trashId } = await client.request('delete-project', { projectId })
      const undo = () =>
        restore(trashId, open).catch((error: unknown) =>
          say(error instanceof Error ? error.message : String(error), 'danger'),
        )
      say(`“${projectId}” is in the trash.`, 'info', { label: 'Undo', run: () => void undo() })
    },
  }
}
