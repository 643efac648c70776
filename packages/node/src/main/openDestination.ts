import { readLogConfig } from '../config/logConfig.js'
import { InboxSender } from '../embedded/Inbox.js'
import { holderOf } from '../embedded/LogLock.js'
import { openLog } from '../openLog.js'
import { intoLog } from '../traffic/intoLog.js'
import type { TrafficTarget } from '../traffic/TrafficTarget.js'
import type { ConsoleLog } from './ConsoleLog.js'
import type { MainHost } from './MainHost.js'

/** Where a project's own records go that it did not make itself. */
export interface Destination {
  readonly target: TrafficTarget
  readonly isEmbedded: boolean
  /** For people. */
  readonly name: string
  close(): Promise<void>
}

/** Kafka, or the embedded log's inbox: the application that runs empties it, or the next one to start. */
export async function openDestination(
  config: Readonly<Record<string, unknown>>,
  host: MainHost,
  log: ConsoleLog,
): Promise<Destination> {
  const where = readLogConfig(config)
  if (where.kind === 'kafka') {
    // It is no instance of the application, so it keeps nothing in the folder of one.
    const kafka = await openLog({ ...config, 'state.dir': ':memory:' }, { clock: host.clock, report: log.report })
    return {
      target: intoLog(kafka),
      isEmbedded: false,
      name: `Kafka at ${where.servers.join(',')}`,
      close: () => kafka.close(),
    }
  }
  const holder = await holderOf(where.dir)
  if (holder === undefined) log.report('warn', 'The application does not run: what is sent waits until it starts.')
  const target = new InboxSender(where.dir, host.clock)
  return { target, isEmbedded: true, name: `the embedded log in ${where.dir}`, close: async () => target.close() }
}
