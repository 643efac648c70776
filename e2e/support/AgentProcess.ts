import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const MAIN = fileURLToPath(new URL('../../apps/agent/dist/main.js', import.meta.url))
/** How long an agent may take to end its runs and itself before the test calls it a failure. */
const END_WITHIN_MS = 40_000

/** The agent as `npm start` starts it: a process on a free port, with a projects folder of its own. */
export class AgentProcess {
  private constructor(
    readonly folder: string,
    /** Where the page is, with the key to it. */
    readonly url: string,
    readonly port: number,
    private readonly child: ChildProcess,
    private readonly ownsFolder: boolean,
  ) {}

  static async start(options: { readonly folder?: string; readonly args?: readonly string[] } = {}) {
    const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'lanescope-e2e-')))
    const { child, output } = launch(['--port', '0', '--no-open', '--dir', folder, ...(options.args ?? [])])
    const url = await firstUrl(child, output)
    return new AgentProcess(folder, url, Number(new URL(url).port), child, options.folder === undefined)
  }

  /** What an agent says that does not get as far as listening, and its exit code. */
  static async refused(args: readonly string[]): Promise<{ readonly said: string; readonly code: number | null }> {
    const { child, output } = launch(['--no-open', ...args])
    const [code] = (await once(child, 'close')) as [number | null]
    return { said: output.text, code }
  }

  /** Ends it as Ctrl-C does, with its runs. */
  async stop(): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      const closed = once(this.child, 'close', { signal: AbortSignal.timeout(END_WITHIN_MS) })
      this.child.kill('SIGTERM')
      await closed.catch((error: unknown) => {
        this.child.kill('SIGKILL')
        throw new Error(`The agent did not end within ${END_WITHIN_MS} ms of SIGTERM`, { cause: error })
      })
    }
    if (this.ownsFolder) await rm(this.folder, { recursive: true, force: true })
  }
}

function launch(args: readonly string[]) {
  const child = spawn(process.execPath, [MAIN, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  const output = { text: '' }
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output.text += chunk
    })
  }
  return { child, output }
}

/** The address is in the last line that it prints before it waits. */
async function firstUrl(child: ChildProcess, output: { readonly text: string }): Promise<string> {
  return new Promise((resolve, reject) => {
    const look = () => {
      const [url] = /http:\/\/127\.0\.0\.1:\d+\/#token=\S+/.exec(output.text) ?? []
      if (url !== undefined && output.text.endsWith('\n')) resolve(url)
    }
    child.stdout?.on('data', look)
    child.once('close', (code) => reject(new Error(`The agent ended with ${code}: ${output.text}`)))
  })
}
