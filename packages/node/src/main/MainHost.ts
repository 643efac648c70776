import { type Clock, SystemClock } from '@lanescope/core'

const LOOK_MS = 500

/** What a main function needs of the process it is the main of. */
export interface MainHost {
  /** Without node and script. */
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string | undefined>>
  readonly clock: Clock
  print(line: string): void
  printError(line: string): void
  /** Calls `listener` at each SIGINT and SIGTERM. */
  onSignal(listener: (signal: string) => void): void
  /**
   * Calls `listener` once npm, which has started this process, has ended before it. npm hands a SIGTERM to the shell that it
   * runs scripts in, which hands it to nobody: the process would go on with nobody above it.
   */
  onOrphaned?(listener: () => void): void
  /** Ends the process: what a client library has left running must not keep it. */
  exit(code: number): void
}

export function processHost(): MainHost {
  // Whoever reads the lines may end first. They are lost then, which is no reason to end in the middle of an epoch.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
  return {
    args: process.argv.slice(2),
    env: process.env,
    clock: new SystemClock(),
    print: (line) => process.stdout.write(`${line}\n`),
    printError: (line) => process.stderr.write(`${line}\n`),
    onSignal: (listener) => {
      process.on('SIGINT', listener)
      process.on('SIGTERM', listener)
    },
    onOrphaned: (listener) => {
      if (process.env.npm_lifecycle_event === undefined) return
      const parent = process.ppid
      const timer = setInterval(() => {
        if (process.ppid === parent) return
        clearInterval(timer)
        listener()
      }, LOOK_MS)
      timer.unref()
    },
    exit: (code) => process.exit(code),
  }
}
