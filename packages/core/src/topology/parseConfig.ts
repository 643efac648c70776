import { StreamError } from '../errors/StreamError.js'
import { configEntries } from './configEntries.js'
import type { EngineConfig } from './EngineConfig.js'
import { nearest } from './nearest.js'
import { whyForeign } from './whyForeign.js'

const lanesAlias = 'num.stream.threads'

/** Keys that the engine does not read itself: whoever hosts it does. */
const hostPrefixes = [
  'bootstrap.',
  'client.',
  'security.',
  'sasl.',
  'ssl.',
  'auto.offset.',
  'embedded.',
  'state.',
  'http.',
  'log.',
  'metrics.',
  'consumer.',
  'producer.',
]

/**
 * Reads a flat, dotted configuration and fills in every default.
 *
 * Keys of the host (`bootstrap.…`, `client.…`, `security.…`, `sasl.…`, `ssl.…`, `auto.offset.…`, `embedded.…`,
 * `state.…`, `http.…`, `log.…`, `metrics.…`, `consumer.…`, `producer.…`) pass unread. A value of undefined counts as not given.
 *
 * @throws StreamError CONFIG_INVALID listing every problem at once
 */
export function parseConfig(input: Readonly<Record<string, unknown>>): EngineConfig {
  const problems: string[] = []
  const config: Record<string, unknown> = {}
  for (const [key, entry] of Object.entries(configEntries)) config[key] = entry.initial
  for (const [key, value] of Object.entries(input)) {
    if (value === undefined) continue
    if (Object.hasOwn(configEntries, key)) readEntry(key as keyof EngineConfig, value, config, problems)
    else if (!hostPrefixes.some((prefix) => key.startsWith(prefix))) problems.push(unknownKey(key))
  }
  joinLanes(config, problems)
  joinDeserialization(config)
  if (problems.length > 0) throw configError(problems)
  // A copy, because V8 looks names up in what was filled name by name as in a hash table; the engine asks at each record.
  return { ...config } as unknown as EngineConfig
}

export function readEntry(
  key: keyof EngineConfig,
  value: unknown,
  config: Record<string, unknown>,
  problems: string[],
): void {
  const reading = configEntries[key].read(value)
  if ('value' in reading) config[key] = reading.value
  else problems.push(`"${key}" must be ${reading.wanted}; got ${quote(value)}.`)
}

/** L5: Kafka Streams' name for the same number. Both may be given when they agree. */
function joinLanes(config: Record<string, unknown>, problems: string[]): void {
  const [lanes, alias] = [config['lanes.count'], config[lanesAlias]]
  if (alias === undefined) return
  if (lanes === undefined) config['lanes.count'] = alias
  else if (lanes === alias) config[lanesAlias] = undefined
  else {
    problems.push(
      `"lanes.count" is ${lanes} and "${lanesAlias}", its alias, is ${alias}. Give one of them, or the same number.`,
    )
  }
}

/** Kafka Streams has renamed the handler: the new name, when it is given, says what the old one would. */
function joinDeserialization(config: Record<string, unknown>): void {
  const renamed = config['deserialization.exception.handler']
  if (renamed === undefined) return
  config['default.deserialization.exception.handler'] = renamed
  config['deserialization.exception.handler'] = undefined
}

function unknownKey(key: string): string {
  const why = whyForeign(key)
  if (why !== undefined) return `"${key}" is a key of Kafka Streams that is not needed here: ${why}. Remove it.`
  const suggestion = nearest(key, Object.keys(configEntries))
  const hint = suggestion === undefined ? 'Remove it, or correct its name.' : `Did you mean "${suggestion}"?`
  return `"${key}" is not a configuration key. ${hint}`
}

function quote(value: unknown): string {
  if (typeof value === 'string') return `"${value}"`
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object'
  return String(value)
}

export function configError(problems: readonly string[]): StreamError {
  const message =
    problems.length === 1
      ? `The configuration is wrong: ${problems[0]}`
      : `The configuration has ${problems.length} problems:\n${problems.map((problem) => `- ${problem}`).join('\n')}`
  return new StreamError(message, { code: 'CONFIG_INVALID', kind: 'user', retriable: false })
}
