import { type EngineEventOf, StreamError } from '@lanescope/core'
import type { LogFormat } from '../config/operationsConfig.js'
import type { LogFields, LogReport } from '../LogReport.js'
import type { MainHost } from './MainHost.js'

/**
 * Lines of time, level and message: as text for people, or one JSON object a line with fields for programs. Warnings and
 * errors go to standard error.
 */
export class ConsoleLog {
  /** `text` until the configuration has been read. */
  format: LogFormat = 'text'

  constructor(private readonly host: MainHost) {}

  readonly report: LogReport = (level, message, fields = {}) => {
    const time = new Date(this.host.clock.now()).toISOString()
    const line =
      this.format === 'json'
        ? JSON.stringify({ time, level, message, ...fields })
        : `${time} ${level.toUpperCase().padEnd(5)} ${message}`
    if (level === 'info') this.host.print(line)
    else this.host.printError(line)
  }

  /** A line of the engine's own. */
  event({ level, message, node, lane, coordinates }: EngineEventOf<'log'>): void {
    const { topic, partition, offset } = coordinates ?? {}
    this.report(level, message, { node, lane, topic, partition, offset })
  }

  /** An error that ended something; for user code also where it was thrown. */
  failure(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error)
    const stack = stackOf(error)
    this.report('error', message, { ...fieldsOf(error), stack })
    if (this.format === 'text' && stack !== undefined) this.host.printError(stack)
  }
}

function fieldsOf(error: unknown): LogFields {
  if (!(error instanceof StreamError)) return {}
  const { code, kind, retriable, context } = error
  return { code, kind, retriable, ...context }
}

/** Where user code threw. An operator is not shown the inside of ours. */
function stackOf(error: unknown): string | undefined {
  const cause = error instanceof StreamError ? error.cause : error
  const isTheirs = !(error instanceof StreamError) || (error.kind !== 'operational' && error.code !== 'CONFIG_INVALID')
  return isTheirs && cause instanceof Error && !(cause instanceof StreamError) ? cause.stack : undefined
}
