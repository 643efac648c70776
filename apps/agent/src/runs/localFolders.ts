import { join } from 'node:path'

/** Where a project's embedded log lies. */
export function embeddedLogFolder(projectFolder: string): string {
  return join(projectFolder, '.lanescope', 'log')
}

/**
 * Where a project that keeps its state on disk does so, because its config says so or because it runs on Kafka: not where
 * that config says, which may be anywhere.
 */
function stateFolder(projectFolder: string): string {
  return join(projectFolder, '.lanescope', 'state')
}

/** Where the modules of one run are written, for as long as it lives. */
export function runFolderOf(projectFolder: string, runId: string): string {
  return join(projectFolder, '.lanescope', 'run', runId)
}

/**
 * A project's config as it holds in the agent: which log a run uses is decided by how the agent was started, so that
 * opening somebody's project never connects to a cluster which its config names.
 */
export function withLog(
  config: { readonly [key: string]: unknown },
  projectFolder: string,
  bootstrapServers: string | undefined,
): { readonly [key: string]: unknown } {
  const { 'bootstrap.servers': _named, ...rest } = config
  return {
    ...rest,
    'embedded.log.dir': embeddedLogFolder(projectFolder),
    ...(keepsOnDisk(rest['state.dir'], bootstrapServers) ? { 'state.dir': stateFolder(projectFolder) } : {}),
    ...(bootstrapServers === undefined ? {} : { 'bootstrap.servers': bootstrapServers }),
  }
}

function keepsOnDisk(stateDir: unknown, bootstrapServers: string | undefined): boolean {
  if (stateDir === ':memory:') return false
  return stateDir !== undefined || bootstrapServers !== undefined
}
