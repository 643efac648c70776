import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const scripts = fileURLToPath(new URL('../../../tooling/kafka/', import.meta.url))

/** Why no broker can be started on this machine; undefined when one can. */
export function whyNoBroker(): string | undefined {
  const missing = [
    ['java', '-version'],
    ['mvn', '-version'],
  ].filter(([command = '', ...args]) => spawnSync(command, args, { stdio: 'ignore' }).status !== 0)
  if (missing.length === 0) return undefined
  return `no Kafka broker here: ${missing.map(([command]) => command).join(' and ')} not found`
}

export interface KafkaBroker {
  readonly bootstrap: string
  /** Of the process that runs now. */
  readonly pid: number
  /** Its folder. */
  readonly dir: string
  /** Stops it, lets its folder be changed, and starts it again with its data. */
  restart(meanwhile?: () => Promise<void>): Promise<void>
  /** The address of another listener of a broker started with `--secure`: `SASL`, `SASL_SSL` or `SSL`. */
  listener(name: string): string
  stop(): Promise<void>
}

/** A broker of this test's own: free ports, a temporary folder, ended by its process id. */
export async function startKafkaBroker(...options: string[]): Promise<KafkaBroker> {
  const dir = await mkdtemp(join(tmpdir(), 'lanescope-kafka-'))
  const line = await run('start', '--dir', dir, ...options)
  let pid = pidIn(line)
  return {
    bootstrap: /^BOOTSTRAP=(\S+)/m.exec(line)?.[1] ?? '',
    get pid() {
      return pid
    },
    dir,
    restart: async (meanwhile) => {
      await run('stop', dir)
      await meanwhile?.()
      pid = pidIn(await run('start', '--dir', dir))
    },
    listener: (name) => new RegExp(`(?:^|\\s)${name}=(\\S+)`).exec(line)?.[1] ?? '',
    stop: async () => {
      await run('stop', '--delete', dir)
      await rm(dir, { recursive: true, force: true })
    },
  }
}

function pidIn(line: string): number {
  return Number(/ PID=(\d+)/.exec(line)?.[1])
}

function run(script: string, ...args: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(join(scripts, script), args, { encoding: 'utf8' }, (error, stdout, stderr) => {
      if (error) reject(new Error(`${script}: ${stderr || error.message}`))
      else resolve(stdout)
    })
  })
}
