import type { Replies, Request } from '@lanescope/shared'
import { AgentError } from '../AgentError.js'
import type { ProjectStore } from '../projects/ProjectStore.js'
import type { RunRegistry } from '../runs/RunRegistry.js'
import type { RequestHandler } from './RequestHandler.js'

export interface Services {
  readonly projects: ProjectStore
  readonly runs: RunRegistry
}

/** Answers what pages ask, by its services. */
export function createRequestHandler({ projects, runs }: Services): RequestHandler {
  return async (request) => {
    switch (request.type) {
      case 'list-projects':
        return { projects: await projects.list() } satisfies Replies['list-projects']
      case 'list-examples':
        return { examples: await projects.listExamples() } satisfies Replies['list-examples']
      case 'open-project': {
        const project = await projects.open(request.projectId)
        return { project, run: runs.latest(project.id) } satisfies Replies['open-project']
      }
      case 'create-project':
        return { project: await projects.create(request.name) } satisfies Replies['create-project']
      case 'open-example': {
        const project = await projects.openExample(request.exampleId, request.fresh ?? false)
        return { project, run: runs.latest(project.id) } satisfies Replies['open-example']
      }
      case 'save-project':
        return { revision: await projects.save(request) } satisfies Replies['save-project']
      case 'start-run':
        return { run: await runs.start(request.projectId, request.overrides, request.generators) }
      case 'stop-run':
        return { run: await runs.stop(request.runId) }
      default:
        throw unknownRequest(request)
    }
  }
}

function unknownRequest(request: Request): AgentError {
  return new AgentError(`This agent knows no request "${request.type}"`, {
    code: 'BAD_REQUEST',
    kind: 'bug',
    retriable: false,
  })
}
