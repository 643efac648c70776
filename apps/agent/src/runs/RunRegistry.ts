import type { RunSummary } from '@lanescope/shared'
import { AgentError } from '../AgentError.js'
import type { RunViewer } from './RunViewer.js'

/** The runs since the start of the agent: at most one alive for each project. */
export class RunRegistry {
  /** The run of a project that lives, else the last one; null when it never ran. */
  latest(_projectId: string): RunSummary | null {
    return null
  }

  start(
    _projectId: string,
    _overrides: { readonly [key: string]: unknown },
    _generators: boolean,
  ): Promise<RunSummary> {
    return Promise.reject(new AgentError('Runs are on their way', { code: 'NO_RUN', kind: 'bug', retriable: false }))
  }

  stop(runId: string): Promise<RunSummary> {
    return Promise.reject(
      new AgentError(`There is no run ${runId}`, { code: 'NO_RUN', kind: 'user', retriable: false }),
    )
  }

  watch(runId: string, _viewer: RunViewer): () => void {
    throw new AgentError(`There is no run ${runId}`, { code: 'NO_RUN', kind: 'user', retriable: false })
  }

  close(): Promise<void> {
    return Promise.resolve()
  }
}
