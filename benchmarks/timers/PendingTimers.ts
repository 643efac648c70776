import {
  type Clock,
  Consumed,
  createEngine,
  type EngineApi,
  type LogRecord,
  parseConfig,
  SeededRandom,
  type StateBackend,
  string,
  Topology,
} from '@lanescope/core'
import { Feed } from '../engine/Feed.js'
import { Stopwatch } from '../engine/Stopwatch.js'
import { DueTimes } from './DueTimes.js'

const CHUNK = 50_000
const MINUTE = 60_000
/** Event time at the start, ms. */
const START = 1_700_000_000_000

const text = new TextEncoder()
const none: readonly [] = []
const value = text.encode('x')

/** An engine whose timers are registered and fired as they are asked for. */
export class PendingTimers {
  /** How many there have been, those that have fired included. */
  registered = 0
  readonly #feed = new Feed()
  readonly #times = new DueTimes()
  #clock = START
  #offset = 0
  #fired = 0
  #engine: EngineApi | undefined
  #told: { readonly count: number; readonly reached: () => void } | undefined

  static async start(state: StateBackend, clock: Clock, backend: string): Promise<PendingTimers> {
    const made = new PendingTimers()
    await made.#start(state, clock, backend)
    return made
  }

  get fired(): number {
    return this.#fired
  }

  /** Registers timers until there have been so many. @returns time of the processor for each, µs */
  async register(upTo: number): Promise<number> {
    const from = this.registered
    this.#times.registerFrom(from, this.#clock)
    let spent = 0
    while (this.registered < upTo) {
      const size = Math.min(CHUNK, upTo - this.registered)
      const records = Array.from({ length: size }, (_, i) => this.#record(`${this.registered + i}`))
      const watch = new Stopwatch()
      await this.#give(records)
      spent += watch.read().cpuMs
      this.registered += size
    }
    return (spent * 1000) / Math.max(1, upTo - from)
  }

  /** Moves the clock until about so many more timers have fired. @returns time of the processor for each, µs */
  async fire(count: number): Promise<number> {
    const before = this.#fired
    let spent = 0
    while (this.#fired - before < count) {
      const due = this.#nextDue(Math.min(5_000, count))
      const watch = new Stopwatch()
      const reached = new Promise<void>((resolve) => {
        this.#told = { count: due, reached: resolve }
      })
      await Promise.race([Promise.all([this.#give([this.#record('tick')]), reached]), this.#failed()])
      // Only once their epoch is committed too has all been paid for.
      await this.#give([this.#record('tick')])
      spent += watch.read().cpuMs
    }
    return (spent * 1000) / (this.#fired - before)
  }

  async stop(): Promise<void> {
    await this.#engine?.stop()
  }

  /** Moves the clock by minutes until at least so many more timers are due. @returns how many are due then */
  #nextDue(more: number): number {
    for (let step = MINUTE; ; step *= 2) {
      const due = this.#times.due(this.registered, this.#clock + step)
      if (due - this.#fired < more) continue
      this.#clock += step
      return due
    }
  }

  #record(key: string): LogRecord {
    return { offset: this.#offset++, timestamp: this.#clock, key: text.encode(key), value, headers: none }
  }

  async #give(records: readonly LogRecord[]): Promise<void> {
    await Promise.race([this.#feed.give(records), this.#failed()])
  }

  async #failed(): Promise<never> {
    throw (await this.#engine?.finished) ?? new Error('the engine stopped')
  }

  async #start(state: StateBackend, clock: Clock, backend: string): Promise<void> {
    const config = parseConfig({
      'application.id': 'bench',
      'timers.backend': backend,
      'time.max-out-of-orderness-ms': 0,
      'future-timestamp.guard': 'off',
      'future-timestamp.check': 'off',
    })
    this.#engine = createEngine({
      topology: this.#topology().compile(config),
      config,
      log: this.#feed,
      clock,
      random: new SeededRandom(1),
      state,
    })
    await this.#engine.start()
  }

  #topology(): Topology {
    return new Topology().addSource('in', Consumed.with(string, string), 'in').addProcessor(
      'arm',
      {
        timers: ['event-time'],
        sync: true,
        get: () => ({
          process: (record: { key: string }, ctx) => {
            if (record.key === 'tick') return
            ctx.timers.register({ key: record.key, at: this.#times.next(Number(record.key)), domain: 'event-time' })
          },
          onTimer: () => {
            this.#fired++
            if (this.#fired === this.#told?.count) this.#told.reached()
          },
        }),
      },
      'in',
    )
  }
}
