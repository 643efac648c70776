import { configProblem, numberOf, optionalText } from './configProblem.js'

export const LOG_FORMATS = ['text', 'json'] as const
export type LogFormat = (typeof LOG_FORMATS)[number]

/** Where health, readiness and metrics are asked for. */
export interface HttpConfig {
  readonly host: string
  /** 0: a free one. */
  readonly port: number
}

/**
 * Reads `http.port` and `http.host`.
 *
 * @returns undefined where no port is given: then nothing listens
 * @throws StreamError CONFIG_INVALID naming the key
 */
export function readHttpConfig(config: Readonly<Record<string, unknown>>): HttpConfig | undefined {
  const host = optionalText(config, 'http.host') ?? '127.0.0.1'
  const port = numberOf(config['http.port'])
  if (port === undefined) return undefined
  if (typeof port === 'number' && Number.isInteger(port) && port >= 0 && port <= 65_535) return { host, port }
  throw configProblem('http.port', config['http.port'], 'give a port of 1 to 65535, or 0 for a free one')
}

/** Reads `log.format`. @throws StreamError CONFIG_INVALID */
export function readLogFormat(config: Readonly<Record<string, unknown>>): LogFormat {
  const value = config['log.format'] ?? 'text'
  const format = LOG_FORMATS.find((known) => known === value)
  if (format === undefined) throw configProblem('log.format', value, `give one of ${LOG_FORMATS.join(', ')}`)
  return format
}
