import type { Cancellable } from '../time/Clock.js'
import { SeededRandom } from '../time/Random.js'
import type { AwaitHost } from './AwaitHost.js'

interface Task {
  readonly label: string
  readonly owner: string
  readonly run: () => void
}

interface Planned extends Task {
  readonly at: number
  readonly order: number
}

export interface SchedulerOptions {
  readonly seed: number
  /** Resolves once no microtask is left: a macrotask of the host. */
  readonly turn: () => Promise<void>
  /** Owners whose tasks are picked seldom, as a slow lane's are. Default: none. */
  readonly isSlow?: (owner: string) => boolean
  /** Planned calls come up to so many ms late, by the seed; an integer. Default: 0. */
  readonly jitterMs?: number
  /** Told of each task before it runs. */
  readonly onPick?: (owner: string, label: string) => void
}

/** Why `run` came back: its condition held, or nothing is runnable or planned while it does not. */
export type SchedulerEnd = 'done' | 'deadlock'

/** A slow owner's task is passed over so often out of ten. */
const PASSED_OVER = 0.9
const DRAWS = 6

/**
 * Decides what happens next (D2). Whatever could go on is a task in a ready set; the seed picks one, all microtasks
 * that it causes run out, and the seed picks again. Virtual time moves only when nothing is ready, to the next
 * planned call. The same seed gives the same order.
 */
export class SimulationScheduler implements AwaitHost {
  /** Whose work runs now: awaits and planned calls that begin in it belong to it. */
  owner = 'engine'
  #now = 0
  #steps = 0
  #order = 0
  #life = 0
  #ready: Task[] = []
  #planned: Planned[] = []
  #held = new Map<number, string>()
  readonly #random: SeededRandom
  readonly #jitter: SeededRandom

  constructor(private readonly options: SchedulerOptions) {
    this.#random = new SeededRandom(options.seed)
    this.#jitter = new SeededRandom(options.seed ^ 0x5bd1e995)
  }

  /** Virtual ms since the start. */
  get now(): number {
    return this.#now
  }

  /** Tasks run so far. */
  get steps(): number {
    return this.#steps
  }

  /** Promises that have not settled, and planned calls, as text: what a deadlock waits for. */
  get waiting(): readonly string[] {
    return [...this.#held.values(), ...this.#planned.map((task) => `${task.owner}: ${task.label} at ${task.at}`)]
  }

  /** Makes a call runnable. */
  ready(label: string, run: () => void): Cancellable {
    return this.#add({ label, owner: this.owner, run })
  }

  /** Makes a call runnable no sooner than `delayMs` from now. */
  plan(delayMs: number, label: string, run: () => void): Cancellable {
    const jitter = this.options.jitterMs ? Math.floor(this.#jitter.next() * (this.options.jitterMs + 1)) : 0
    const task: Planned = {
      label,
      owner: this.owner,
      run,
      at: this.#now + Math.max(0, delayMs) + jitter,
      order: this.#order++,
    }
    this.#planned.push(task)
    return {
      cancel: () => {
        this.#planned = this.#planned.filter((other) => other !== task)
        this.#ready = this.#ready.filter((other) => other !== task)
      },
    }
  }

  await(value: unknown, resume: (value: any) => void, fail: (error: unknown) => void, label = 'await'): void {
    const { owner } = this
    const life = this.#life
    const id = this.#order++
    this.#held.set(id, `${owner}: ${label}`)
    const settle = (run: () => void) => {
      // What belongs to a run that has crashed never goes on.
      if (life !== this.#life) return
      this.#held.delete(id)
      this.#add({ label, owner, run })
    }
    Promise.resolve(value).then(
      (settled) => settle(() => resume(settled)),
      (error: unknown) => settle(() => fail(error)),
    )
  }

  /** A promise with the same outcome that settles when the seed says so. */
  hold<T>(value: PromiseLike<T> | T, label: string): Promise<T> {
    return new Promise<T>((resolve, reject) => this.await(value, resolve, reject, label))
  }

  /** Runs work under an owner's name; what it begins belongs to that owner. */
  as<T>(owner: string, work: () => T): T {
    const outer = this.owner
    this.owner = owner
    try {
      return work()
    } finally {
      this.owner = outer
    }
  }

  /** Everything that runs, waits or is planned is gone for good, as when its process dies. */
  abandon(): void {
    this.#life++
    this.#ready = []
    this.#planned = []
    this.#held.clear()
    this.owner = 'engine'
  }

  /** Runs task after task until the condition holds, looked at before each. */
  async run(until: () => boolean): Promise<SchedulerEnd> {
    for (;;) {
      await this.options.turn()
      if (until()) return 'done'
      if (this.#ready.length === 0 && !this.#advance()) return 'deadlock'
      const task = this.#pick()
      this.#steps++
      this.owner = task.owner
      this.options.onPick?.(task.owner, task.label)
      task.run()
    }
  }

  #add(task: Task): Cancellable {
    this.#ready.push(task)
    return {
      cancel: () => {
        this.#ready = this.#ready.filter((other) => other !== task)
      },
    }
  }

  #pick(): Task {
    const { isSlow } = this.options
    let index = this.#draw()
    for (let draws = 1; isSlow !== undefined && draws < DRAWS; draws++) {
      if (!isSlow((this.#ready[index] as Task).owner) || this.#random.next() >= PASSED_OVER) break
      index = this.#draw()
    }
    const [task] = this.#ready.splice(index, 1)
    return task as Task
  }

  #draw(): number {
    return Math.floor(this.#random.next() * this.#ready.length)
  }

  /** Moves time to the next planned call; all that is due then becomes ready. */
  #advance(): boolean {
    if (this.#planned.length === 0) return false
    this.#now = Math.max(this.#now, Math.min(...this.#planned.map((task) => task.at)))
    const due = this.#planned.filter((task) => task.at <= this.#now).sort((a, b) => a.at - b.at || a.order - b.order)
    this.#planned = this.#planned.filter((task) => task.at > this.#now)
    this.#ready.push(...due)
    return true
  }
}
