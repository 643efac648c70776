import type { ExampleSummary } from '@lanescope/shared'
import { useMemo } from 'react'
import { useServices } from '../../app/services.js'
import { insertNode } from '../../model/commands/insert.js'
import type { Position } from '../../model/commands/nodes.js'
import { kindFacts, longLabel, type PaletteKind } from '../../model/nodeKinds.js'
import { useConnection, useStores } from '../../store/context.js'

export interface StartWays {
  readonly ready: boolean
  /** Not ready, and it may come. */
  readonly waits: boolean
  /** The one that shows most comes first. */
  readonly examples: readonly ExampleSummary[]
  /** Where projects live. */
  readonly folder: string | undefined
  /** Kafka's servers; undefined while runs use the embedded log. */
  readonly servers: string | undefined
  /** Whether a project was made from an example, which `openExample` then opens. */
  hasCopyOf(exampleId: string): boolean
  openExample(id: string, fresh?: boolean): void
  openProject(id: string): void
  /** Makes a project with a node in it, at a place on the canvas as it then is. */
  startWith(kind: PaletteKind, position?: Position): void
  create(name: string): void
}

/** What one can do on the first screen. */
export function useStartWays(): StartWays {
  const { session, notify } = useServices()
  const stores = useStores()
  const ready = useConnection((state) => state.status === 'open')
  const waits = useConnection((state) => state.status === 'connecting' || state.status === 'lost')
  const examples = useConnection((state) => state.examples)
  const folder = useConnection((state) => state.hello?.projectsFolder)
  const servers = useConnection(({ hello }) => (hello?.log.kind === 'kafka' ? hello.log.bootstrapServers : undefined))
  const projects = useConnection((state) => state.projects)
  return useMemo(() => {
    const attempt = (work: Promise<void>) =>
      void work.catch((error: unknown) => notify(error instanceof Error ? error.message : String(error), 'danger'))
    const startWith = async (kind: PaletteKind, position: Position) => {
      await session.create('topology')
      const added = insertNode(stores.project.getState().workspace, kind, { to: 'free', position })
      stores.project.getState().edit(`Add ${longLabel(kindFacts(kind)).toLowerCase()}`, () => added.workspace)
      stores.view.getState().selectNodes([added.id])
    }
    return {
      ready,
      waits,
      examples,
      folder,
      servers,
      hasCopyOf: (exampleId) => projects.some(({ id }) => id === exampleId),
      openExample: (id, fresh) => attempt(session.openExample(id, fresh)),
      openProject: (id) => attempt(session.openProject(id)),
      create: (name) => attempt(session.create(name)),
      startWith: (kind, position = { x: 0, y: 0 }) => attempt(startWith(kind, position)),
    }
  }, [session, notify, stores, ready, waits, examples, folder, servers, projects])
}
