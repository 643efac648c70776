import { StreamError } from '../errors/index.js'
import type { EngineState } from '../events/EngineEvent.js'
import { EventHub } from '../events/EventHub.js'
import { MemoryByteStores } from '../state/MemoryByteStores.js'
import type { Cancellable } from '../time/Clock.js'
import { ReferenceClock } from './clocks/ReferenceClock.js'
import type { EngineApi, EngineOptions, FuturePreview } from './EngineApi.js'
import { asStreamError, cutTimedOut, noSuchStore, shutdownTimedOut } from './engineErrors.js'
import { EpochLine } from './epoch/EpochLine.js'
import { SlowCallbacks } from './inspection/SlowCallbacks.js'
import { inspectTimers, takeSnapshot } from './inspection/takeSnapshot.js'
import type { LogSession } from './RecordLog.js'
import { findTopics } from './reading/findTopics.js'
import { lostState } from './reading/lostState.js'
import { SourceReaders } from './reading/SourceReaders.js'
import type { EngineSnapshot, TimerInspection } from './Snapshot.js'
import { settle } from './scheduling/settle.js'
import { Ticker } from './scheduling/Ticker.js'
import { Wakeable } from './scheduling/Wakeable.js'
import { mayFollow } from './states.js'
import { TopologyRunner } from './TopologyRunner.js'

/** Records asked for in one fetch; a partition with so many waiting is left alone. */
const FETCH_RECORDS = 1000
const FETCH_WAIT_MS = 100
/** What has not closed by then is left behind. */
const LONGEST_CLOSE_MS = 10_000

/** Runs a compiled topology over a log. One start, one end. */
export function createEngine(options: EngineOptions): EngineApi {
  return new Engine(options)
}

class Engine implements EngineApi {
  readonly events = new EventHub()
  readonly finished: Promise<StreamError | undefined>
  #state: EngineState = 'created'
  #finish: (error: StreamError | undefined) => void = () => undefined
  #runner: TopologyRunner | undefined
  #readers: SourceReaders | undefined
  #session: LogSession | undefined
  #reference: ReferenceClock
  readonly #wake = new Wakeable()
  #failure: unknown
  #fetching = false
  #stopping = false
  #startedAt = 0
  readonly #epochs: EpochLine
  readonly #ticker: Ticker
  readonly #slow = new SlowCallbacks()
  #commitTimer: Cancellable | undefined
  #committing: Promise<void> | undefined
  /** Until when a stop may take (E14). */
  #deadline: Cancellable | undefined
  /** Ends the wait of whoever waits for something that a failure makes pointless. */
  #giveUp: (() => void) | undefined

  constructor(private readonly options: EngineOptions) {
    this.finished = new Promise((resolve) => {
      this.#finish = resolve
    })
    this.#reference = new ReferenceClock(options.clock, (byMs) => this.#tellJump(byMs))
    this.#epochs = new EpochLine(options.config, options.clock, this.events)
    this.#ticker = new Ticker(
      options.clock,
      options.config['time.watermark-interval-ms'],
      () => this.#running().timers.earliestByWallClock(),
      () => this.#onTick(),
    )
  }

  get state(): EngineState {
    return this.#state
  }

  async start(): Promise<void> {
    this.#become('starting')
    try {
      await this.#unlessFailed(this.#open())
      if (this.#failure !== undefined) throw this.#failure
    } catch (error) {
      const failure = asStreamError(error)
      this.#failure ??= failure
      await this.#end(failure)
      throw failure
    }
    this.#become('running')
    if (this.#stopping) this.#become('stopping')
    this.#ticker.start()
    this.#fetch()
    // The loop reports its own end through `finished`.
    void this.#loop()
  }

  async stop(): Promise<void> {
    if (this.#state === 'created') {
      this.#become('stopped')
      this.#finish(undefined)
    } else if (!this.#stopping && (this.#state === 'starting' || this.#state === 'running')) {
      // While starting it first gets that far, and then stops at once.
      if (this.#state === 'running') this.#become('stopping')
      this.#stopping = true
      const timeout = this.options.config['shutdown.timeout-ms']
      this.#deadline = this.options.clock.after(timeout, () => this.#fail(shutdownTimedOut(timeout)))
      this.#wake.wake()
      this.#session?.wakeUp()
    }
    await this.finished
  }

  snapshot(): EngineSnapshot {
    return takeSnapshot(this.#running(), this.#readers, {
      state: this.#state,
      startedAt: this.#startedAt,
      epoch: {
        number: this.#epochs.number,
        committed: this.#epochs.committed,
        lastCommitMs: this.#epochs.lastCommitMs,
      },
      reference: this.#reference.now(),
    })
  }

  inspectTimers(perLane: number): TimerInspection {
    return inspectTimers(this.#running(), perLane)
  }

  previewFutureTimestamp(timestamp: number, source: string): FuturePreview {
    const runner = this.#running()
    const readers = this.#readers ?? new SourceReaders(runner, this.#reference, true)
    return readers.preview(timestamp, source)
  }

  store(name: string): unknown {
    const store = this.#running().stores.get(name)
    if (store === undefined) throw noSuchStore(name)
    return store.reader
  }

  // ---- starting ------------------------------------------------------------------------------

  async #open(): Promise<void> {
    const { config, log, clock, random, topology } = this.options
    if (config['processing.guarantee'] === 'exactly-once' && !log.exactlyOnce) {
      throw new StreamError(
        'processing.guarantee is exactly-once, which is not available over Kafka yet; set processing.guarantee to at-least-once.',
        { code: 'GUARANTEE_UNSUPPORTED', kind: 'user', retriable: false },
      )
    }
    const { sources, topics } = await findTopics(topology, config, log)
    const runner = new TopologyRunner({
      compiled: topology,
      config,
      clock,
      random,
      events: this.events,
      topics,
      byteStores: new MemoryByteStores(),
      driver: false,
      onFailed: (error) => this.#fail(error),
      onProgress: () => this.#onProgress(),
      onPlanned: (at) => this.#ticker.plan(at),
    })
    this.#runner = runner
    this.#startedAt = clock.monotonic()
    this.#readers = new SourceReaders(runner, this.#reference, true)
    this.#session = await log.open(config['application.id'], sources, this.options.offsetReset ?? 'earliest')
    // Given up meanwhile, and nobody else knows of this session.
    if (this.#failure !== undefined) return this.#session.close()
    for (const start of this.#session.assignment) this.#readers.add(start)
    const lost = lostState(topology, this.#session.assignment)
    if (lost !== undefined) runner.log.write('warn', lost)
    await runner.init()
    this.#epochs.open()
  }

  // ---- the loop ------------------------------------------------------------------------------

  async #loop(): Promise<void> {
    const runner = this.#running()
    try {
      while (this.#goesOn) {
        runner.budget.begin()
        await this.#dispatch()
        if (this.#mayCut()) await this.#cut()
        else if (this.#goesOn) {
          this.#planCommit()
          await this.#wake.wait()
        }
        await this.options.clock.yield()
      }
      if (this.#failure === undefined) await this.#lastCut()
    } catch (error) {
      this.#fail(error)
    }
    await this.#end(this.#failure === undefined ? undefined : asStreamError(this.#failure))
  }

  get #goesOn(): boolean {
    return this.#failure === undefined && !this.#stopping
  }

  /** Hands records to lanes, the smallest time first, until none is left or none fits. */
  async #dispatch(): Promise<void> {
    const runner = this.#running()
    const readers = this.#readers as SourceReaders
    while (this.#goesOn && !this.#epochs.isFull(runner.epoch)) {
      const reader = readers.next()
      if (reader === undefined) break
      reader.dispatch()
      if (runner.overBudget()) {
        await this.options.clock.yield()
        runner.budget.begin()
        if (this.#mayCut()) break
      }
    }
    this.#fetch()
  }

  /** Asks the log for more, unless it is being asked or every partition has enough. */
  #fetch(): void {
    const session = this.#session
    const readers = this.#readers
    if (this.#fetching || !this.#goesOn || session === undefined || readers === undefined) return
    const full = readers.full(FETCH_RECORDS)
    if (full.length > 0 && full.length === readers.all.length) return
    const paused = full.map(({ clock: { topic, partition } }) => ({ topic, partition }))
    this.#fetching = true
    session
      .fetch({ maxRecords: FETCH_RECORDS, maxWaitMs: FETCH_WAIT_MS, paused })
      .then((batches) => {
        this.#fetching = false
        for (const batch of batches) readers.receive(batch)
        this.#wake.wake()
      })
      .catch((error: unknown) => {
        this.#fetching = false
        if (!this.#stopping) this.#fail(error)
      })
  }

  #onProgress(): void {
    if (this.#runner === undefined || this.#runner.epoch.isEmpty) return
    this.#planCommit()
    // A lane may have room again.
    if (this.#readers?.hasBuffered) this.#wake.wake()
  }

  // ---- epochs --------------------------------------------------------------------------------

  /** Wakes the loop when time alone ends the epoch. While a commit is under way its end wakes the loop. */
  #planCommit(): void {
    if (this.#commitTimer !== undefined || this.#committing !== undefined || this.#running().epoch.isEmpty) return
    // A host's timers may be early by a fraction of a millisecond.
    this.#commitTimer = this.options.clock.after(Math.max(1, this.#epochs.leftMs()), () => {
      this.#commitTimer = undefined
      this.#wake.wake()
    })
  }

  /** At most two epochs are alive (E2): while one commits, the next goes on until it is full. */
  #mayCut(): boolean {
    const { epoch } = this.#running()
    return this.#epochs.isDue(epoch) && (this.#committing === undefined || this.#epochs.isFull(epoch))
  }

  /** Ends the epoch and starts its commit; the next epoch runs meanwhile (E2). */
  async #cut(): Promise<void> {
    if (!(await this.#commitCut())) return
    this.#epochs.open()
    this.#running().resume()
  }

  /** The last epoch of a graceful stop (E14): nothing starts after it, and it is over when its commit is. */
  async #lastCut(): Promise<void> {
    await this.#commitCut()
    await this.#unlessFailed(this.#committing)
  }

  /** @returns whether the next epoch may begin */
  async #commitCut(): Promise<boolean> {
    await this.#unlessFailed(this.#committing)
    if (this.#failure !== undefined) return false
    const runner = this.#running()
    const { clock, config } = this.options
    const runMs = this.#epochs.runMs()
    const cutStarted = clock.monotonic()
    const timeout = clock.after(config['epoch.cut-timeout-ms'], () => this.#fail(cutTimedOut(runner)))
    const taken = await runner.cut()
    timeout.cancel()
    if (this.#failure !== undefined) return false
    this.#commitTimer?.cancel()
    this.#commitTimer = undefined
    const cutEnded = clock.monotonic()
    const epoch = this.#epochs.number
    if (taken.isEmpty) return true
    const positions = (this.#readers as SourceReaders).positions()
    this.#epochs.tellCommitting(epoch, taken)
    const cutMs = cutEnded - cutStarted
    this.#committing = (this.#session as LogSession)
      .commit({ epoch, outputs: taken.outputs, positions })
      .then(() => this.#epochs.onCommitted(epoch, taken, { runMs, cutMs, commitMs: clock.monotonic() - cutEnded }))
      .catch((error: unknown) => this.#fail(error))
      .then(() => {
        this.#committing = undefined
        this.#wake.wake()
      })
    return true
  }

  // ---- time ----------------------------------------------------------------------------------

  #onTick(): void {
    if (this.#state !== 'running') {
      this.#ticker.stop()
      return
    }
    try {
      const runner = this.#running()
      const readers = this.#readers as SourceReaders
      this.#reference.check()
      readers.report()
      readers.clocks.emitWatermarks()
      runner.timers.wakeDue()
      runner.drain()
      this.#slow.watch(runner)
      this.#onProgress()
    } catch (error) {
      this.#fail(error)
    }
  }

  #tellJump(byMs: number): void {
    this.#runner?.log.write(
      'warn',
      `The host's clock jumped by ${Math.round(byMs)} ms. The reference clock of the future-timestamp guard follows only after 10 minutes.`,
    )
  }

  // ---- ending --------------------------------------------------------------------------------

  #fail(error: unknown): void {
    if (this.#failure !== undefined || this.#state === 'stopped' || this.#state === 'failed') return
    this.#failure = error
    this.#runner?.failed(error)
    this.#giveUp?.()
    this.#wake.wake()
    this.#session?.wakeUp()
  }

  /** Resolves when `work` has, or when the run has failed, after which nobody needs it; rejects when `work` does. */
  #unlessFailed(work: Promise<void> | undefined): Promise<void> {
    if (work === undefined || this.#failure !== undefined) return Promise.resolve()
    return new Promise((resolve, reject) => {
      this.#giveUp = resolve
      work.then(resolve, reject)
    })
  }

  async #end(failure: StreamError | undefined): Promise<void> {
    this.#ticker.stop()
    this.#commitTimer?.cancel()
    this.#deadline?.cancel()
    // A commit under way is let settle (E4): whether it counts is the log's to say.
    const within = (what: string, work: Promise<void> | undefined) =>
      settle(this.options.clock, LONGEST_CLOSE_MS, what, work, (line) => this.#runner?.log.write('error', line))
    await within('The last commit', this.#committing)
    await within('Closing the processors', this.#runner?.close())
    await within('Closing the log session', this.#session?.close())
    if (failure !== undefined) this.#tellFailure(failure)
    this.#become(failure === undefined ? 'stopped' : 'failed')
    this.#finish(failure)
  }

  #tellFailure(failure: StreamError): void {
    this.#epochs.tellAborted(failure.message)
    if (!this.events.listening('error')) return
    this.events.emit<'error'>({
      type: 'error',
      code: failure.code,
      kind: failure.kind,
      message: failure.message,
      context: { ...failure.context },
      fatal: true,
    })
  }

  #become(to: EngineState): void {
    const from = this.#state
    if (!mayFollow(from, to)) {
      throw new StreamError(`An engine that is ${from} cannot become ${to}. Create a new one.`, {
        code: 'ILLEGAL_STATE',
        kind: 'user',
        retriable: false,
      })
    }
    this.#state = to
    if (this.events.listening('state-changed')) this.events.emit<'state-changed'>({ type: 'state-changed', from, to })
  }

  #running(): TopologyRunner {
    if (this.#runner === undefined) {
      throw new StreamError('The engine has not been started.', {
        code: 'ILLEGAL_STATE',
        kind: 'user',
        retriable: false,
      })
    }
    return this.#runner
  }
}
