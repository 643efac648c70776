import type { MissedTicks, Schedule } from './Schedule.js'
import { type Ticks, ticksOf } from './Ticks.js'

/**
 * Where a scheduled source stands in its schedule. Ticks are state (P1): the epoch record holds `position` as of the
 * cut, a start goes on from there, an abort hands the same ticks out again.
 *
 * A tick that falls due while the engine runs is emitted under every policy. Of several that are due at once, because
 * the process was stopped, slept or was busy, `one` and `skip` leave out all but the latest; at a start `skip` leaves
 * out that one too.
 */
export class ScheduleState {
  readonly #ticks: Ticks
  /** Handed out and not committed, in order. */
  #open: number[] = []
  /** Aborted, to be handed out again, in order. */
  #again: number[] = []
  #committed: number
  #position: number
  /** The first tick that was never handed out. */
  #next: number | undefined

  /**
   * @param committed the position of the last committed epoch; undefined at the very first start, where the schedule
   *   begins: its first tick is later than `now`
   * @param now the wall clock
   */
  constructor(
    schedule: Schedule,
    private readonly missed: MissedTicks,
    committed: number | undefined,
    now: number,
  ) {
    this.#ticks = ticksOf(schedule)
    const skips = committed !== undefined && missed === 'skip' && now > committed
    this.#position = committed === undefined || skips ? now : committed
    this.#committed = this.#position
    this.#next = this.#ticks.next(this.#position)
  }

  /**
   * All ticks up to here are done, of all epochs that are alive: for the epoch record, as of the cut. It is the last
   * tick that was handed out, or the time of the start.
   */
  get position(): number {
    return this.#position
  }

  /** When to call `take` next, perhaps a time past; undefined when the schedule is over. */
  get due(): number | undefined {
    return this.#again[0] ?? this.#next
  }

  /**
   * Hands out the next tick whose scheduled time is ≤ `now`.
   *
   * @returns its scheduled time, which is its identity; undefined when none is due
   */
  take(now: number): number | undefined {
    const again = this.#again.shift()
    if (again !== undefined) return this.#hand(again)
    const next = this.#next
    if (next === undefined || next > now) return undefined
    const tick = this.missed === 'all' ? next : (this.#ticks.latest(next, now) ?? next)
    this.#next = this.#ticks.next(tick)
    return this.#hand(tick)
  }

  /** An epoch is committed. @param position what `position` was when it was cut */
  commit(position: number): void {
    this.#committed = position
    this.#open = this.#open.filter((tick) => tick > position)
  }

  /** Every epoch that is not committed is undone: its ticks will be handed out again, under every policy. */
  abort(): void {
    this.#again = [...this.#open, ...this.#again]
    this.#open = []
    this.#position = this.#committed
  }

  #hand(tick: number): number {
    this.#open.push(tick)
    this.#position = tick
    return tick
  }
}
