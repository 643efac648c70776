import type { EngineApi, EngineState } from '@lanescope/core'
import type { HistogramFacts } from './MetricsText.js'
import { RestoreWatch } from './RestoreWatch.js'

export const PHASES = ['run', 'cut', 'commit'] as const
export type Phase = (typeof PHASES)[number]

/** In seconds. */
const BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** What is counted of a run as it goes on, from the rare events alone; all else is read when it is asked for. */
export class EngineMonitor {
  engine: EngineApi | undefined
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
  #isRestarting = false

  watch(engine: EngineApi): void {
    this.engine = engine
    engine.events.on(['epoch-started', 'epoch-aborted', 'epoch-committed', 'restore-progress'], (event) => {
      if (event.type === 'epoch-aborted') {
        this.aborted++
        this.#isRestarting = true
      } else if (event.type === 'epoch-started') {
        if (this.#isRestarting) this.restarts++
        this.#isRestarting = false
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

  /** Whether it reads and writes: restored, and not between two incarnations. */
  get isReady(): boolean {
    return this.state === 'running' && !this.#isRestarting
  }

  /** Whether the engine's counters and clocks can be read: they have been set up, and nothing is taking them down. */
  get isReadable(): boolean {
    return (this.state === 'running' || this.state === 'stopping') && !this.#isRestarting
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
