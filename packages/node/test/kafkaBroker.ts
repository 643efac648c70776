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
  readonly pid: number
  stop(): Promise<void>
}

/** A broker of this test's own: free ports, a temporary folder, ended by its process id. */
export async function startKafkaBroker(...options: string[]): Promise<KafkaBroker> {
  const dir = await mkdtemp(join(tmpdir(), 'lanescope-kafka-'))
  const line = await run('start', '--dir', dir, ...options)
  const [, bootstrap = '', pid = ''] = /^BOOTSTRAP=(\S+) PID=(\d+)/m.exec(line) ?? []
  return {
    bootstrap,
    pid: Number(pid),
    stop: async () => {
      await run('stop', '--delete', dir)
      await rm(dir, { recursive: true, force: true })
    },
  }
}

function run(script: string, ...args: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(join(scripts, script), args, { encoding: 'utf8' }, (error, stdout, stderr) => {
      if (error) reject(new Error(`${script}: ${stderr || error.message}`))
      else resolve(stdout)
    })
  })
}
