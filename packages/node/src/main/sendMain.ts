import { Headers, type OutputRecord, type Serde } from '@lanescope/core'
import { readLogFormat } from '../config/operationsConfig.js'
import { readSettings } from '../config/settings.js'
import { keyFromText } from '../traffic/toSerdeInput.js'
import { ConsoleLog } from './ConsoleLog.js'
import { type MainHost, processHost } from './MainHost.js'
import { openDestination } from './openDestination.js'
import { readFlags, usage } from './readFlags.js'
import { SETTING_FLAGS, settingFlags } from './startFlags.js'

const OK = 0
const FAILED = 1
const BAD_USAGE = 2

const COMMAND = 'npm run send'
const WORDS = 'TOPIC KEY [VALUE] '
const DOES = 'Sends one record to a topic that the project reads; without VALUE, one that has none.'
const FLAGS = {
  ...SETTING_FLAGS,
  at: { type: 'string', value: 'TIME', help: 'its time, as 2026-01-31T12:00:00Z or in ms (default: now)' },
} as const

/** A topic that a project reads, and how others write it. */
export interface SendTopic {
  readonly topic: string
  /** To make it with on the embedded log, where it does not exist. */
  readonly partitions: number
  // Of any type: what text stands for depends on the serde's id.
  readonly key: Serde<any>
  readonly value: Serde<any>
}

interface Wanted {
  readonly topic: SendTopic
  readonly record: OutputRecord
}

/**
 * The main function of an exported project's `npm run send`: appends one record, whose key and value are text that the
 * topic's serdes turn into bytes; JSON is read as such where it is some. On the embedded log it goes into the log's inbox,
 * which the running application empties, or the next one to start.
 * Ends the process: 0 when it is sent, 1 after a failure, 2 for a command line that it does not know.
 */
export async function sendMain(
  topics: readonly SendTopic[],
  config: Readonly<Record<string, unknown>>,
  host: MainHost = processHost(),
): Promise<void> {
  const flags = readFlags(host.args, FLAGS, true)
  if ('values' in flags && flags.values.help) {
    host.print(usage(COMMAND, DOES, FLAGS, WORDS))
    return host.exit(OK)
  }
  const log = new ConsoleLog(host)
  try {
    const wanted = 'problem' in flags ? flags.problem : read(flags.words, flags.values.at, topics, host.clock.now())
    if ('problem' in flags || typeof wanted === 'string') {
      host.printError(`${wanted}\n\n${usage(COMMAND, DOES, FLAGS, WORDS)}`)
      return host.exit(BAD_USAGE)
    }
    const settings = await readSettings({ own: config, env: host.env, ...settingFlags(flags.values) })
    log.format = readLogFormat(settings.config)
    for (const warning of settings.warnings) log.report('warn', warning)
    await send(wanted as Wanted, settings.config, host, log)
    host.exit(OK)
  } catch (error) {
    log.failure(error)
    host.exit(FAILED)
  }
}

/** The record that a command line asks for, or what is wrong with the line. */
function read(words: readonly string[], at: unknown, topics: readonly SendTopic[], now: number): Wanted | string {
  const [name, key, value, ...more] = words
  if (name === undefined || key === undefined) return 'A topic and a key are needed.'
  if (more.length > 0) return `"${more[0]}" is one word too many: put a value with blanks into quotes.`
  const topic = topics.find((one) => one.topic === name)
  if (topic === undefined)
    return `The project reads no topic "${name}", but ${topics.map((one) => `"${one.topic}"`).join(', ')}.`
  const timestamp = at === undefined ? now : timeOf(String(at))
  if (timestamp === undefined) return `"${String(at)}" is no time: write 2026-01-31T12:00:00Z, or ms since 1970.`
  return {
    topic,
    record: {
      topic: name,
      partition: -1,
      key: bytesOf(topic.key, name, key),
      value: value === undefined ? null : bytesOf(topic.value, name, value),
      timestamp,
      headers: [],
    },
  }
}

function bytesOf(serde: SendTopic['key'], topic: string, text: string): Uint8Array | null {
  return serde.serialize(topic, Headers.empty, keyFromText(serde.id, text))
}

function timeOf(text: string): number | undefined {
  const ms = /^\d+$/.test(text) ? Number(text) : Date.parse(text)
  return Number.isSafeInteger(ms) && ms >= 0 ? ms : undefined
}

async function send(
  { topic, record }: Wanted,
  config: Readonly<Record<string, unknown>>,
  host: MainHost,
  log: ConsoleLog,
): Promise<void> {
  const destination = await openDestination(config, host, log)
  try {
    // A topic of Kafka is its operator's; one of the embedded log the application would make just so.
    if (destination.isEmbedded) await destination.target.createTopic(topic.topic, topic.partitions)
    await destination.target.append([record])
    log.report('info', `Sent to "${topic.topic}" of ${destination.name}.`)
  } finally {
    await destination.close()
  }
}
