import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { unzipSync } from 'fflate'

/** An exported project somewhere else on this machine, used by its own npm scripts alone. */
export class ExportedProject {
  readonly #children = new Set<ChildProcess>()

  private constructor(
    private readonly unpacked: string,
    readonly folder: string,
  ) {}

  static async unpack(zip: string): Promise<ExportedProject> {
    const unpacked = await mkdtemp(join(tmpdir(), 'lanescope-export-'))
    const files = Object.entries(unzipSync(await readFile(zip))).filter(([path]) => !path.endsWith('/'))
    // All of it lies in one folder, so that unpacking it strews nothing about.
    const [folder] = [...new Set(files.map(([path]) => path.split('/')[0] ?? ''))]
    for (const [path, bytes] of files) {
      const file = join(unpacked, path)
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, bytes)
    }
    return new ExportedProject(unpacked, join(unpacked, folder ?? ''))
  }

  /** Runs an npm command to its end, and answers what it said. @throws Error when it fails */
  async npm(...args: string[]): Promise<string> {
    const running = this.start(...args)
    const code = await running.ended
    if (code !== 0) throw new Error(`npm ${args.join(' ')} ended with ${code}:\n${running.said()}`)
    return running.said()
  }

  /** Starts an npm command that goes on until it is stopped. */
  start(...args: string[]): RunningCommand {
    const child = spawn('npm', args, {
      cwd: this.folder,
      // A group of its own, so that what npm starts is ended with it, as a terminal does on Ctrl-C.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#children.add(child)
    return new RunningCommand(child, args.join(' '))
  }

  async remove(): Promise<void> {
    for (const child of this.#children) await new RunningCommand(child, '').stop()
    await rm(this.unpacked, { recursive: true, force: true })
  }
}

export class RunningCommand {
  readonly ended: Promise<number | null>
  #output = ''
  #listeners = new Set<() => void>()

  constructor(
    private readonly child: ChildProcess,
    private readonly name: string,
  ) {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (chunk: string) => {
        this.#output += chunk
        for (const listener of this.#listeners) listener()
      })
    }
    this.ended = this.#hasEnded
      ? Promise.resolve(child.exitCode)
      : once(child, 'close').then(([code]) => code as number | null)
  }

  said(): string {
    return this.#output
  }

  /** Resolves once it has said so. @throws Error when it ends before */
  async says(pattern: RegExp): Promise<void> {
    const seen = new Promise<'seen'>((resolve) => {
      const look = () => pattern.test(this.#output) && resolve('seen')
      this.#listeners.add(look)
      look()
    })
    if ((await Promise.race([seen, this.ended])) === 'seen' || pattern.test(this.#output)) return
    throw new Error(`npm ${this.name} ended before it said ${pattern}:\n${this.#output}`)
  }

  /** Ends it and all that it started, as Ctrl-C does. */
  async stop(): Promise<number | null> {
    if (!this.#hasEnded && this.child.pid !== undefined) process.kill(-this.child.pid, 'SIGINT')
    return this.ended
  }

  get #hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null
  }
}
