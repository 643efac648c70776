import { type ChildProcess, fork } from 'node:child_process'
import type { Readable } from 'node:stream'
import type { Cancellable, Clock, EngineState } from '@lanescope/core'
import type { Replies, RunFrame, WireError, WireRestore } from '@lanescope/shared'
import type { RunLimits } from '../config/limits.js'
import {
  type ChildQuery,
  type ChildQueryType,
  type FromChild,
  type RunOrder,
  STALL_FD,
  type StallReport,
  type ToChild,
} from './childProtocol.js'
import { explainDeath } from './explainDeath.js'
import { RunFailure } from './RunFailure.js'
import { residentBytesOf } from './residentBytesOf.js'
import { Watchdog } from './Watchdog.js'

/** How much of a process's stderr is kept for its obituary. */
const STDERR_TAIL = 4_000

export interface RunProcessOptions {
  /** The module that the process starts with. */
  readonly childModule: string
  readonly order: RunOrder
  readonly limits: RunLimits
  readonly clock: Clock
  readonly onState: (state: EngineState) => void
  readonly onRestore: (restore: WireRestore) => void
  readonly onFrame: (frame: RunFrame) => void
  /** The process is gone. Called once, after everything else. */
  readonly onEnd: (error: WireError | null) => void
}

interface Asked {
  resolve(result: never): void
  reject(error: RunFailure): void
}

/** How long the output of a process that has exited is still read. */
const LONGEST_DRAIN_MS = 1_000

/** The process of one run: started, asked, watched, ended. It never outlives the agent. */
export class RunProcess {
  /** Resolves when the run reads and writes. Rejects with a RunFailure when it never came to that. */
  readonly started: Promise<void>
  readonly #options: RunProcessOptions
  readonly #child: ChildProcess
  readonly #watchdog: Watchdog
  readonly #asked = new Map<number, Asked>()
  readonly #gone: Promise<void>
  #tellGone: () => void = () => {}
  #isGone = false
  #settleStart: { resolve(): void; reject(error: RunFailure): void } = { resolve: () => {}, reject: () => {} }
  #nextId = 1
  #check: Cancellable | undefined
  #killer: Cancellable | undefined
  #endsWithAgent = false
  #killedFor: 'unresponsive' | 'too-much-memory' | 'stop' | undefined
  #reportedBytes: number | undefined
  #ended: WireError | null | undefined
  #stall = ''
  #stderr = ''

  constructor(options: RunProcessOptions) {
    this.#options = options
    this.#watchdog = new Watchdog(options.limits, options.clock.monotonic())
    this.started = new Promise((resolve, reject) => {
      this.#settleStart = { resolve, reject }
    })
    this.#child = fork(options.childModule, [], {
      // Nothing of the agent's own arguments to Node may reach a run, such as an inspector's port.
      execArgv: [`--max-old-space-size=${options.limits.heapMb}`, '--enable-source-maps'],
      cwd: options.order.projectFolder,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc', 'pipe'],
      serialization: 'advanced',
    })
    this.#gone = new Promise((resolve) => {
      this.#tellGone = resolve
    })
    this.#listen()
    this.#planCheck()
    this.#send({ type: 'start', order: options.order })
  }

  /** @throws RunFailure with what the run says, or that it is over */
  ask<T extends ChildQueryType>(query: ChildQuery & { readonly type: T }): Promise<Replies[T]> {
    const id = this.#nextId++
    return new Promise((resolve, reject) => {
      this.#asked.set(id, { resolve, reject })
      this.#send({ type: 'ask', id, query })
    })
  }

  /**
   * Resolves when the process is gone: by itself, or by force when that takes too long.
   *
   * @param withAgent whether it stops because the agent ends
   */
  stop(withAgent = false): Promise<void> {
    this.#endsWithAgent ||= withAgent
    if (this.#killer === undefined) {
      this.#send({ type: 'stop' })
      this.#killer = this.#options.clock.after(this.#options.limits.stopMs, () => this.#kill('stop'))
    }
    return this.#gone
  }

  #listen(): void {
    const child = this.#child
    child.on('message', (message) => this.#onMessage(message as FromChild))
    child.on('error', (error) => this.#append(error.message))
    child.stdout?.resume()
    child.stderr?.on('data', (chunk) => this.#append(String(chunk)))
    const stall = child.stdio[STALL_FD] as Readable
    stall.on('data', (chunk) => {
      this.#stall += String(chunk)
    })
    stall.on('error', (error) => this.#append(error.message))
    child.once('close', (code, signal) => this.#onGone(code, signal))
    // What user code has started may hold the pipes open for ever: the run is over all the same.
    child.once('exit', (code, signal) => {
      this.#options.clock.after(LONGEST_DRAIN_MS, () => this.#onGone(code, signal))
    })
  }

  #append(text: string): void {
    this.#stderr = (this.#stderr + text).slice(-STDERR_TAIL)
  }

  #onMessage(message: FromChild): void {
    this.#watchdog.beat(this.#options.clock.monotonic())
    switch (message.type) {
      case 'heartbeat':
        this.#reportedBytes = message.residentBytes
        return
      case 'started':
        this.#watchdog.started()
        this.#settleStart.resolve()
        return
      case 'refused':
        this.#ended = message.error
        this.#settleStart.reject(new RunFailure(message.error))
        return
      case 'state':
        this.#options.onState(message.state)
        return
      case 'restore':
        this.#options.onRestore(message.restore)
        return
      case 'frame':
        this.#options.onFrame(message.frame)
        return
      case 'ended':
        this.#ended = message.error
        return
      case 'answer': {
        const asked = this.#asked.get(message.id)
        this.#asked.delete(message.id)
        if (message.ok) asked?.resolve(message.result as never)
        else asked?.reject(new RunFailure(message.error))
      }
    }
  }

  #planCheck(): void {
    this.#check = this.#options.clock.after(this.#options.limits.heartbeatMs, () => void this.#examine())
  }

  async #examine(): Promise<void> {
    const pid = this.#child.pid
    const measured = pid === undefined ? undefined : await residentBytesOf(pid)
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    const verdict = this.#watchdog.check(this.#options.clock.monotonic(), measured ?? this.#reportedBytes)
    if (verdict === 'well') this.#planCheck()
    else this.#kill(verdict)
  }

  #kill(reason: 'unresponsive' | 'too-much-memory' | 'stop'): void {
    this.#killedFor ??= reason
    this.#child.kill('SIGKILL')
  }

  #onGone(code: number | null, signal: NodeJS.Signals | null): void {
    if (this.#isGone) return
    this.#isGone = true
    this.#check?.cancel()
    this.#killer?.cancel()
    const error =
      this.#ended === undefined ? explainDeath(this.#deathOf(code, signal), this.#options.limits) : this.#ended
    const failure = new RunFailure(error ?? RUN_IS_OVER)
    this.#settleStart.reject(failure)
    for (const asked of this.#asked.values()) asked.reject(failure)
    this.#asked.clear()
    this.#options.onEnd(error)
    // Only now: whoever waits for the end asks next how it ended.
    this.#tellGone()
  }

  #deathOf(code: number | null, signal: NodeJS.Signals | null) {
    return {
      code,
      signal,
      killedFor: this.#killedFor,
      withAgent: this.#endsWithAgent,
      patienceMs: this.#watchdog.patienceMs,
      stall: readStall(this.#stall),
      stderr: this.#stderr,
    }
  }

  #send(message: ToChild): void {
    // A message to a process that is just ending has no receiver; what waits for it learns so by `close`.
    if (this.#child.connected) this.#child.send(message, (error) => error && this.#append(error.message))
  }
}

const RUN_IS_OVER: WireError = { code: 'NO_RUN', kind: 'user', message: 'The run is over', context: {} }

function readStall(text: string): StallReport | undefined {
  const line = text.trim().split('\n').at(-1)
  return line === undefined || line === '' ? undefined : (JSON.parse(line) as StallReport)
}
