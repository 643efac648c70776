import { resolve } from 'node:path'
import type { AgentConfig } from './AgentConfig.js'

/** What a command line asks for: help, a start, or something that it may not ask for. */
export type Flags =
  | { readonly ask: 'help' }
  | { readonly ask: 'start'; readonly config: AgentConfig }
  | { readonly ask: 'refused'; readonly message: string }

type FlagName = '--port' | '--no-open' | '--dir' | '--bootstrap-servers' | '--help'

/** What each flag takes; the words for people are in `help.txt`. */
const FLAGS: Readonly<{ [name in FlagName]: 'nothing' | 'a value' }> = {
  '--port': 'a value',
  '--no-open': 'nothing',
  '--dir': 'a value',
  '--bootstrap-servers': 'a value',
  '--help': 'nothing',
}

/** Every flag there is, for the test that holds `help.txt` beside it. */
export const FLAG_NAMES: readonly string[] = Object.keys(FLAGS)

const DEFAULT_PORT = 4747

/** Reads a command line: `--flag value` or `--flag=value`, the last one wins. */
export function parseFlags(args: readonly string[], workingDirectory: string): Flags {
  const given = new Map<FlagName, string>()
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] ?? ''
    const equals = arg.indexOf('=')
    const name = equals < 0 ? arg : arg.slice(0, equals)
    if (!isFlag(name)) return refused(`Unknown flag "${arg}"; --help lists the flags`)
    if (FLAGS[name] === 'nothing') {
      if (equals >= 0) return refused(`${name} takes no value, but got "${arg.slice(equals + 1)}"`)
      given.set(name, '')
      continue
    }
    const value = equals < 0 ? args[++index] : arg.slice(equals + 1)
    if (value === undefined || value === '' || (equals < 0 && isFlag(value))) return refused(`${name} needs a value`)
    given.set(name, value)
  }
  return given.has('--help') ? { ask: 'help' } : toConfig(given, workingDirectory)
}

function toConfig(given: ReadonlyMap<FlagName, string>, workingDirectory: string): Flags {
  const port = given.get('--port')
  if (port !== undefined && !(/^\d{1,5}$/.test(port) && Number(port) <= 65535)) {
    return refused(`--port takes a number from 0 to 65535, but got "${port}"`)
  }
  const servers = given.get('--bootstrap-servers')
  const wrong = servers?.split(',').find((server) => !/^(\[[0-9a-fA-F:]+\]|[^\s:,/]+):\d{1,5}$/.test(server.trim()))
  if (wrong !== undefined) return refused(`--bootstrap-servers takes host:port with commas between, but got "${wrong}"`)
  return {
    ask: 'start',
    config: {
      port: port === undefined ? DEFAULT_PORT : Number(port),
      open: !given.has('--no-open'),
      projectsFolder: resolve(workingDirectory, given.get('--dir') ?? 'projects'),
      bootstrapServers: servers,
    },
  }
}

function isFlag(name: string): name is FlagName {
  return Object.hasOwn(FLAGS, name)
}

function refused(message: string): Flags {
  return { ask: 'refused', message }
}
