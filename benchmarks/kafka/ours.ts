import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Line } from './ks.js'

export interface OurRun {
  /** What it printed once it was running. */
  readonly startup: Line
  /** Its costs; resolves when it has ended. */
  readonly costs: Promise<Line>
  readonly pid: number
  /** Ends a run that waits for no number of records. */
  end(): void
}

/** Starts our application in a process of its own, and resolves when it runs. */
export function startOurs(app: string, args: readonly string[], nodeFlags: readonly string[] = []): Promise<OurRun> {
  const child = spawn(process.execPath, [...nodeFlags, app, ...args], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })
  return new Promise((resolve, reject) => {
    let startup: Line | undefined
    let told: (line: Line) => void = () => undefined
    let failed: (error: Error) => void = reject
    const costs = new Promise<Line>((done, fail) => {
      told = done
      failed = (error) => {
        fail(error)
        reject(error)
      }
    })
    costs.catch(() => undefined)
    lines.on('line', (text) => {
      const line = JSON.parse(text) as Line
      if (startup !== undefined) return told(line)
      startup = line
      resolve({ startup, costs, pid: child.pid as number, end: () => child.stdin.end() })
    })
    child.on('error', failed)
    child.on('exit', (code) => failed(new Error(`our application ended with exit code ${code}`)))
  })
}
