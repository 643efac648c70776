import { StreamError } from '../../errors/index.js'
import { EpochState } from '../../state/epoch/EpochState.js'
import type { Cancellable } from '../../time/Clock.js'
import { unlessStopped } from '../changelog/RestoreStopped.js'
import { cutTimedOut } from '../engineErrors.js'
import { SlowCallbacks } from '../inspection/SlowCallbacks.js'
import type { LogSession } from '../RecordLog.js'
import { findTopics } from '../reading/findTopics.js'
import { clearGlobalStores } from '../reading/globalSources.js'
import type { PartitionReader } from '../reading/PartitionReader.js'
import { SourceReaders } from '../reading/SourceReaders.js'
import { type KnownTopics, TopicWatch } from '../reading/TopicWatch.js'
import { earlier } from '../scheduling/earlier.js'
import { settle } from '../scheduling/settle.js'
import { Ticker } from '../scheduling/Ticker.js'
import { Wakeable } from '../scheduling/Wakeable.js'
import { TopologyRunner } from '../TopologyRunner.js'
import { TickSources } from '../ticks/TickSources.js'
import { EpochCommits, type InDoubt } from './EpochCommits.js'
import { EpochRecords } from './EpochRecords.js'
import type { Lasting } from './Lasting.js'
import { keepStart, openSession, topicIdsOf } from './openSession.js'
import { takeOver } from './takeOver.js'

/** Records asked for in one fetch; a partition with so many waiting is left alone. */
const FETCH_RECORDS = 1000
const FETCH_WAIT_MS = 100
/** What has not closed by then is left behind; sooner where the time of a stop is up, or it has failed. */
const LONGEST_CLOSE_MS = 10_000
const OVERDUE_CLOSE_MS = 1_000

/**
 * One life of a run (E7): processors, contexts, queues, timers and live epochs of its own. It ends with a failure
 * or a stop; what it has committed is in the log and the backend, and everything else is gone with it.
 */
export class Incarnation {
  readonly runner: TopologyRunner
  readonly readers: SourceReaders
  readonly #ticks: TickSources
  /** Made when it is known which epoch comes next. */
  #opened: EpochState | undefined
  readonly #records: EpochRecords
  readonly #commits: EpochCommits
  readonly #wake = new Wakeable()
  readonly #ticker: Ticker
  readonly #slow = new SlowCallbacks()
  #session: LogSession | undefined
  #failure: { readonly error: unknown } | undefined
  #fetching = false
  #stopping = false
  #commitTimer: Cancellable | undefined
  #isOpen = false
  /** A timer waits for it that has ended two incarnations (E4). */
  #isCutAskedFor = false
  /** Ends the wait of whoever waits for something that a failure makes pointless. */
  #giveUp: (() => void) | undefined

  private constructor(
    private readonly lasting: Lasting,
    readonly topics: ConstructorParameters<typeof TopologyRunner>[0]['topics'],
    readonly sources: readonly string[],
  ) {
    const { options } = lasting
    this.#records = new EpochRecords(options.log, options.config)
    this.runner = new TopologyRunner({
      compiled: options.topology,
      config: options.config,
      clock: options.clock,
      random: options.random,
      events: lasting.events,
      counters: lasting.counters,
      topics,
      byteStores: { store: (name) => this.#state.store(name), names: (prefix) => this.#state.names(prefix) },
      driver: false,
      onFailed: (error) => this.fail(error),
      onProgress: () => this.#onProgress(),
      onPlanned: (at) => this.#ticker.plan(at),
      watchedTimer: lasting.failedTimer(),
      blamedTimer: () => (lasting.failedTimer() && lasting.cutBefore?.isTimer ? lasting.cutBefore : undefined),
      onTimerWaits: () => {
        this.#isCutAskedFor = true
        this.#wake.wake()
      },
    })
    this.readers = new SourceReaders(this.runner, lasting.reference, true)
    this.#ticks = new TickSources(this.runner, lasting.schedules, (node) => this.readers.futureJudge(node))
    this.#commits = new EpochCommits(lasting, this.#records, this.runner, this.readers, {
      onFailed: (error) => this.fail(error),
      onSettled: () => this.#wake.wake(),
    })
    this.#ticker = new Ticker(
      options.clock,
      options.config['time.watermark-interval-ms'],
      () => this.#nextByWallClock(),
      () => this.#onTick(),
    )
  }

  /**
   * Finds the topics and makes the parts; nothing runs yet.
   *
   * @throws StreamError when a topic is missing or the log cannot do what `processing.guarantee` asks
   */
  static async create(lasting: Lasting): Promise<Incarnation> {
    const { config, log, topology } = lasting.options
    if (config['processing.guarantee'] === 'exactly-once' && !log.exactlyOnce) {
      throw new StreamError(
        'processing.guarantee is exactly-once, which this log cannot keep; set processing.guarantee to at-least-once.',
        { code: 'GUARANTEE_UNSUPPORTED', kind: 'user', retriable: false },
      )
    }
    const { sources, topics } = await findTopics(topology, config, log, !lasting.isFirst)
    return new Incarnation(lasting, topics, sources)
  }

  /**
   * Takes the partitions over, settles what the last incarnation left in doubt, restores the clocks, and starts the
   * processors. Nothing fires or runs before all of it is restored (T8).
   */
  async open(inDoubt: InDoubt | undefined): Promise<void> {
    const { options } = this.lasting
    const session = await openSession(this.lasting, this.sources, this.#records)
    this.#session = session
    // Given up meanwhile, and nobody else knows of this session.
    if (this.#failure !== undefined) return session.close()
    const taken = await takeOver(this.lasting, this, session, this.#records, inDoubt).catch(unlessStopped)
    if (taken === undefined) return
    const { last, assignment, changelogs } = taken
    this.#commits.useChangelogs(changelogs)
    if (last !== undefined) this.lasting.epochs.goOnAfter(last.epoch)
    this.#opened = new EpochState(this.lasting.backend, this.lasting.epochs.number + 1)
    clearGlobalStores(options.topology, this.#opened)
    const clocks = this.#records.clocksFor(last, assignment)
    this.runner.equip(clocks)
    for (const start of assignment) this.readers.add(start, clocks)
    await keepStart(this.lasting, session, this.readers.positions())
    await this.runner.init()
    this.lasting.epochs.open()
    this.lasting.isFirst = false
    this.#isOpen = true
  }

  /** Works until it is stopped or fails. @returns what ended it, and what is left in doubt */
  async run(): Promise<{
    readonly failure: { readonly error: unknown } | undefined
    readonly inDoubt: InDoubt | undefined
  }> {
    if (!this.#isOpen) {
      await this.close()
      return { failure: this.#failure, inDoubt: undefined }
    }
    this.#ticker.start()
    const watch = TopicWatch.start(this.lasting.options, this.#known, this.runner.log, (error) => this.fail(error))
    this.#fetch()
    try {
      while (this.#goesOn) {
        this.runner.budget.begin()
        await this.#dispatch()
        if (this.#isCutAskedFor || this.#mayCut()) await this.#cut()
        else if (this.#goesOn) {
          this.#planCommit()
          await this.#wake.wait()
        }
        await this.lasting.options.clock.yield()
      }
      if (this.#failure === undefined) await this.#lastCut()
    } catch (error) {
      this.fail(error)
    }
    watch.stop()
    await this.close()
    return { failure: this.#failure, inDoubt: this.#commits.inDoubt }
  }

  /** No fetch, callbacks in flight settle, the last epoch commits (E14). */
  stop(): void {
    this.#stopping = true
    this.#wake.wake()
    this.#session?.wakeUp()
  }

  /** Ends it; the first failure counts. */
  fail(error: unknown): void {
    if (this.#failure !== undefined) return
    this.#failure = { error }
    this.runner.failed(error)
    this.#giveUp?.()
    this.#wake.wake()
    this.#session?.wakeUp()
  }

  /** Resolves when `work` has, or when it has failed, after which nobody needs it; rejects when `work` does. */
  unlessFailed(work: Promise<void> | undefined): Promise<void> {
    if (work === undefined || this.#failure !== undefined) return Promise.resolve()
    return new Promise((resolve, reject) => {
      this.#giveUp = resolve
      work.then(resolve, reject)
    })
  }

  get isStopping(): boolean {
    return this.#stopping || this.#failure !== undefined
  }

  get failure(): { readonly error: unknown } | undefined {
    return this.#failure
  }

  async close(): Promise<void> {
    this.#ticker.stop()
    this.#commitTimer?.cancel()
    // A commit under way is let settle (E4): whether it counts is the log's to say.
    const ms = this.#stopping && this.#failure !== undefined ? OVERDUE_CLOSE_MS : LONGEST_CLOSE_MS
    const within = (what: string, work: Promise<void> | undefined) =>
      settle(this.lasting.options.clock, ms, what, work, (line) => this.runner.log.write('error', line))
    await within('The last commit', this.#commits.underWay)
    await within('Deleting from changelogs', this.#commits.endTrimming())
    await within('Closing the processors', this.runner.close())
    await within('Closing the log session', this.#session?.close())
  }

  get #state(): EpochState {
    if (this.#opened === undefined) throw new RangeError('This incarnation has not been opened')
    return this.#opened
  }

  // ---- the loop ------------------------------------------------------------------------------

  get #known(): KnownTopics {
    const { sources, topics } = this
    return { sources, topics, topicIds: topicIdsOf(this.#session as LogSession) }
  }

  get #goesOn(): boolean {
    return this.#failure === undefined && !this.#stopping
  }

  /** Hands records to lanes, the smallest time first, until none is left or none fits. */
  async #dispatch(): Promise<void> {
    const { runner, readers } = this
    this.#startTicks()
    while (this.#goesOn && !this.#isFull && !this.#isCutAskedFor) {
      const reader = readers.next()
      if (reader === undefined) break
      if (this.#isToBlame(reader) && !(runner.epoch.isEmpty && runner.isIdle)) {
        await this.#cut()
        continue
      }
      reader.dispatch()
      if (runner.overBudget()) {
        await this.lasting.options.clock.yield()
        runner.budget.begin()
        if (this.#mayCut()) break
        this.#startTicks()
      }
    }
    this.#fetch()
  }

  /** Starts the ticks that are due (P1), in their order. None starts in a cut, which the loop waits for (E8). */
  #startTicks(): void {
    const { clock } = this.lasting.options
    while (this.#goesOn && !this.#isFull) {
      if (!this.#ticks.startNext(clock.now())) return
      if (!this.runner.overBudget()) continue
      // Many were missed: the rest comes in a later macrotask (L12).
      this.#wake.wake()
      return
    }
  }

  /** When wall-clock time makes something due next; undefined when nothing waits for it. */
  #nextByWallClock(): number | undefined {
    return earlier(this.runner.earliestByWallClock(), this.lasting.schedules.due)
  }

  /** Whether the next record of a partition is the one that has ended two incarnations (E4). */
  #isToBlame(reader: PartitionReader): boolean {
    const blamed = this.lasting.cutBefore
    if (blamed?.offset === undefined) return false
    const { headOffset, clock } = reader
    return headOffset === blamed.offset && clock.topic === blamed.topic && clock.partition === blamed.partition
  }

  /** Asks the log for more, unless it is being asked or every partition has enough. */
  #fetch(): void {
    const session = this.#session
    if (this.#fetching || !this.#goesOn || session === undefined) return
    const full = this.readers.full(FETCH_RECORDS)
    if (full.length > 0 && full.length === this.readers.all.length) return
    const paused = full.map(({ clock: { topic, partition } }) => ({ topic, partition }))
    this.#fetching = true
    session
      .fetch({ maxRecords: FETCH_RECORDS, maxWaitMs: FETCH_WAIT_MS, paused })
      .then(async (batches) => {
        const preparing = this.readers.prepare(batches)
        if (preparing !== undefined) await preparing
        this.#fetching = false
        for (const batch of batches) this.readers.receive(batch)
        this.#wake.wake()
      })
      .catch((error: unknown) => {
        this.#fetching = false
        if (!this.#stopping) this.fail(error)
      })
  }

  #onProgress(): void {
    if (this.runner === undefined || this.runner.epoch.isEmpty) return
    this.#planCommit()
    // A lane may have room again, or the epoch has none.
    if (this.readers.hasBuffered || this.#isFull) this.#wake.wake()
  }

  #onTick(): void {
    if (!this.#goesOn) {
      this.#ticker.stop()
      return
    }
    try {
      this.lasting.reference.check()
      this.readers.report()
      this.readers.clocks.emitWatermarks()
      this.runner.wallClockMoved()
      this.runner.drain()
      if (this.#ticks.isDue(this.runner.clock.now())) this.#wake.wake()
      this.#slow.watch(this.runner)
      this.#onProgress()
    } catch (error) {
      this.fail(error)
    }
  }

  // ---- epochs --------------------------------------------------------------------------------

  /** What live epochs hold in memory: outputs, changes of state, and what waits at boundaries (E3). */
  get #liveBytes(): number {
    const { epoch, waitingBytes } = this.runner
    return epoch.bytes + epoch.heldBytes + waitingBytes + this.#commits.bytes + this.#state.liveBytes
  }

  get #isFull(): boolean {
    return this.lasting.epochs.isFull(this.runner.epoch, this.#liveBytes)
  }

  /** Wakes the loop when time alone ends the epoch. While a commit is under way its end wakes the loop. */
  #planCommit(): void {
    if (this.#commitTimer !== undefined || this.#commits.underWay !== undefined || this.runner.epoch.isEmpty) return
    // A host's timers may be early by a fraction of a millisecond.
    this.#commitTimer = this.lasting.options.clock.after(Math.max(1, this.lasting.epochs.leftMs()), () => {
      this.#commitTimer = undefined
      this.#wake.wake()
    })
  }

  /** At most two epochs are alive (E2): while one commits, the next goes on until it is full. */
  #mayCut(): boolean {
    const { epoch } = this.runner
    const { epochs } = this.lasting
    const bytes = this.#liveBytes
    return epochs.isDue(epoch, bytes) && (this.#commits.underWay === undefined || epochs.isFull(epoch, bytes))
  }

  /** Ends the epoch and starts its commit; the next epoch runs meanwhile (E2). */
  async #cut(): Promise<void> {
    this.#isCutAskedFor = false
    if (!(await this.#commitCut())) return
    this.lasting.epochs.open()
    this.runner.resume()
  }

  /** The last epoch of a graceful stop (E14): nothing starts after it, and it is over when its commit is. */
  async #lastCut(): Promise<void> {
    await this.#commitCut()
    await this.unlessFailed(this.#commits.underWay)
    if (this.#failure === undefined) await this.#commits.stampState()
  }

  /** @returns whether the next epoch may begin */
  async #commitCut(): Promise<boolean> {
    await this.unlessFailed(this.#commits.underWay)
    if (this.#failure !== undefined) return false
    const { runner } = this
    const { clock, config } = this.lasting.options
    const runMs = this.lasting.epochs.runMs()
    const cutStarted = clock.monotonic()
    const timeout = clock.after(config['epoch.cut-timeout-ms'], () => this.fail(cutTimedOut(runner)))
    const taken = await runner.cut()
    timeout.cancel()
    if (this.#failure !== undefined) return false
    this.#commitTimer?.cancel()
    this.#commitTimer = undefined
    if (taken.isEmpty) return true
    this.#commits.start(taken, this.#session as LogSession, this.#state, {
      runMs,
      cutMs: clock.monotonic() - cutStarted,
    })
    return true
  }
}
