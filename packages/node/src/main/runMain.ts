import { type LogAdmin, type RecordLog, type StreamError, type Topology, topicMissing } from '@lanescope/core'
import { type LogConfig, readLogConfig } from '../config/logConfig.js'
import { openLog } from '../openLog.js'
import { type App, checkBeforeOpening, run } from '../run.js'
import { ConsoleLog } from './ConsoleLog.js'
import { type MainHost, processHost } from './MainHost.js'
import { BOOTSTRAP_SERVERS, readFlags, usage } from './readFlags.js'

/** Exit codes. */
const OK = 0
const FAILED = 1
const BAD_USAGE = 2

const PROGRESS_MS = 10_000

const FLAGS = {
  'bootstrap-servers': BOOTSTRAP_SERVERS,
  'create-topics': {
    type: 'boolean',
    help: 'create topics that the Kafka cluster lacks (the embedded log always does)',
  },
} as const

export interface RunMainOptions {
  /** Topics that the topology reads and writes, with the partitions to make them with. */
  readonly topics?: readonly { readonly topic: string; readonly partitions: number }[]
}

/**
 * The main function of an exported application: reads the command line, runs the topology, prints what happens, stops
 * gracefully at SIGINT and SIGTERM (the second one at once), and ends the process: 0 after a stop, 1 after a failure,
 * 2 for a command line it does not know.
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
  const flags = readFlags(host.args, FLAGS)
  if ('problem' in flags) {
    host.printError(`${flags.problem}\n\n${usage('npm start', 'Runs the topology.', FLAGS)}`)
    return host.exit(BAD_USAGE)
  }
  if (flags.values.help) {
    host.print(usage('npm start', 'Runs the topology.', FLAGS))
    return host.exit(OK)
  }
  const servers = flags.values['bootstrap-servers']
  const full = servers === undefined ? config : { ...config, 'bootstrap.servers': servers }
  const log = new ConsoleLog(host)
  try {
    host.exit(
      await runToEnd(build, full, { ...options, createTopics: flags.values['create-topics'] === true }, host, log),
    )
  } catch (error) {
    log.failure(error)
    host.exit(FAILED)
  }
}

async function runToEnd(
  build: () => Topology,
  config: Readonly<Record<string, unknown>>,
  options: RunMainOptions & { readonly createTopics: boolean },
  host: MainHost,
  log: ConsoleLog,
): Promise<number> {
  const topology = build()
  const where = readLogConfig(config)
  checkBeforeOpening(topology, config)
  const recordLog = await openLog(config, { clock: host.clock, report: log.report })
  let failure: StreamError | undefined
  try {
    await ensureTopics(recordLog, options.topics ?? [], where.kind === 'embedded' || options.createTopics)
    const app = await run(topology, config, {
      clock: host.clock,
      log: recordLog,
      report: log.report,
      onEngine: ({ events }) => {
        events.on(['log'], (event) => event.type === 'log' && log.report(event.level, event.message))
      },
    })
    log.report('info', `Running on ${nameOf(where)}. Ctrl-C stops it.`)
    stopAtSignal(app, host, log)
    const stopProgress = printProgress(app, host, log)
    failure = await app.finished
    stopProgress()
  } finally {
    await recordLog.close()
  }
  if (failure !== undefined) {
    log.failure(failure)
    return FAILED
  }
  log.report('info', 'Stopped.')
  return OK
}

/** @throws StreamError TOPIC_MISSING naming all that are missing and the flag that makes them */
async function ensureTopics(
  log: RecordLog & LogAdmin,
  wanted: readonly { readonly topic: string; readonly partitions: number }[],
  mayCreate: boolean,
): Promise<void> {
  const existing = new Set((await log.topics(wanted.map(({ topic }) => topic))).map(({ topic }) => topic))
  const missing = wanted.filter(({ topic }) => !existing.has(topic))
  if (missing.length > 0 && !mayCreate) {
    throw topicMissing(
      missing.map(({ topic }) => topic),
      'the Kafka cluster',
      'create them there, or start with --create-topics',
    )
  }
  for (const { topic, partitions } of missing) await log.createTopic(topic, partitions)
}

function stopAtSignal(app: App, host: MainHost, log: ConsoleLog): void {
  let isStopping = false
  host.onSignal((signal) => {
    if (isStopping) {
      log.report('warn', `${signal} again: ending at once. What is not committed is done again at the next start.`)
      return host.exit(FAILED)
    }
    isStopping = true
    log.report('info', `${signal}: stopping…`)
    void app.stop()
  })
}

/** A line now and then while records move. @returns what ends it */
function printProgress(app: App, host: MainHost, log: ConsoleLog): () => void {
  let last = ''
  let timer = host.clock.after(PROGRESS_MS, tick)
  function tick(): void {
    const line = progressOf(app)
    if (line !== last) log.report('info', line)
    last = line
    timer = host.clock.after(PROGRESS_MS, tick)
  }
  return () => timer.cancel()
}

function progressOf(app: App): string {
  const { nodes, epoch, clocks } = app.snapshot()
  const sources = new Set(clocks.partitions.map(({ source }) => source))
  const read = nodes.filter(({ node }) => sources.has(node)).reduce((sum, node) => sum + node.out, 0)
  const lag = clocks.partitions.reduce((sum, partition) => sum + partition.lag, 0)
  return `${read} records read, ${lag} behind; epoch ${epoch.committed} committed`
}

function nameOf(where: LogConfig): string {
  return where.kind === 'embedded' ? `the embedded log in ${where.dir}` : `Kafka at ${where.servers.join(',')}`
}
