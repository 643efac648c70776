import type { Cancellable, EngineApi } from '@lanescope/core'
import type { ConsoleLog } from './ConsoleLog.js'
import type { MainHost } from './MainHost.js'

/** What may be left to close after the engine has ended: connections, the state's folder. */
const CLOSE_MS = 5_000
const FAILED = 1

/** SIGINT and SIGTERM, and the end of an npm above: the first one stops gracefully (E14), a second signal at once. */
export class Stopping {
  isAsked = false
  #engine: EngineApi | undefined
  #limit: Cancellable | undefined

  constructor(
    private readonly host: MainHost,
    private readonly log: ConsoleLog,
    private readonly timeoutMs: number,
  ) {
    host.onSignal((signal) => this.#onSignal(signal))
    // It is no second signal: a Ctrl-C ends npm, too.
    host.onOrphaned?.(() => {
      if (!this.isAsked) this.#onSignal('npm has ended')
    })
  }

  /** What is to be stopped, from now on. */
  stops(engine: EngineApi): void {
    this.#engine = engine
    // Asked for while it was made: it can stop as soon as it has begun to start.
    if (this.isAsked) queueMicrotask(() => void engine.stop())
  }

  /** All has ended: nothing is left to be cut short. */
  over(): void {
    this.#limit?.cancel()
  }

  #onSignal(signal: string): void {
    const { host, log } = this
    if (this.isAsked) {
      log.report('warn', `${signal} again: ending at once. What is not committed is done again at the next start.`)
      host.exit(FAILED)
      return
    }
    this.isAsked = true
    log.report('info', `${signal}: stopping…`)
    // The engine keeps its own time; this is for what comes after it, and may hang on a broker.
    this.#limit = host.clock.after(this.timeoutMs + CLOSE_MS, () => {
      log.report('error', `Not ended ${CLOSE_MS / 1000} s after shutdown.timeout-ms: ending at once.`)
      host.exit(FAILED)
    })
    void this.#engine?.stop()
  }
}
