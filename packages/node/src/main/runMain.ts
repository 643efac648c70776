import type { LogAdmin, RecordLog, Topology } from '@lanescope/core'
import { type LogConfig, readLogConfig } from '../config/logConfig.js'
import { readHttpConfig, readLogFormat } from '../config/operationsConfig.js'
import { describeSettings, namingOrigins, readSettings, type Settings } from '../config/settings.js'
import { openLog } from '../openLog.js'
import { EngineMonitor } from '../operations/EngineMonitor.js'
import { OperationsServer } from '../operations/OperationsServer.js'
import { checkBeforeOpening, run } from '../run.js'
import { ConsoleLog } from './ConsoleLog.js'
import { ensureTopics } from './ensureTopics.js'
import { type MainHost, processHost } from './MainHost.js'
import { printProgress } from './printProgress.js'
import { type FlagValues, readFlags, usage } from './readFlags.js'
import { resetApplication } from './resetApplication.js'
import { Stopping } from './Stopping.js'
import { START_FLAGS, settingFlags } from './startFlags.js'

/** Exit codes. */
const OK = 0
const FAILED = 1
const BAD_USAGE = 2

export interface RunMainOptions {
  /** Topics that the topology reads and writes, with the partitions to make them with. */
  readonly topics?: readonly { readonly topic: string; readonly partitions: number }[]
}

/**
 * The main function of an exported application: reads configuration file, environment and command line over `config`,
 * runs the topology, prints what happens, stops gracefully at SIGINT and SIGTERM (the second one at once), and ends the
 * process: 0 after a stop whose last epoch committed, 1 after a failure, a stop that took longer than
 * `shutdown.timeout-ms` among them, 2 for a command line it does not know.
 *
 * @example
 * await runMain(build, config, { topics: [{ topic: 'events', partitions: 4 }] })
 */
export async function runMain(
  build: () => Topology,
  config: Readonly<Record<string, unknown>>,
  options: RunMainOptions = {},
  host: MainHost = processHost(),
): Promise<void> {
  const read = readFlags(host.args, START_FLAGS)
  if ('problem' in read) {
    host.printError(`${read.problem}\n\n${usage('npm start', 'Runs the topology.', START_FLAGS)}`)
    return host.exit(BAD_USAGE)
  }
  const flags = read.values
  if (flags.help) {
    host.print(usage('npm start', 'Runs the topology.', START_FLAGS))
    return host.exit(OK)
  }
  const log = new ConsoleLog(host)
  try {
    host.exit(await doAsAsked(build, config, { options, flags, host, log }))
  } catch (error) {
    log.failure(error)
    host.exit(FAILED)
  }
}

interface Asked {
  readonly options: RunMainOptions
  readonly flags: FlagValues
  readonly host: MainHost
  readonly log: ConsoleLog
}

async function doAsAsked(build: () => Topology, own: Readonly<Record<string, unknown>>, asked: Asked): Promise<number> {
  const { flags, host, log } = asked
  const settings = await readSettings({ own, env: host.env, ...settingFlags(flags) })
  const { config, warnings } = settings
  try {
    log.format = readLogFormat(config)
    for (const warning of warnings) log.report('warn', warning)
    return await doWith(settings, build, asked)
  } catch (error) {
    throw namingOrigins(error, settings)
  }
}

async function doWith(settings: Settings, build: () => Topology, asked: Asked): Promise<number> {
  const { flags, host, log } = asked
  const { config } = settings
  if (flags['print-config']) {
    readLogConfig(config)
    readHttpConfig(config)
    for (const line of describeSettings(settings)) host.print(line)
    return OK
  }
  if (flags.reset) {
    await resetApplication(build(), config, { clock: host.clock, report: log.report })
    return OK
  }
  return runToEnd(build, config, asked)
}

async function runToEnd(
  build: () => Topology,
  config: Readonly<Record<string, unknown>>,
  { options, flags, host, log }: Asked,
): Promise<number> {
  const topology = build()
  const where = readLogConfig(config)
  const http = readHttpConfig(config)
  const { engineConfig } = checkBeforeOpening(topology, config)
  const stopping = new Stopping(host, log, engineConfig['shutdown.timeout-ms'])
  const monitor = new EngineMonitor(host.clock)
  // Before anything is restored, so that an orchestrator does not take a long restore for a dead process.
  const server = http && (await OperationsServer.listen(http, monitor, engineConfig['application.id']))
  if (server !== undefined) log.report('info', `Health, readiness and metrics at ${server.url}`)
  try {
    const recordLog = await openLog(config, { clock: host.clock, report: log.report })
    try {
      await ensureTopics(recordLog, options.topics ?? [], where.kind === 'embedded' || flags['create-topics'] === true)
      if (stopping.isAsked) return OK
      return await runOn(recordLog, topology, config, { host, log, stopping, monitor, where })
    } finally {
      await recordLog.close()
    }
  } finally {
    await server?.close()
    stopping.over()
  }
}

interface Running {
  readonly host: MainHost
  readonly log: ConsoleLog
  readonly stopping: Stopping
  readonly monitor: EngineMonitor
  readonly where: LogConfig
}

async function runOn(
  recordLog: RecordLog & LogAdmin,
  topology: Topology,
  config: Readonly<Record<string, unknown>>,
  { host, log, stopping, monitor, where }: Running,
): Promise<number> {
  const app = await run(topology, config, {
    clock: host.clock,
    log: recordLog,
    report: log.report,
    onEngine: (engine) => {
      engine.events.on(['log'], (event) => event.type === 'log' && log.event(event))
      monitor.watch(engine, recordLog)
      stopping.stops(engine)
    },
  })
  if (app.state === 'running') log.report('info', `Running on ${nameOf(where)}. Ctrl-C stops it.`)
  const stopProgress = printProgress(app.engine, host, log)
  const failure = await app.finished
  stopProgress()
  if (failure !== undefined) {
    log.failure(failure)
    return FAILED
  }
  log.report('info', 'Stopped.')
  return OK
}

function nameOf(where: LogConfig): string {
  return where.kind === 'embedded' ? `the embedded log in ${where.dir}` : `Kafka at ${where.servers.join(',')}`
}
