import { StreamError } from '@lanescope/core'

export const DEFAULT_LOG_DIR = '.lanescope/log'
/** Kafka Streams' own under exactly-once. */
const DEFAULT_TRANSACTION_MS = 10_000
const LEAST_TRANSACTION_MS = 1_000
const CODECS = ['none', 'gzip', 'snappy', 'lz4', 'zstd'] as const

export type Codec = (typeof CODECS)[number]

/** The keys of an application's configuration that say which log it runs on. */
export type LogConfig =
  | { readonly kind: 'embedded'; readonly dir: string }
  | {
      readonly kind: 'kafka'
      readonly servers: readonly string[]
      readonly clientId: string
      readonly codec: Codec
      readonly exactlyOnce: boolean
      /** In ms. */
      readonly transactionTimeoutMs: number
    }

/**
 * Reads `bootstrap.servers` (set: Kafka), `client.id`, `producer.compression.type`, `processing.guarantee`,
 * `producer.transaction.timeout.ms`, `embedded.log.dir`.
 *
 * @throws StreamError CONFIG_INVALID naming the key
 */
export function readLogConfig(config: Readonly<Record<string, unknown>>): LogConfig {
  const servers = config['bootstrap.servers']
  if (servers === undefined || servers === '') {
    return { kind: 'embedded', dir: text(config, 'embedded.log.dir', DEFAULT_LOG_DIR) }
  }
  const codec = text(config, 'producer.compression.type', 'none')
  if (!isCodec(codec)) throw wrong('producer.compression.type', codec, `give one of ${CODECS.join(', ')}`)
  return {
    kind: 'kafka',
    servers: readServers(servers),
    clientId: text(config, 'client.id', text(config, 'application.id', 'lanescope')),
    codec,
    exactlyOnce:
      config['processing.guarantee'] !== 'at-least-once' && config['processing.guarantee'] !== 'at_least_once',
    transactionTimeoutMs: timeout(config),
  }
}

function readServers(value: unknown): readonly string[] {
  const list = Array.isArray(value) ? value : String(value).split(',')
  const servers = list.map((server) => String(server).trim()).filter((server) => server !== '')
  const bad = servers.find((server) => !/^(\[[0-9a-fA-F:]+\]|[^\s:/]+):\d{1,5}$/.test(server))
  if (servers.length === 0 || bad !== undefined) {
    throw wrong(
      'bootstrap.servers',
      bad ?? value,
      'give host:port, several separated by commas, such as localhost:9092',
    )
  }
  return servers
}

function timeout(config: Readonly<Record<string, unknown>>): number {
  const key = 'producer.transaction.timeout.ms'
  const value = config[key] ?? DEFAULT_TRANSACTION_MS
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= LEAST_TRANSACTION_MS) return value
  throw wrong(key, value, `give whole milliseconds of at least ${LEAST_TRANSACTION_MS}; brokers allow 900000 at most`)
}

function text(config: Readonly<Record<string, unknown>>, key: string, otherwise: string): string {
  const value = config[key]
  if (value === undefined) return otherwise
  if (typeof value !== 'string' || value === '') throw wrong(key, value, 'give a text that is not empty')
  return value
}

function isCodec(value: string): value is Codec {
  return (CODECS as readonly string[]).includes(value)
}

function wrong(key: string, value: unknown, fix: string): StreamError {
  return new StreamError(`"${key}" is ${JSON.stringify(value)}: ${fix}`, {
    code: 'CONFIG_INVALID',
    kind: 'user',
    retriable: false,
  })
}
