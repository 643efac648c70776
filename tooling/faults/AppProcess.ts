import { type ChildProcess, spawn } from 'node:child_process'

/** The application under test: started, killed, frozen and started again. */
export class AppProcess {
  #child: ChildProcess | undefined
  #ended: Promise<number | null> = Promise.resolve(null)
  readonly said: string[] = []
  starts = 0
  /** Resolves once it has begun to work since its last start, or has ended. */
  running: Promise<void> = Promise.resolve()

  constructor(
    private readonly app: string,
    private readonly args: readonly string[],
  ) {}

  get isAlive(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null
  }

  start(): void {
    const child = spawn(process.execPath, [this.app, ...this.args], { stdio: ['ignore', 'pipe', 'pipe'] })
    this.starts++
    this.said.push(`--- start ${this.starts}, process ${child.pid}`)
    child.stderr?.on('data', (text: Buffer) => this.said.push(text.toString().trimEnd()))
    this.#ended = new Promise((resolve) => child.on('exit', (code) => resolve(code)))
    // It says one thing on its standard output: that it runs.
    const says = new Promise<void>((resolve) => child.stdout?.once('data', () => resolve()))
    this.running = Promise.race([says, this.#ended.then(() => undefined)])
    this.#child = child
  }

  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal)
  }

  /** Resolves once it has ended by itself, or has been. */
  get ended(): Promise<number | null> {
    return this.#ended
  }

  async kill(): Promise<void> {
    this.signal('SIGKILL')
    await this.#ended
  }

  async stop(): Promise<void> {
    this.signal('SIGTERM')
    await this.#ended
  }
}
