import { readLogFormat } from '../config/operationsConfig.js'
import { readSettings } from '../config/settings.js'
import { startTraffic, type Traffic } from '../traffic/startTraffic.js'
import type { TrafficGenerator } from '../traffic/TrafficGenerator.js'
import { ConsoleLog } from './ConsoleLog.js'
import { type MainHost, processHost } from './MainHost.js'
import { type Destination, openDestination } from './openDestination.js'
import { readFlags, usage } from './readFlags.js'
import { SETTING_FLAGS, settingFlags } from './startFlags.js'

const OK = 0
const FAILED = 1
const BAD_USAGE = 2
const PROGRESS_MS = 5_000

const DOES = 'Sends the test traffic of the project; to the embedded log also while the application runs.'

/**
 * The main function of an exported project's traffic, which takes settings as `runMain` does. Makes the generators'
 * topics where they are missing. On the embedded log it leaves its records in the log's inbox, which the running
 * application empties, or the next one to start. Event time that the generators make up goes on from what the topic holds.
 * Ends the process: 0 when all is sent or after SIGINT or SIGTERM, 1 after a failure, 2 for a command line it does not know.
 */
export async function trafficMain(
  generators: readonly TrafficGenerator[],
  config: Readonly<Record<string, unknown>>,
  host: MainHost = processHost(),
): Promise<void> {
  const flags = readFlags(host.args, SETTING_FLAGS)
  if ('problem' in flags) {
    host.printError(`${flags.problem}\n\n${usage('npm run traffic', DOES, SETTING_FLAGS)}`)
    return host.exit(BAD_USAGE)
  }
  if (flags.values.help) {
    host.print(usage('npm run traffic', DOES, SETTING_FLAGS))
    return host.exit(OK)
  }
  const log = new ConsoleLog(host)
  try {
    const settings = await readSettings({ own: config, env: host.env, ...settingFlags(flags.values) })
    log.format = readLogFormat(settings.config)
    for (const warning of settings.warnings) log.report('warn', warning)
    await send(generators, await openDestination(settings.config, host, log), host, log)
    host.exit(OK)
  } catch (error) {
    log.failure(error)
    host.exit(FAILED)
  }
}

async function send(
  generators: readonly TrafficGenerator[],
  destination: Destination,
  host: MainHost,
  log: ConsoleLog,
): Promise<void> {
  try {
    const traffic = await startTraffic(generators, destination.target, host.clock)
    log.report('info', `Sending to ${destination.name}. Ctrl-C stops it.`)
    const stop = () => {
      // The inbox may be full, and the sender wait for a reader: closing ends that wait.
      void Promise.all([traffic.stop(), destination.close()])
    }
    host.onSignal(stop)
    host.onOrphaned?.(stop)
    const stopProgress = printProgress(traffic, host, log)
    const failure = await traffic.finished
    stopProgress()
    if (failure !== undefined) throw failure
    log.report('info', `${traffic.sent()} records sent.`)
  } finally {
    await destination.close()
  }
}

function printProgress(traffic: Traffic, host: MainHost, log: ConsoleLog): () => void {
  let timer = host.clock.after(PROGRESS_MS, tick)
  function tick(): void {
    log.report('info', `${traffic.sent()} records sent`)
    timer = host.clock.after(PROGRESS_MS, tick)
  }
  return () => timer.cancel()
}
