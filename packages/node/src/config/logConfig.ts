import { configProblem, folderText, numberOf, optionalText } from './configProblem.js'
import { readSecurityConfig, type SecurityConfig } from './securityConfig.js'

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
      /** TLS and SASL. */
      readonly security: SecurityConfig
    }

/**
 * Reads `bootstrap.servers` (set: Kafka), `client.id`, `producer.compression.type`, `processing.guarantee`,
 * `producer.transaction.timeout.ms`, `embedded.log.dir`; for Kafka also what `readSecurityConfig` reads.
 *
 * @throws StreamError CONFIG_INVALID naming the key
 */
export function readLogConfig(config: Readonly<Record<string, unknown>>): LogConfig {
  const servers = config['bootstrap.servers']
  if (!isOnKafka(config)) {
    return { kind: 'embedded', dir: folderText('embedded.log.dir', config['embedded.log.dir'] ?? DEFAULT_LOG_DIR) }
  }
  const codec = optionalText(config, 'producer.compression.type') ?? 'none'
  if (!isCodec(codec)) throw configProblem('producer.compression.type', codec, `give one of ${CODECS.join(', ')}`)
  return {
    kind: 'kafka',
    servers: readServers(servers),
    clientId: optionalText(config, 'client.id') ?? optionalText(config, 'application.id') ?? 'lanescope',
    codec,
    exactlyOnce:
      config['processing.guarantee'] !== 'at-least-once' && config['processing.guarantee'] !== 'at_least_once',
    transactionTimeoutMs: timeout(config),
    security: readSecurityConfig(config),
  }
}

/** Whether brokers are named. */
export function isOnKafka(config: Readonly<Record<string, unknown>>): boolean {
  const servers = config['bootstrap.servers']
  return servers !== undefined && servers !== ''
}

function readServers(value: unknown): readonly string[] {
  const list = Array.isArray(value) ? value : String(value).split(',')
  const servers = list.map((server) => String(server).trim()).filter((server) => server !== '')
  const bad = servers.find((server) => !isAddress(server))
  if (servers.length === 0 || bad !== undefined) {
    throw configProblem(
      'bootstrap.servers',
      bad ?? value,
      'give host:port, several separated by commas, such as localhost:9092',
    )
  }
  return servers
}

function isAddress(server: string): boolean {
  const port = /^(?:\[[0-9a-fA-F:]+\]|[^\s:/]+):(\d{1,5})$/.exec(server)?.[1]
  return port !== undefined && Number(port) >= 1 && Number(port) <= 65_535
}

function timeout(config: Readonly<Record<string, unknown>>): number {
  const key = 'producer.transaction.timeout.ms'
  const value = numberOf(config[key]) ?? DEFAULT_TRANSACTION_MS
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= LEAST_TRANSACTION_MS) return value
  throw configProblem(
    key,
    value,
    `give whole milliseconds of at least ${LEAST_TRANSACTION_MS}; brokers allow their transaction.max.timeout.ms at most, by default 900000`,
  )
}

function isCodec(value: string): value is Codec {
  return (CODECS as readonly string[]).includes(value)
}
