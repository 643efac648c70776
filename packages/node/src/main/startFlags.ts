import { LOG_FORMATS } from '../config/operationsConfig.js'
import { BOOTSTRAP_SERVERS, type FlagValues } from './readFlags.js'

/** What `npm start` of an exported project understands. */
export const START_FLAGS = {
  'bootstrap-servers': BOOTSTRAP_SERVERS,
  'create-topics': {
    type: 'boolean',
    help: 'create topics that the Kafka cluster lacks (the embedded log always does)',
  },
  config: { type: 'string', value: 'FILE', help: 'read this JSON file of configuration keys, too' },
  set: {
    type: 'string',
    value: 'KEY=VALUE',
    help: 'set a configuration key; may be given several times',
    multiple: true,
  },
  'print-config': { type: 'boolean', help: 'print the configuration that holds, and where each key is from; then end' },
  'log-format': { type: 'string', value: LOG_FORMATS.join('|'), help: 'how lines are printed (default: text)' },
  reset: {
    type: 'boolean',
    help: 'set the application back to the beginning of its topics and delete its local state; then end',
  },
} as const

export interface StartFlags {
  readonly help: boolean
  readonly createTopics: boolean
  readonly printConfig: boolean
  readonly reset: boolean
  readonly config: string | undefined
  readonly sets: readonly string[]
  /** Flags that stand for a configuration key. */
  readonly keys: Readonly<Record<string, unknown>>
}

export function startFlags(values: FlagValues): StartFlags {
  const { config, set } = values
  return {
    help: values.help === true,
    createTopics: values['create-topics'] === true,
    printConfig: values['print-config'] === true,
    reset: values.reset === true,
    config: typeof config === 'string' ? config : undefined,
    sets: Array.isArray(set) ? set : [],
    keys: { 'bootstrap.servers': values['bootstrap-servers'], 'log.format': values['log-format'] },
  }
}
