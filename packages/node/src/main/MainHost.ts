import { type Clock, SystemClock } from '@lanescope/core'

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
  /** Ends the process: what a client library has left running must not keep it. */
  exit(code: number): void
}

export function processHost(): MainHost {
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
    exit: (code) => process.exit(code),
  }
}
