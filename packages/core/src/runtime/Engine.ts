import { StreamError } from '../errors/index.js'
import type { EngineState } from '../events/EngineEvent.js'
import { EventHub } from '../events/EventHub.js'
import { MemoryStateBackend } from '../state/MemoryStateBackend.js'
import type { Cancellable } from '../time/Clock.js'
import { Counters } from './Counters.js'
import { ReferenceClock } from './clocks/ReferenceClock.js'
import type { EngineApi, EngineOptions, FuturePreview, StoreQuery } from './EngineApi.js'
import { asStreamError, noSuchStore, shutdownTimedOut } from './engineErrors.js'
import { EpochLine } from './epoch/EpochLine.js'
import { committedReader } from './inspection/committedReader.js'
import { inspectTimers, takeSnapshot } from './inspection/takeSnapshot.js'
import type { InDoubt } from './life/EpochCommits.js'
import { Incarnation } from './life/Incarnation.js'
import type { Lasting } from './life/Lasting.js'
import {
  ATTEMPTS,
  type FaultCoordinates,
  faultCoordinates,
  hasPassed,
  RestartBudget,
  type RestartPlan,
  restartFacts,
} from './restart/RestartBudget.js'
import type { EngineSnapshot, TimerInspection } from './Snapshot.js'
import { mayFollow } from './states.js'
import { Schedules } from './ticks/Schedules.js'

/** Runs a compiled topology over a log. One start, one end. */
export function createEngine(options: EngineOptions): EngineApi {
  return new Engine(options)
}

/** Sees a run through its incarnations (E4, E7): starts the first, and another one after a fault that may pass. */
class Engine implements EngineApi {
  readonly events = new EventHub()
  readonly finished: Promise<StreamError | undefined>
  readonly #lasting: Lasting
  readonly #budget = new RestartBudget()
  #state: EngineState = 'created'
  #finish: (error: StreamError | undefined) => void = () => undefined
  #life: Incarnation | undefined
  #startedAt = 0
  /** The epoch that the last incarnation left without an answer to its commit. */
  #inDoubt: number | undefined
  #stopping = false
  /** Until when a stop may take (E14). */
  #deadline: Cancellable | undefined
  #endPause: (() => void) | undefined

  constructor(private readonly options: EngineOptions) {
    this.finished = new Promise((resolve) => {
      this.#finish = resolve
    })
    this.#lasting = {
      options,
      events: this.events,
      counters: new Counters(),
      reference: new ReferenceClock(options.clock, (byMs) => this.#tellJump(byMs)),
      epochs: new EpochLine(options.config, options.clock, this.events, options.log.transactionTimeoutMs),
      backend: options.state ?? new MemoryStateBackend(),
      cutBefore: undefined,
      isFirst: true,
      schedules: new Schedules(options.topology),
      failedTimer: () => this.#budget.failedTimer,
      onCommitted: (positions, failedTimerFired) =>
        this.#budget.onCommit((failed) => hasPassed(failed, positions, failedTimerFired)),
    }
  }

  get state(): EngineState {
    return this.#state
  }

  async start(): Promise<void> {
    this.#become('starting')
    this.#startedAt = this.options.clock.monotonic()
    let life: Incarnation
    try {
      life = await this.#begin(undefined)
    } catch (error) {
      const failure = asStreamError(error)
      this.#end(failure)
      throw failure
    }
    this.#become('running')
    if (this.#stopping) {
      this.#become('stopping')
      life.stop()
    }
    // It reports its end through `finished`.
    void this.#seeThrough(life)
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
      this.#deadline = this.options.clock.after(timeout, () => this.#life?.fail(shutdownTimedOut(timeout)))
      this.#life?.stop()
      this.#endPause?.()
    }
    await this.finished
  }

  snapshot(): EngineSnapshot {
    const { epochs, reference } = this.#lasting
    const { runner, readers } = this.#running()
    return takeSnapshot(runner, readers, {
      state: this.#state,
      startedAt: this.#startedAt,
      epoch: { number: epochs.number, committed: epochs.committed, lastCommitMs: epochs.lastCommitMs },
      reference: reference.now(),
      schedules: this.#lasting.schedules.inspect(),
    })
  }

  inspectTimers(perLane: number): TimerInspection {
    return inspectTimers(this.#running().runner, perLane)
  }

  previewFutureTimestamp(timestamp: number, source: string, partition?: number): FuturePreview {
    return this.#running().readers.preview(timestamp, source, partition)
  }

  store(name: string, { as = 'open' }: StoreQuery = {}): unknown {
    const { runner } = this.#running()
    const live = runner.stores.get(name)
    const compiled = runner.options.compiled.stores.find((store) => store.name === name)
    if (live === undefined || compiled === undefined) throw noSuchStore(name)
    return as === 'open' ? live.reader : committedReader(runner, this.#lasting.backend, compiled, live)
  }

  /** Makes an incarnation and opens it. What goes wrong closes it again. */
  async #begin(inDoubt: InDoubt | undefined): Promise<Incarnation> {
    const life = await Incarnation.create(this.#lasting)
    this.#life = life
    // Asked for while it was made: the stop has told the one before.
    if (this.#stopping) life.stop()
    try {
      await life.unlessFailed(life.open(inDoubt))
      if (life.failure !== undefined) throw life.failure.error
    } catch (error) {
      life.fail(error)
      await life.close()
      throw error
    }
    return life
  }

  async #seeThrough(first: Incarnation): Promise<void> {
    let life = first
    for (;;) {
      const { failure, inDoubt } = await life.run()
      if (failure === undefined) return this.#end(undefined)
      this.#inDoubt = inDoubt?.epoch
      const next = await this.#restart(asStreamError(failure.error), inDoubt)
      if (next instanceof StreamError) return this.#end(next)
      life = next
    }
  }

  /** @returns the next incarnation, or the failure that nothing follows */
  async #restart(first: StreamError, inDoubt: InDoubt | undefined): Promise<Incarnation | StreamError> {
    let failure = first
    while (await this.#mayRestart(failure)) {
      try {
        return await this.#begin(inDoubt)
      } catch (error) {
        failure = asStreamError(error)
      }
    }
    return failure
  }

  /** E4: whether the run goes on after this fault; waits the pause before it does. */
  async #mayRestart(failure: StreamError): Promise<boolean> {
    if (!failure.retriable || this.#stopping) return false
    const plan = this.#budget.onFault(this.#life?.runner.failedTimer ?? faultCoordinates(failure.context))
    if (plan.kind === 'give-up') return false
    this.#lasting.cutBefore = plan.cutBefore
    this.#tellAborted(failure, plan)
    this.#life?.runner.log.write(
      'warn',
      `${asSentence(failure.message)} The live epochs are discarded; restart ${plan.attempt} of ${ATTEMPTS} in ${plan.delayMs} ms.${cutText(plan.cutBefore)}`,
    )
    await this.#unlessStopped((resolve) => this.options.clock.after(plan.delayMs, resolve))
    if (failure.code === 'LOG_UNAVAILABLE') {
      await this.#unlessStopped((resolve) => (this.options.log.reached?.() ?? Promise.resolve()).then(resolve, resolve))
    }
    return !this.#stopping
  }

  /** Waits for what `begin` has to resolve, but not once a stop is asked for. */
  #unlessStopped(begin: (resolve: () => void) => void): Promise<void> {
    if (this.#stopping) return Promise.resolve()
    return new Promise((resolve) => {
      this.#endPause = resolve
      begin(resolve)
    })
  }

  #tellJump(byMs: number): void {
    this.#life?.runner.log.write(
      'warn',
      `The host's clock jumped by ${Math.round(byMs)} ms. The reference clock of the future-timestamp guard follows only after 10 minutes.`,
    )
  }

  #end(failure: StreamError | undefined): void {
    this.#deadline?.cancel()
    if (failure !== undefined) this.#tellFailure(failure)
    this.#become(failure === undefined ? 'stopped' : 'failed')
    this.#finish(failure)
  }

  #tellAborted(failure: StreamError, plan?: Extract<RestartPlan, { readonly kind: 'restart' }>): void {
    this.#lasting.epochs.tellAborted(failure.message, this.#life?.runner.epoch, {
      ...(this.#inDoubt === undefined ? {} : { inDoubt: this.#inDoubt }),
      ...(plan === undefined ? {} : { restart: restartFacts(plan) }),
    })
  }

  #tellFailure(failure: StreamError): void {
    this.#tellAborted(failure)
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

  #running(): Incarnation {
    if (this.#life === undefined) {
      throw new StreamError('The engine has not been started.', {
        code: 'ILLEGAL_STATE',
        kind: 'user',
        retriable: false,
      })
    }
    return this.#life
  }
}

function cutText(before: FaultCoordinates | undefined): string {
  const { isTimer, node, key, topic, partition, offset } = before ?? {}
  if (!isTimer && offset === undefined) return ''
  const what = isTimer ? `the timers of "${node}" for ${key}` : `${topic}-${partition} @ ${offset}`
  return ` It has failed twice there: the epoch is cut just before ${what}, so that what lies before is committed.`
}

function asSentence(message: string): string {
  return /[.!?]$/.test(message) ? message : `${message}.`
}
