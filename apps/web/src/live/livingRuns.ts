import type { RunSummary } from '@lanescope/shared'

/** The living runs of the agent, the one that began first leading, once this one has changed. */
export function withRun(runs: readonly RunSummary[], changed: RunSummary): readonly RunSummary[] {
  const others = runs.filter((run) => run.runId !== changed.runId)
  if (changed.endedAt !== null) return others.length === runs.length ? runs : others
  return [...others, changed].sort((a, b) => a.startedAt - b.startedAt)
}

/** Those that belong to another project than the open one. */
export function runsElsewhere(runs: readonly RunSummary[], projectId: string | null): readonly RunSummary[] {
  return runs.filter((run) => run.projectId !== projectId)
}
