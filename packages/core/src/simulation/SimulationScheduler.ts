import { StreamError } from '../errors/StreamError.js'
import type { Cancellable } from '../time/Clock.js'
import { SeededRandom } from '../time/Random.js'
import type { AwaitHost } from './AwaitHost.js'

/** Who settles what is waited for: the simulation itself, code that it does not see into, or the world outside. */
export type WaitKind = 'inside' | 'user' | 'outside'

interface Task {
  /** The same in every run that went the same way until then. */
  readonly id: number
  readonly label: string
  readonly owner: string
  readonly run: () => void
}

interface Planned extends Task {
  readonly at: number
}

interface Held {
  readonly owner: string
  readonly label: string
  readonly kind: WaitKind
}

/** A task that a recorded run has picked, and the virtual ms at which it did. */
export type Pick = readonly [id: number, at: number]

export interface SchedulerOptions {
  readonly seed: number
  /** Resolves once no microtask is left: a macrotask of the host. */
  readonly turn: () => Promise<void>
  /** Owners whose tasks are picked seldom, as a slow lane's are. Default: none. */
  readonly isSlow?: (owner: string) => boolean
  /** Planned calls come up to so many ms late, by the seed; an integer. Default: 0. */
  readonly jitterMs?: number
  /** Told of each task before it runs. */
  readonly onPick?: (owner: string, label: string, id: number, at: number) => void
  /**
   * Picks as a recorded run did (D3), by the step; undefined: the recording ends there. Default: the seed picks.
   */
  readonly script?: (step: number) => Pick | undefined
  /** Awaited before each pick, with the steps taken so far: a run can be held there. */
  readonly beforePick?: (step: number) => Promise<void> | undefined
  /**
   * Asked when nothing is ready: whether to let the host turn once more, for something outside to settle, before
   * virtual time moves. `waits` has what may settle by itself.
   */
  readonly waitsOutside?: (waits: readonly number[]) => boolean
  /** User code has waited for something that settled by itself: I/O outside `ctx.call`. */
  readonly onOutside?: (wait: string) => void
}

/** Why `run` came back: its condition held, or nothing is runnable or planned while it does not. */
export type SchedulerEnd = 'done' | 'deadlock'

/** A slow owner's task is passed over so often out of ten. */
const PASSED_OVER = 0.9
const DRAWS = 6
/**
 * What a task has caused is over when so many microtasks have come and gone in which nothing was awaited and nothing
 * settled: as long as they come, the host can do nothing else.
 */
const QUIET_MICROTASKS = 1000
/** Turns of the host that a replay waits for what the recorded run did next. */
const REPLAY_TURNS = 1000

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
  #held = new Map<number, Held>()
  /** All that the last task has caused is over: what settles now settles by itself. */
  #isIdle = false
  #settled = 0
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
    const held = [...this.#held.values()].map(({ owner, label }) => `${owner}: ${label}`)
    return [...held, ...this.#planned.map((task) => `${task.owner}: ${task.label} at ${task.at}`)]
  }

  /** Makes a call runnable. */
  ready(label: string, run: () => void): Cancellable {
    return this.#add({ id: this.#order++, label, owner: this.owner, run })
  }

  /** Makes a call runnable no sooner than `delayMs` from now. */
  plan(delayMs: number, label: string, run: () => void): Cancellable {
    const jitter = this.options.jitterMs ? Math.floor(this.#jitter.next() * (this.options.jitterMs + 1)) : 0
    const task: Planned = {
      id: this.#order++,
      label,
      owner: this.owner,
      run,
      at: this.#now + Math.max(0, delayMs) + jitter,
    }
    this.#planned.push(task)
    return {
      cancel: () => {
        this.#planned = this.#planned.filter((other) => other !== task)
        this.#ready = this.#ready.filter((other) => other !== task)
      },
    }
  }

  /** @param kind who settles the value. Default: unseen code */
  await(
    value: unknown,
    resume: (value: any) => void,
    fail: (error: unknown) => void,
    label = 'await',
    kind: WaitKind = 'user',
  ): void {
    const { owner } = this
    const life = this.#life
    const id = this.#order++
    this.#held.set(id, { owner, label, kind })
    const settle = (run: () => void) => {
      // What belongs to a run that has crashed never goes on.
      if (life !== this.#life) return
      this.#held.delete(id)
      this.#settled++
      if (this.#isIdle && kind === 'user') this.options.onOutside?.(`${owner}: ${label}`)
      this.#add({ id, label, owner, run })
    }
    Promise.resolve(value).then(
      (settled) => settle(() => resume(settled)),
      (error: unknown) => settle(() => fail(error)),
    )
  }

  /** A promise with the same outcome that settles when the seed says so. */
  hold<T>(value: PromiseLike<T> | T, label: string, kind: WaitKind = 'inside'): Promise<T> {
    return new Promise<T>((resolve, reject) => this.await(value, resolve, reject, label, kind))
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
      if (this.options.onOutside !== undefined) {
        await this.#runOut()
        this.#isIdle = true
      }
      await this.options.turn()
      if (until()) return 'done'
      await this.options.beforePick?.(this.#steps)
      const task = this.options.script === undefined ? this.#choose() : await this.#recorded(this.options.script)
      if (task === 'outside') continue
      if (task === undefined) return 'deadlock'
      this.#isIdle = false
      this.#steps++
      this.owner = task.owner
      this.options.onPick?.(task.owner, task.label, task.id, this.#now)
      task.run()
    }
  }

  /** Resolves once all microtasks have run that the last task has caused. */
  async #runOut(): Promise<void> {
    let before = -1
    for (let quiet = 0; quiet < QUIET_MICROTASKS; quiet++) {
      const now = this.#order + this.#settled
      if (now !== before) quiet = 0
      before = now
      await undefined
    }
  }

  /** The seed's pick; `outside`: the host is to turn first; undefined: nothing can go on. */
  #choose(): Task | 'outside' | undefined {
    if (this.#ready.length === 0) {
      if (this.options.waitsOutside?.(this.#openWaits())) return 'outside'
      if (!this.#advance()) return undefined
    }
    return this.#pick()
  }

  /** What a recorded run picked at this step, once it is there. @throws StreamError REPLAY_DIVERGED */
  async #recorded(script: (step: number) => Pick | undefined): Promise<Task | undefined> {
    const pick = script(this.#steps)
    if (pick === undefined) return undefined
    const [id, at] = pick
    for (let turns = 0; turns < REPLAY_TURNS; turns++) {
      this.#advanceTo(at)
      const index = this.#ready.findIndex((task) => task.id === id)
      if (index >= 0) return this.#ready.splice(index, 1)[0]
      await this.options.turn()
    }
    throw new StreamError(
      `The replay goes another way at step ${this.#steps}: what the recorded run did there is not to be done. ` +
        'Replay with the code and configuration of the recording; code that does I/O goes by ctx.call alone.',
      { code: 'REPLAY_DIVERGED', kind: 'user', retriable: false },
    )
  }

  /** Waits that the world outside may end: those known to be outside, and user code of which nothing else is under way. */
  #openWaits(): readonly number[] {
    const busy = new Set([...this.#planned, ...this.#ready].map(({ owner }) => owner))
    for (const { kind, owner } of this.#held.values()) if (kind === 'inside') busy.add(owner)
    return [...this.#held]
      .filter(([, { kind, owner }]) => kind === 'outside' || (kind === 'user' && !busy.has(owner)))
      .map(([id]) => id)
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
    this.#advanceTo(Math.min(...this.#planned.map((task) => task.at)))
    return true
  }

  #advanceTo(at: number): void {
    this.#now = Math.max(this.#now, at)
    const due = this.#planned.filter((task) => task.at <= this.#now).sort((a, b) => a.at - b.at || a.id - b.id)
    if (due.length === 0) return
    this.#planned = this.#planned.filter((task) => task.at > this.#now)
    this.#ready.push(...due)
  }
}
