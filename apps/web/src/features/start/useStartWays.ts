import type { ExampleSummary } from '@lanescope/shared'
import { useMemo } from 'react'
import { useServices } from '../../app/services.js'
import { insertNode } from '../../model/commands/insert.js'
import { useConnection, useStores } from '../../store/context.js'

export interface StartWays {
  readonly ready: boolean
  /** The one that shows most comes first. */
  readonly examples: readonly ExampleSummary[]
  /** Where projects live. */
  readonly folder: string | undefined
  openExample(id: string): void
  openProject(id: string): void
  /** Makes a project with a source in it. */
  addSource(): void
  create(name: string): void
}

/** What one can do on the first screen. */
export function useStartWays(): StartWays {
  const { session, notify } = useServices()
  const stores = useStores()
  const ready = useConnection((state) => state.status === 'open')
  const examples = useConnection((state) => state.examples)
  const folder = useConnection((state) => state.hello?.projectsFolder)
  return useMemo(() => {
    const attempt = (work: Promise<void>) =>
      void work.catch((error: unknown) => notify(error instanceof Error ? error.message : String(error), 'danger'))
    const fresh = async (name: string) => {
      await session.create(name)
      stores.view
        .getState()
        .set({ selection: [], edge: null, findingId: null, panel: null, overlay: null, mode: 'design' })
    }
    return {
      ready,
      examples,
      folder,
      openExample: (id) => attempt(session.openExample(id)),
      openProject: (id) => attempt(session.openProject(id)),
      create: (name) => attempt(fresh(name)),
      addSource: () =>
        attempt(
          fresh('topology').then(() => {
            const added = insertNode(stores.project.getState().workspace, 'source', {
              to: 'free',
              position: { x: 0, y: 0 },
            })
            stores.project.getState().edit('Add topic source', () => added.workspace)
            stores.view.getState().selectNodes([added.id])
          }),
        ),
    }
  }, [session, notify, stores, ready, examples, folder])
}
