import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { KafkaProxy } from '../../packages/node/test/KafkaProxy.js'

/** A Kafka broker of this run's own, which can be stopped, killed and started again with its data. */
export class Broker {
  private constructor(
    private readonly scripts: string,
    readonly dir: string,
    /** Leads through the proxy, as all that the broker says of itself. */
    readonly bootstrap: string,
    readonly proxy: KafkaProxy,
  ) {}

  static async start(root: string): Promise<Broker> {
    const scripts = join(root, 'tooling', 'kafka')
    const dir = await mkdtemp(join(tmpdir(), 'lanescope-faults-'))
    const proxy = await KafkaProxy.open()
    const advertised = ['--set', `advertised.listeners=PLAINTEXT://${proxy.bootstrap}`]
    const line = await execute(join(scripts, 'start'), ['--dir', join(dir, 'broker'), '--far-future', ...advertised])
    const [, bootstrap = ''] = /^BOOTSTRAP=(\S+)/m.exec(line) ?? []
    proxy.connectTo(bootstrap)
    return new Broker(scripts, join(dir, 'broker'), proxy.bootstrap, proxy)
  }

  async restart(how: 'stop' | 'kill'): Promise<void> {
    await execute(join(this.scripts, 'stop'), [...(how === 'kill' ? ['--kill'] : []), this.dir])
    await execute(join(this.scripts, 'start'), ['--dir', this.dir])
  }

  async end(): Promise<void> {
    await execute(join(this.scripts, 'stop'), ['--delete', this.dir])
    this.proxy.close()
    await rm(join(this.dir, '..'), { recursive: true, force: true })
  }
}

function execute(file: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(file, [...args], { encoding: 'utf8' }, (error, stdout, stderr) => {
      if (error) reject(new Error(`${file}: ${stderr || error.message}`))
      else resolve(stdout)
    })
  })
}
