import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { SystemClock } from '@lanescope/core'
import type { RunLimits } from '../src/config/limits.js'
import { type Agent, startAgent } from '../src/startAgent.js'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** What `npm start` starts. Runs are processes, so tests of them need it built: `npm test` sees to that. */
export const MAIN = here('../dist/main.js')
const RUN_CHILD = here('../dist/runs/child.js')

/** An agent in this process, on a free port, with a folder of its own. */
export class TestAgent {
  private constructor(
    readonly folder: string,
    readonly agent: Agent,
    readonly lines: readonly string[],
  ) {}

  get url(): string {
    return this.agent.url
  }

  static async start(options: { readonly limits?: RunLimits; readonly port?: number } = {}): Promise<TestAgent> {
    if (!existsSync(RUN_CHILD)) throw new Error('The agent is not built; "npm run types" builds it')
    const folder = await mkdtemp(join(tmpdir(), 'lanescope-agent-'))
    await mkdir(join(folder, 'web', 'assets'), { recursive: true })
    await writeFile(join(folder, 'web', 'index.html'), '<!doctype html><title>Lanescope</title>')
    const lines: string[] = []
    const agent = await startAgent({
      config: {
        port: options.port ?? 0,
        open: false,
        projectsFolder: join(folder, 'projects'),
        bootstrapServers: undefined,
      },
      version: '0.0.0',
      clock: new SystemClock(),
      webFolder: join(folder, 'web'),
      examplesFolder: here('../../../examples'),
      runChild: RUN_CHILD,
      newRunId: randomUUID,
      log: (line) => lines.push(line),
      ...(options.limits === undefined ? {} : { limits: options.limits }),
    })
    return new TestAgent(folder, agent, lines)
  }

  async close(): Promise<void> {
    await this.agent.close()
    await rm(this.folder, { recursive: true, force: true })
  }
}
