import type { Clock, EngineApi, EngineState, RecordLog } from '@lanescope/core'
import type { HistogramFacts } from './MetricsText.js'
import { RestoreWatch } from './RestoreWatch.js'

export const PHASES = ['run', 'cut', 'commit'] as const
export type Phase = (typeof PHASES)[number]

/** In seconds. */
const BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** Why it does not read and write, for people. */
export interface NotReady {
  readonly reason: string
  /** In ms since 1970. */
  readonly since: number
}

const REASONS: { readonly [S in EngineState]: string } = {
  created: 'the log and the state are being opened',
  starting: 'it starts: topics, positions and state are being read',
  running: '',
  stopping: 'it stops',
  stopped: 'it has stopped',
  failed: 'it has failed',
}

/** What is counted of a run as it goes on, from the rare events alone; all else is read when it is asked for. */
export class EngineMonitor {
  engine: EngineApi | undefined
  /** What may have an outage. */
  log: Pick<RecordLog, 'outage'> | undefined
  restarts = 0
  aborted = 0
  committed = 0
  readonly restore = new RestoreWatch()
  readonly #times: { readonly [P in Phase]: { readonly counts: number[]; sum: number } } = {
    run: emptyTimes(),
    cut: emptyTimes(),
    commit: emptyTimes(),
  }
  /** Between the abort of an incarnation's epochs and the first epoch of the next one. */
  #restarting: NotReady | undefined
  /** Since when the engine has been in its state. */
  #since: number

  constructor(private readonly clock: Clock) {
    this.#since = clock.now()
  }

  watch(engine: EngineApi, log?: Pick<RecordLog, 'outage'>): void {
    this.engine = engine
    this.log = log
    engine.events.on(['state-changed'], () => {
      this.#since = this.clock.now()
    })
    engine.events.on(['epoch-started', 'epoch-aborted', 'epoch-committed', 'restore-progress'], (event) => {
      if (event.type === 'epoch-aborted') {
        this.aborted++
        const since = this.#restarting?.since ?? this.clock.now()
        this.#restarting = { reason: `it restarts in place: ${event.message}`, since }
      } else if (event.type === 'epoch-started') {
        if (this.#restarting !== undefined) this.restarts++
        this.#restarting = undefined
      } else if (event.type === 'epoch-committed') {
        this.committed++
        this.#add('run', event.runMs)
        this.#add('cut', event.cutMs)
        this.#add('commit', event.commitMs)
      } else if (event.type === 'restore-progress') {
        this.restore.take(event)
      }
    })
  }

  get state(): EngineState {
    return this.engine?.state ?? 'created'
  }

  /** Undefined where it reads and writes: restored, not between two incarnations, and with a log that answers. */
  get notReady(): NotReady | undefined {
    const { state } = this
    if (state !== 'running') return { reason: REASONS[state], since: this.#since }
    return this.#restarting ?? this.log?.outage
  }

  get isReady(): boolean {
    return this.notReady === undefined
  }

  /** How long the log has not answered, in ms; 0 where it does. */
  get outageMs(): number {
    const outage = this.log?.outage
    return outage === undefined ? 0 : Math.max(0, this.clock.now() - outage.since)
  }

  /** Whether the engine's counters and clocks can be read: they have been set up, and nothing is taking them down. */
  get isReadable(): boolean {
    return (this.state === 'running' || this.state === 'stopping') && this.#restarting === undefined
  }

  times(phase: Phase): HistogramFacts {
    return { bounds: BOUNDS, ...this.#times[phase] }
  }

  #add(phase: Phase, ms: number): void {
    const times = this.#times[phase]
    const seconds = ms / 1000
    const at = BOUNDS.findIndex((bound) => seconds <= bound)
    const bucket = at === -1 ? BOUNDS.length : at
    times.counts[bucket] = (times.counts[bucket] ?? 0) + 1
    times.sum += seconds
  }
}

function emptyTimes(): { readonly counts: number[]; sum: number } {
  return { counts: new Array<number>(BOUNDS.length + 1).fill(0), sum: 0 }
}
