import type { Clock } from '@lanescope/core'
import { openLog, resetEmbeddedLog } from '@lanescope/node'
import { fingerprintOf, PROTOCOL_VERSION } from '@lanescope/shared'
import type { AgentConfig } from './config/AgentConfig.js'
import { RUN_LIMITS, type RunLimits } from './config/limits.js'
import { ProjectExporter } from './export/ProjectExporter.js'
import { packPackages } from './export/packPackages.js'
import { ourPackageTypes } from './projects/editorFiles.js'
import { ensureFolder } from './projects/ensureFolder.js'
import { ProjectStore } from './projects/ProjectStore.js'
import { askKafka } from './runs/askKafka.js'
import { embeddedLogFolder, withLog } from './runs/localFolders.js'
import { RunRegistry } from './runs/RunRegistry.js'
import { AccessToken } from './server/AccessToken.js'
import { AgentServer } from './server/AgentServer.js'
import { createRequestHandler } from './server/createRequestHandler.js'

export interface AgentParts {
  readonly config: AgentConfig
  readonly version: string
  readonly clock: Clock
  /** The built page. */
  readonly webFolder: string
  readonly examplesFolder: string
  /** The module that each run's process starts with. */
  readonly runChild: string
  readonly newRunId: () => string
  /** Default: `RUN_LIMITS`. */
  readonly limits?: RunLimits
  /** Writes one line for whoever started the agent. */
  readonly log: (line: string) => void
}

export interface Agent {
  /** Where the page is, with the key to it. */
  readonly url: string
  /** Ends the runs, then the server. @returns how many runs it had to end */
  close(): Promise<number>
}

/** Puts the agent together and lets it listen. @throws AgentError PORT_IN_USE, FOLDER_UNWRITABLE */
export async function startAgent(parts: AgentParts): Promise<Agent> {
  const { config, clock } = parts
  await ensureFolder(config.projectsFolder)
  const token = new AccessToken()
  const projects = new ProjectStore({
    folder: config.projectsFolder,
    examplesFolder: parts.examplesFolder,
    packageTypes: ourPackageTypes((specifier) => import.meta.resolve(specifier)),
    clock,
    onChange: (change) => server.broadcast({ type: 'project-changed', ...change }),
    onTrouble: parts.log,
  })
  const runs = new RunRegistry({
    childModule: parts.runChild,
    limits: parts.limits ?? RUN_LIMITS,
    clock,
    newRunId: parts.newRunId,
    bootstrapServers: config.bootstrapServers,
    folderOf: (projectId) => projects.existingFolderOf(projectId),
    prepareRun: (projectId) => projects.prepareRun(projectId),
    fingerprintOf: async (projectId) => fingerprintOf(await projects.open(projectId)),
    openLog: (folder) => openLog(withLog({}, folder, config.bootstrapServers), { clock }),
    resetLog: (folder) => resetEmbeddedLog(embeddedLogFolder(folder)),
    onState: (run) => server.broadcast({ type: 'run-state', run }),
  })
  const exporter = new ProjectExporter({ openProject: (projectId) => projects.open(projectId), packPackages })
  const server: AgentServer = new AgentServer({
    token,
    webFolder: parts.webFolder,
    hello: {
      type: 'hello',
      protocol: PROTOCOL_VERSION,
      version: parts.version,
      log:
        config.bootstrapServers === undefined
          ? { kind: 'embedded' }
          : { kind: 'kafka', bootstrapServers: config.bootstrapServers },
      projectsFolder: config.projectsFolder,
    },
    handle: createRequestHandler({
      projects,
      runs,
      tellMore: () => server.broadcast({ type: 'projects-changed' }),
      tellGone: (projectId, renamedTo) => server.broadcast({ type: 'project-gone', projectId, renamedTo }),
    }),
    exportProject: (projectId) => exporter.export(projectId),
  })
  const port = await server.listen(config.port)
  let closed = false
  if (config.bootstrapServers !== undefined) void tellOfKafka(config.bootstrapServers, parts, () => closed)
  return {
    url: `http://127.0.0.1:${port}/#token=${token.text}`,
    close: async () => {
      closed = true
      const ended = await runs.close()
      projects.close()
      await server.close()
      return ended
    },
  }
}

/** Beside the start, which does not wait for it: the page is of use without Kafka too. */
async function tellOfKafka(servers: string, { clock, log }: AgentParts, closed: () => boolean): Promise<void> {
  const trouble = await askKafka(servers, () => openLog({ 'bootstrap.servers': servers }, { clock }))
  if (trouble !== undefined && !closed()) log(trouble)
}
