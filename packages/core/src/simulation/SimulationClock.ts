import type { Cancellable, Clock } from '../time/Clock.js'
import type { SimulationScheduler } from './SimulationScheduler.js'

/** Virtual time. Planned calls and yields are tasks of the scheduler; work itself takes no time. */
export class SimulationClock implements Clock {
  #jump = 0

  constructor(
    private readonly scheduler: SimulationScheduler,
    /** Wall-clock time at virtual time 0, in ms. */
    private readonly startMs: number,
  ) {}

  now(): number {
    return this.startMs + this.scheduler.now + this.#jump
  }

  monotonic(): number {
    return this.scheduler.now
  }

  after(delayMs: number, fn: () => void): Cancellable {
    return this.scheduler.plan(delayMs, 'timer', fn)
  }

  yield(): Promise<void> {
    return new Promise((resolve) => {
      this.scheduler.ready('yield', resolve)
    })
  }

  /** Moves the wall clock alone, as when somebody corrects the host's clock. */
  jump(byMs: number): void {
    this.#jump += byMs
  }
}
