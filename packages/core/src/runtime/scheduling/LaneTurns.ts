import { RingQueue } from '../../lanes/RingQueue.js'
import type { Clock } from '../../time/Clock.js'
import type { WorkItem } from '../nodes/WorkItem.js'
import { Budget } from './Budget.js'
import type { Lane } from './Lane.js'

/** Gives the lanes that have something to do their turns, one after the other, until this macrotask has lasted long enough. */
export class LaneTurns {
  readonly budget: Budget
  /** A lane is at work: whatever has something to do meanwhile has its turn after it, never within it. */
  underWay = false
  readonly #ready = new RingQueue<Lane>()
  /** No lane runs before the next macrotask (L12). */
  #resting = false

  /** @param onDone the lanes have had their turns, or rest */
  constructor(
    private readonly clock: Clock,
    private readonly onDone: () => void,
  ) {
    this.budget = new Budget(clock)
  }

  /** Whether no lane waits for its turn. */
  get isEmpty(): boolean {
    return this.#ready.length === 0
  }

  ready(lane: Lane): void {
    this.#ready.push(lane)
    this.take()
  }

  /** Runs an idle lane with this item, and then what has become ready by it. @returns whether it has run to its end */
  takeWith(lane: Lane, item: WorkItem): boolean {
    this.underWay = true
    let done: boolean
    try {
      done = lane.runAtOnce(item)
    } finally {
      this.underWay = false
    }
    this.take()
    return done
  }

  take(): void {
    if (this.underWay || this.#resting) return
    this.underWay = true
    try {
      while (!this.#resting) {
        const lane = this.#ready.shift()
        if (lane === undefined) break
        lane.work()
      }
    } finally {
      this.underWay = false
    }
    this.onDone()
  }

  /** All lanes wait with this one, which is served last then: one macrotask after the other would be one each (L12). */
  defer(lane: Lane): void {
    const resting = this.#resting
    this.#resting = true
    lane.makeReady()
    if (resting) return
    // Nobody awaits the lanes' next turn: what goes wrong in it arrives at `failed`.
    void this.clock.yield().then(() => {
      this.#resting = false
      this.budget.begin()
      this.take()
    })
  }
}
