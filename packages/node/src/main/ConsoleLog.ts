import { StreamError } from '@lanescope/core'
import type { LogReport } from '../LogReport.js'
import type { MainHost } from './MainHost.js'

/** Readable lines: time, level, text. Errors go to standard error. */
export class ConsoleLog {
  constructor(private readonly host: MainHost) {}

  readonly report: LogReport = (level, message) => {
    const line = `${new Date(this.host.clock.now()).toISOString()} ${level.toUpperCase().padEnd(5)} ${message}`
    if (level === 'info') this.host.print(line)
    else this.host.printError(line)
  }

  /** An error that ended something; for user code also where it was thrown. */
  failure(error: unknown): void {
    this.report('error', error instanceof Error ? error.message : String(error))
    const cause = error instanceof StreamError ? error.cause : error
    const isTheirs = !(error instanceof StreamError) || error.kind !== 'operational'
    if (isTheirs && cause instanceof Error && !(cause instanceof StreamError) && cause.stack) {
      this.host.printError(cause.stack)
    }
  }
}
