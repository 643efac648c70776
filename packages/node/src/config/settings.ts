import { readFile } from 'node:fs/promises'
import { parseConfig, StreamError } from '@lanescope/core'
import { brokenAt } from './brokenAt.js'
import { configInvalid, whyUnreadable } from './configProblem.js'
import { readEnvironment, variableOf } from './environment.js'
import { hostKeys, isSecret } from './hostKeys.js'

type Config = Readonly<Record<string, unknown>>

const OWN = 'the application'
const ENVIRONMENT = 'environment'
/** Named as its key, with `-` for `.`. */
const FLAG = 'flag'

/** Where settings come from, each over the ones before it. */
export interface SettingSources {
  /** The application's own: `app.config.json` of an exported project. */
  readonly own: Config
  /** A file of the same form. */
  readonly file?: string | undefined
  readonly env: Readonly<Record<string, string | undefined>>
  /** `key=value` of each `--set`; the last one of a key counts. */
  readonly sets?: readonly string[] | undefined
  /** Flags that stand for a key; they count over `sets`. */
  readonly flags?: Config
}

export interface Settings {
  readonly config: Config
  /** Which source each key of `config` is from, in words. */
  readonly origins: ReadonlyMap<string, string>
  /** What an operator should know of them. */
  readonly warnings: readonly string[]
}

/**
 * Puts the settings together: defaults < the application's own < `--config` file < environment < flags.
 *
 * @throws StreamError CONFIG_INVALID for a file that cannot be read, a `--set` without `=`, or a flag without a value
 */
export async function readSettings({ own, file, env, sets = [], flags = {} }: SettingSources): Promise<Settings> {
  const { values, unknown } = readEnvironment(env, allKeys())
  const empty = Object.keys(flags).find((key) => flags[key] === '')
  // A shell's variable that is not set: to take it for "not given" would run on another log than was meant.
  if (empty !== undefined) throw configInvalid(`The flag for "${empty}" is empty: give it a value, or leave it out`)
  const layers: readonly (readonly [string, Config])[] = [
    [OWN, own],
    ...(file === undefined ? [] : [[file, await readConfigFile(file)] as const]),
    [ENVIRONMENT, Object.fromEntries(values)],
    ['--set', Object.fromEntries(sets.map(readSet))],
    [FLAG, flags],
  ]
  const config: Record<string, unknown> = {}
  const origins = new Map<string, string>()
  for (const [origin, layer] of layers) {
    for (const [key, value] of Object.entries(layer)) {
      if (value === undefined) continue
      config[key] = value
      origins.set(key, origin)
    }
  }
  return { config, origins, warnings: [...unknown.map(noSuchVariable), ...unread(config)] }
}

/** All keys that an application may set: the engine's and its host's. */
export function allKeys(): readonly string[] {
  return [...Object.keys(parseConfig({})), ...hostKeys]
}

/**
 * What holds, one line a key in the order of names, with where it is from; values of secret keys are masked.
 *
 * @throws StreamError CONFIG_INVALID when the engine does not take the configuration
 */
export function describeSettings({ config, origins }: Settings): readonly string[] {
  const inForce: Config = { ...config, ...parseConfig(config) }
  return Object.keys(inForce)
    .filter((key) => inForce[key] !== undefined)
    .sort()
    .map((key) => `${key} = ${shown(key, inForce[key])}  (${origins.get(key) ?? 'default'})`)
}

/**
 * An error of the configuration, with where the keys that it names are from: a file, the environment and flags may all
 * set one.
 */
export function namingOrigins(error: unknown, { origins }: Settings): unknown {
  if (!(error instanceof StreamError) || error.code !== 'CONFIG_INVALID') return error
  const keys = new Set([...error.message.matchAll(/"([a-z][\w.-]*)"/g)].map(([, key = '']) => key))
  const told = [...keys].flatMap((key) => {
    const origin = origins.get(key)
    if (origin === undefined || origin === OWN) return []
    return [`${key} is from ${sourceText(key, origin)}`]
  })
  if (told.length === 0) return error
  const { kind, retriable, context } = error
  return new StreamError(`${error.message.replace(/\.$/, '')} (${told.join(', ')})`, {
    code: error.code,
    kind,
    retriable,
    context,
    cause: error.cause,
  })
}

function sourceText(key: string, origin: string): string {
  if (origin === ENVIRONMENT) return variableOf(key)
  return origin === FLAG ? `--${key.replaceAll('.', '-')}` : origin
}

function shown(key: string, value: unknown): string {
  if (isSecret(key)) return '***'
  if (typeof value === 'function') return 'a function'
  if (typeof value === 'object' && value !== null && 'id' in value) return String(value.id)
  return typeof value === 'string' ? value : JSON.stringify(value)
}

async function readConfigFile(file: string): Promise<Config> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    throw configInvalid(
      `--config names ${JSON.stringify(file)}, ${whyUnreadable(error as NodeJS.ErrnoException)}`,
      error,
    )
  }
  const value = parseJson(file, text.replace(/^\uFEFF/, ''))
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value }
  throw noConfiguration(file, 'it is JSON, and no object')
}

function parseJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // What the parser says quotes the text, of which a part may be a secret: no more than the place is told.
    throw noConfiguration(file, text.trim() === '' ? 'it is empty' : brokenAt(text))
  }
}

function noConfiguration(file: string, why: string): StreamError {
  return configInvalid(
    `The configuration file ${JSON.stringify(file)} cannot be used: ${why}. Write one object of keys and values: {"key": value, …}`,
  )
}

function readSet(text: string): readonly [string, string] {
  const at = text.indexOf('=')
  if (at > 0) return [text.slice(0, at).trim(), text.slice(at + 1)]
  throw configInvalid(`--set is given ${JSON.stringify(text)}: give --set key=value`)
}

function noSuchVariable(variable: string): string {
  return `The environment variable ${variable} stands for no configuration key and is not read`
}

/** Keys that pass the engine by because of how they begin, and that nobody reads. */
function unread(config: Config): readonly string[] {
  const known = new Set(allKeys())
  return Object.keys(config)
    .filter(
      (key) =>
        !known.has(key) &&
        /^(bootstrap|client|auto\.offset|embedded|state|http|log|metrics|consumer|producer)\./.test(key),
    )
    .map((key) => `The configuration key "${key}" is not read`)
}
