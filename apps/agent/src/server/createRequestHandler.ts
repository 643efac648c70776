import type { Replies, RequestOf, RequestType } from '@lanescope/shared'
import type { ProjectStore } from '../projects/ProjectStore.js'
import type { RunRegistry } from '../runs/RunRegistry.js'
import type { PageConnection } from './PageConnection.js'
import type { RequestHandler } from './RequestHandler.js'

export interface Services {
  readonly projects: ProjectStore
  readonly runs: RunRegistry
  /** Every page hears that there is a project more. */
  readonly tellMore: () => void
  /** Every page hears that a project is not where it was. */
  readonly tellGone: (projectId: string, renamedTo: string | null) => void
}

type Handlers = {
  readonly [T in Exclude<RequestType, 'watch-run' | 'unwatch-run'>]: (request: RequestOf<T>) => Promise<Replies[T]>
}

/** Answers what pages ask, by its services. */
export function createRequestHandler(services: Services): RequestHandler {
  const handlers: Handlers = {
    ...projectHandlers(services),
    ...folderHandlers(services),
    ...runHandlers(services),
    ...logHandlers(services),
  }
  return async (request, page) => {
    if (request.type === 'watch-run') return watchRun(services.runs, request.runId, page)
    if (request.type === 'unwatch-run') {
      page.unwatch(request.runId)
      return { result: { watched: false } }
    }
    const handle = handlers[request.type] as (request: unknown) => Promise<Replies[RequestType]>
    return { result: await handle(request) }
  }
}

function projectHandlers({ projects, runs, tellMore }: Services) {
  return {
    'list-projects': async () => ({ projects: await projects.list() }),
    'list-examples': async () => ({ examples: await projects.listExamples() }),
    'open-project': async ({ projectId }) => {
      const project = await projects.open(projectId)
      return { project, run: runs.latest(project.id) }
    },
    'create-project': async ({ name }) => {
      const project = await projects.create(name)
      tellMore()
      return { project }
    },
    'open-example': async ({ exampleId, fresh }) => {
      const project = await projects.openExample(exampleId, fresh ?? false)
      tellMore()
      return { project, run: runs.latest(project.id) }
    },
    'save-project': async (request) => ({ revision: await projects.save(request) }),
  } satisfies Partial<Handlers>
}

function folderHandlers({ projects, runs, tellGone, tellMore }: Services) {
  const more = (projectId: string) => {
    tellMore()
    return { projectId }
  }
  return {
    'rename-project': async ({ projectId, name }) => {
      const renamed = await runs.whileIdle(projectId, () => projects.rename(projectId, name))
      if (renamed !== projectId) tellGone(projectId, renamed)
      return { projectId: renamed }
    },
    'duplicate-project': async ({ projectId }) => more(await projects.duplicate(projectId)),
    'delete-project': async ({ projectId }) => {
      const trashId = await runs.whileIdle(projectId, () => projects.trash(projectId))
      tellGone(projectId, null)
      return { trashId }
    },
    'restore-project': async ({ trashId }) => more(await projects.restore(trashId)),
  } satisfies Partial<Handlers>
}

function runHandlers({ runs }: Services) {
  return {
    'start-run': async ({ projectId, overrides, generators, fromBeginning = false }) => ({
      run: await runs.start(projectId, { overrides, generators, fromBeginning }),
    }),
    'stop-run': async ({ runId }) => ({ run: await runs.stop(runId) }),
    'list-runs': async () => ({ runs: runs.living() }),
    'preview-future': (request) => runs.preview(request),
  } satisfies Partial<Handlers>
}

function logHandlers({ runs }: Services) {
  return {
    'list-topics': (request) => runs.askLog(request),
    'create-topics': (request) => runs.askLog(request),
    'read-topic': (request) => runs.askLog(request),
    produce: (request) => runs.askLog(request),
    'reset-log': async ({ projectId }) => {
      await runs.resetLog(projectId)
      return { cleared: true }
    },
  } satisfies Partial<Handlers>
}

async function watchRun(runs: RunRegistry, runId: string, page: PageConnection) {
  const run = runs.summaryOf(runId)
  return { result: { run }, afterwards: () => page.watch(runId, (viewer) => runs.watch(runId, viewer)) }
}
