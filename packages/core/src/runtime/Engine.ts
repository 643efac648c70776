import { StreamError } from '../errors/index.js'
import type { EngineState } from '../events/EngineEvent.js'
import { EventHub } from '../events/EventHub.js'
import type { Cancellable } from '../time/Clock.js'
import type { CompiledTopology } from '../topology/CompiledTopology.js'
import { ReferenceClock } from './clocks/ReferenceClock.js'
import type { EngineApi, EngineOptions, FuturePreview } from './EngineApi.js'
import { inspectTimers, itemText, takeSnapshot } from './inspection/takeSnapshot.js'
import type { LogSession } from './RecordLog.js'
import { findTopics } from './reading/findTopics.js'
import { SourceReaders } from './reading/SourceReaders.js'
import type { EngineSnapshot, TimerInspection } from './Snapshot.js'
import { Wakeable } from './scheduling/Wakeable.js'
import { mayFollow } from './states.js'
import { TopologyRunner } from './TopologyRunner.js'

/** Records asked for in one fetch; reading ahead stops at four times as many. */
const FETCH_RECORDS = 1000
const FETCH_WAIT_MS = 100

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
  #tick: Cancellable | undefined
  #startedAt = 0
  #epoch = 0
  #committed = 0
  #lastCommitMs: number | null = null
  #epochSince = 0
  #commitTimer: Cancellable | undefined
  #committing: Promise<void> | undefined
  #warnedSlow = new Set<string>()

  constructor(private readonly options: EngineOptions) {
    this.finished = new Promise((resolve) => {
      this.#finish = resolve
    })
    this.#reference = new ReferenceClock(options.clock, (byMs) => this.#tellJump(byMs))
  }

  get state(): EngineState {
    return this.#state
  }

  async start(): Promise<void> {
    this.#become('starting')
    try {
      await this.#open()
    } catch (error) {
      const failure = asStreamError(error)
      await this.#end(failure)
      throw failure
    }
    this.#become('running')
    this.#scheduleTick()
    this.#fetch()
    // The loop reports its own end through `finished`.
    void this.#loop()
  }

  async stop(): Promise<void> {
    if (this.#state === 'created') {
      this.#become('stopped')
      this.#finish(undefined)
    } else if (this.#state === 'running') {
      this.#become('stopping')
      this.#stopping = true
      this.#wake.wake()
      this.#session?.wakeUp()
    }
    await this.finished
  }

  snapshot(): EngineSnapshot {
    return takeSnapshot(this.#running(), this.#readers, {
      state: this.#state,
      startedAt: this.#startedAt,
      epoch: { number: this.#epoch, committed: this.#committed, lastCommitMs: this.#lastCommitMs },
      reference: this.#reference.now(),
    })
  }

  inspectTimers(perLane: number): TimerInspection {
    return inspectTimers(this.#running(), perLane)
  }

  previewFutureTimestamp(timestamp: number, source: string): FuturePreview {
    this.#running()
    return (this.#readers as SourceReaders).preview(timestamp, source)
  }

  store(name: string): unknown {
    const store = this.#running().stores.get(name)
    if (store === undefined) {
      throw new StreamError(`There is no store "${name}" in this topology.`, {
        code: 'STORE_INVALID',
        kind: 'user',
        retriable: false,
        context: { store: name },
      })
    }
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
      driver: false,
      onFailed: (error) => this.#fail(error),
      onProgress: () => this.#onProgress(),
    })
    this.#runner = runner
    this.#startedAt = clock.monotonic()
    this.#readers = new SourceReaders(runner, this.#reference, true)
    this.#session = await log.open(config['application.id'], sources, this.options.offsetReset ?? 'earliest')
    for (const start of this.#session.assignment) this.#readers.add(start)
    this.#tellLostState(topology, this.#session)
    await runner.init()
    this.#openEpoch()
  }

  /** State and timers of this version live in memory: a run that goes on from a committed position starts without them. */
  #tellLostState(topology: CompiledTopology, session: LogSession): void {
    const kept = topology.stores.map((store) => `store "${store.name}"`)
    for (const node of topology.nodes) if (node.timers.length > 0) kept.push(`timers of "${node.name}"`)
    const resumed = session.assignment.filter((position) => position.offset > 0 || position.done.length > 0)
    if (kept.length === 0 || resumed.length === 0) return
    const from = resumed.map((position) => `${position.topic}-${position.partition} @ ${position.offset}`).join(', ')
    this.#runner?.log.write(
      'warn',
      `This run goes on from ${from}, but state is kept in memory in this version, so it starts empty: ${kept.join(', ')}. ` +
        'Reset the log, or the application, to count from the beginning.',
    )
  }

  // ---- the loop ------------------------------------------------------------------------------

  async #loop(): Promise<void> {
    try {
      while (this.#failure === undefined && !this.#stopping) {
        this.#runner?.budget.begin()
        await this.#dispatch()
        if (this.#isEpochDue()) await this.#cut()
        if (this.#failure === undefined && !this.#stopping) await this.#wake.wait()
        await this.options.clock.yield()
      }
      if (this.#failure === undefined) await this.#stopGracefully()
    } catch (error) {
      this.#fail(error)
    }
    await this.#end(this.#failure === undefined ? undefined : asStreamError(this.#failure))
  }

  /** Hands records to lanes, the smallest time first, until none is left or none fits. */
  async #dispatch(): Promise<void> {
    const runner = this.#running()
    const readers = this.#readers as SourceReaders
    for (;;) {
      if (runner.halted || this.#stopping || this.#isEpochFull()) return
      const reader = readers.next()
      if (reader === undefined) break
      reader.dispatch()
      if (runner.overBudget()) {
        await this.options.clock.yield()
        runner.budget.begin()
        if (this.#isEpochDue()) return
      }
    }
    this.#fetch()
  }

  #fetch(): void {
    const session = this.#session
    const readers = this.#readers
    if (this.#fetching || this.#stopping || session === undefined || readers === undefined) return
    if (readers.buffered >= 4 * FETCH_RECORDS) return
    const paused = [...readers.all]
      .filter((reader) => reader.buffered >= FETCH_RECORDS)
      .map((reader) => ({ topic: reader.clock.topic, partition: reader.clock.partition }))
    this.#fetching = true
    session.fetch({ maxRecords: FETCH_RECORDS, maxWaitMs: FETCH_WAIT_MS, paused }).then(
      (batches) => {
        this.#fetching = false
        for (const batch of batches) readers.receive(batch)
        this.#wake.wake()
        if (batches.length === 0) this.#fetch()
      },
      (error: unknown) => {
        this.#fetching = false
        if (!this.#stopping) this.#fail(error)
      },
    )
  }

  #onProgress(): void {
    const runner = this.#runner
    if (runner === undefined || runner.epoch.isEmpty) return
    if (this.#commitTimer === undefined) {
      this.#commitTimer = this.options.clock.after(this.options.config['commit.interval.ms'], () => this.#wake.wake())
    }
    // A lane may have room again.
    if ((this.#readers?.buffered ?? 0) > 0) this.#wake.wake()
  }

  // ---- epochs --------------------------------------------------------------------------------

  #openEpoch(): void {
    this.#epoch++
    this.#epochSince = this.options.clock.monotonic()
    if (this.events.listening('epoch-started')) {
      this.events.emit<'epoch-started'>({ type: 'epoch-started', epoch: this.#epoch, at: this.options.clock.now() })
    }
  }

  #isEpochFull(): boolean {
    return this.#running().epoch.records >= this.options.config['epoch.max-records']
  }

  #isEpochDue(): boolean {
    const epoch = this.#running().epoch
    if (epoch.isEmpty) return false
    const age = this.options.clock.monotonic() - this.#epochSince
    return this.#isEpochFull() || age >= this.options.config['commit.interval.ms']
  }

  /** Ends the epoch and starts its commit; the next epoch runs meanwhile (E2). */
  async #cut(): Promise<void> {
    // At most two epochs are alive.
    await this.#committing
    const runner = this.#running()
    if (runner.halted) return
    const { clock, config } = this.options
    const cutStarted = clock.monotonic()
    const timeout = clock.after(config['epoch.cut-timeout-ms'], () => this.#fail(this.#cutTimedOut()))
    const taken = await runner.cut()
    timeout.cancel()
    if (runner.halted || taken.isEmpty) return runner.resume()
    const epoch = this.#epoch
    const runMs = cutStarted - this.#epochSince
    const cutMs = clock.monotonic() - cutStarted
    const positions = (this.#readers as SourceReaders).positions()
    this.#commitTimer?.cancel()
    this.#commitTimer = undefined
    this.#tellCommitting(epoch, taken.records, taken.outputs.length)
    const session = this.#session as LogSession
    this.#committing = session.commit({ epoch, outputs: taken.outputs, positions }).then(
      () => this.#onCommitted(epoch, taken, runMs, cutMs, clock.monotonic() - cutStarted - cutMs),
      (error: unknown) => this.#fail(error),
    )
    this.#openEpoch()
    runner.resume()
  }

  #onCommitted(
    epoch: number,
    taken: { outputs: readonly unknown[]; records: number; timersFired: number },
    runMs: number,
    cutMs: number,
    commitMs: number,
  ): void {
    this.#committed = epoch
    this.#lastCommitMs = commitMs
    if (!this.events.listening('epoch-committed')) return
    this.events.emit<'epoch-committed'>({
      type: 'epoch-committed',
      epoch,
      at: this.options.clock.now(),
      records: taken.records,
      outputs: taken.outputs.length,
      timersFired: taken.timersFired,
      runMs,
      cutMs,
      commitMs,
    })
  }

  #tellCommitting(epoch: number, records: number, outputs: number): void {
    if (!this.events.listening('epoch-committing')) return
    const at = this.options.clock.now()
    this.events.emit<'epoch-committing'>({ type: 'epoch-committing', epoch, at, records, outputs })
  }

  #cutTimedOut(): StreamError {
    const lane = this.#running().lanes.find((candidate) => candidate.current !== undefined)
    const item = lane?.current
    return new StreamError(
      `A callback has not settled for ${this.options.config['epoch.cut-timeout-ms']} ms, so the epoch cannot be committed: ` +
        `${item === undefined ? 'unknown' : `${itemText(item)}, entered at "${item.entry.name}"`}, lane ${lane?.index ?? '?'}. ` +
        'Find what it awaits, or raise epoch.cut-timeout-ms.',
      {
        code: 'PROCESSING_FAILED',
        kind: 'user',
        retriable: true,
        context: {
          ...(item === undefined ? {} : { node: item.entry.name }),
          ...(lane === undefined ? {} : { lane: lane.index }),
        },
      },
    )
  }

  // ---- time ----------------------------------------------------------------------------------

  #scheduleTick(): void {
    const { clock, config } = this.options
    const interval = config['time.watermark-interval-ms']
    const next = this.#nextProcessingTimer()
    const delay = next === undefined ? interval : Math.min(interval, Math.max(1, next - clock.now()))
    this.#tick = clock.after(delay, () => {
      if (this.#state !== 'running') return
      try {
        this.#onTick()
      } catch (error) {
        this.#fail(error)
      }
      this.#scheduleTick()
    })
  }

  #onTick(): void {
    const runner = this.#running()
    const readers = this.#readers as SourceReaders
    this.#reference.check()
    readers.report()
    readers.clocks.emitWatermarks()
    runner.wakeDueTimers()
    runner.drain()
    this.#watch()
    this.#onProgress()
  }

  #nextProcessingTimer(): number | undefined {
    let next: number | undefined
    for (const node of this.#running().nodes.values()) {
      if (!node.compiled.timers.includes('processing-time')) continue
      const at = node.timers?.earliest('processing-time')
      if (at !== undefined && (next === undefined || at < next)) next = at
    }
    return next
  }

  /** Names a callback that has been pending for long, once. */
  #watch(): void {
    const { clock, config } = this.options
    const runner = this.#running()
    for (const lane of runner.lanes) {
      const item = lane.current
      if (item === undefined || clock.monotonic() - lane.pendingSince < config['watchdog.slow-callback-ms']) continue
      const what = `${itemText(item)} at "${item.entry.name}" on lane ${lane.index}`
      if (this.#warnedSlow.has(what)) continue
      this.#warnedSlow.add(what)
      runner.log.write(
        'warn',
        `${what} has been pending for more than ${config['watchdog.slow-callback-ms']} ms.`,
        item.entry.name,
      )
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
    this.#wake.wake()
    this.#session?.wakeUp()
  }

  /** Callbacks in flight settle and the last epoch commits (E14); what does not settle in time is aborted. */
  async #stopGracefully(): Promise<void> {
    const { clock, config } = this.options
    const deadline = clock.after(config['shutdown.timeout-ms'], () =>
      this.#fail(
        new StreamError(
          `Callbacks in flight have not settled within shutdown.timeout-ms, ${config['shutdown.timeout-ms']} ms; the last epoch is aborted.`,
          {
            code: 'PROCESSING_FAILED',
            kind: 'user',
            retriable: true,
          },
        ),
      ),
    )
    await this.#cut()
    await this.#committing
    deadline.cancel()
  }

  async #end(failure: StreamError | undefined): Promise<void> {
    this.#tick?.cancel()
    this.#commitTimer?.cancel()
    await this.#committing
    const problems: unknown[] = []
    await this.#runner?.close().catch((error: unknown) => problems.push(error))
    await this.#session?.close().catch((error: unknown) => problems.push(error))
    for (const problem of problems) this.#runner?.log.write('error', `While closing: ${asStreamError(problem).message}`)
    if (failure !== undefined) this.#tellFailure(failure)
    this.#become(failure === undefined ? 'stopped' : 'failed')
    this.#finish(failure)
  }

  #tellFailure(failure: StreamError): void {
    if (this.#epoch > 0 && this.events.listening('epoch-aborted')) {
      this.events.emit<'epoch-aborted'>({
        type: 'epoch-aborted',
        epoch: this.#epoch,
        at: this.options.clock.now(),
        message: failure.message,
      })
    }
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

function asStreamError(error: unknown): StreamError {
  if (error instanceof StreamError) return error
  const message = error instanceof Error ? error.message : String(error)
  return new StreamError(message, { code: 'ILLEGAL_STATE', kind: 'bug', retriable: false, cause: error })
}
