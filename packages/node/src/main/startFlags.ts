import { LOG_FORMATS } from '../config/operationsConfig.js'
import { BOOTSTRAP_SERVERS, type FlagValues } from './readFlags.js'

/** How both main functions take settings over those of the project. */
export const SETTING_FLAGS = {
  'bootstrap-servers': BOOTSTRAP_SERVERS,
  config: { type: 'string', value: 'FILE', help: 'read this JSON file of configuration keys, too' },
  set: {
    type: 'string',
    value: 'KEY=VALUE',
    help: 'set a configuration key; may be given several times',
    multiple: true,
  },
  'log-format': { type: 'string', value: LOG_FORMATS.join('|'), help: 'how lines are printed (default: text)' },
} as const

/** What `npm start` of an exported project understands. */
export const START_FLAGS = {
  ...SETTING_FLAGS,
  'create-topics': {
    type: 'boolean',
    help: 'create topics that the Kafka cluster lacks (the embedded log always does)',
  },
  'print-config': { type: 'boolean', help: 'print the configuration that holds, and where each key is from; then end' },
  reset: {
    type: 'boolean',
    help: 'set the application back to the beginning of its topics and delete its local state; then end',
  },
} as const

export interface SettingFlags {
  readonly file: string | undefined
  readonly sets: readonly string[]
  /** Flags that stand for a configuration key. */
  readonly flags: Readonly<Record<string, unknown>>
}

export function settingFlags(values: FlagValues): SettingFlags {
  const { config, set } = values
  return {
    file: typeof config === 'string' ? config : undefined,
    sets: Array.isArray(set) ? set : [],
    flags: { 'bootstrap.servers': values['bootstrap-servers'], 'log.format': values['log-format'] },
  }
}
