import type { CompiledTopology } from '../../topology/CompiledTopology.js'
import { ScheduleState } from '../../topology/schedule/ScheduleState.js'

/** The last scheduled time that is done, by scheduled source, in ms. */
export type TickPositions = { readonly [source: string]: number }

/**
 * Where all scheduled sources of a run stand (P1). It outlives incarnations: the ticks of an epoch that is discarded
 * are handed out again, under every policy, while a start of the process goes by the policy for missed ones.
 */
export class Schedules {
  readonly #states = new Map<string, ScheduleState>()

  constructor(private readonly compiled: CompiledTopology) {}

  /**
   * An incarnation begins. The first one goes on from what the last run committed, a later one from what this run did.
   *
   * @param committed the positions of the last epoch record; a source that is not in it begins now
   * @param now wall-clock ms
   */
  open(committed: TickPositions | undefined, now: number): void {
    for (const { name, source } of this.compiled.nodes) {
      const schedule = source?.schedule
      if (schedule === undefined) continue
      const known = this.#states.get(name)
      if (known !== undefined) known.abort()
      else this.#states.set(name, new ScheduleState(schedule.schedule, schedule.missed, committed?.[name], now))
    }
  }

  /** When the next tick of all is due, perhaps a time past; undefined when there is none to come. */
  get due(): number | undefined {
    return this.next(() => true)?.at
  }

  /** The source whose tick is due first among those that `may`, and when; undefined when none will tick. */
  next(may: (source: string) => boolean): { readonly source: string; readonly at: number } | undefined {
    let first: { readonly source: string; readonly at: number } | undefined
    for (const [source, { due: at }] of this.#states) {
      if (at === undefined || (first !== undefined && at >= first.at) || !may(source)) continue
      first = { source, at }
    }
    return first
  }

  /** Where each stands, for a snapshot. */
  inspect(): readonly { readonly source: string; readonly position: number; readonly nextAt: number | null }[] {
    return [...this.#states].map(([source, { position, due }]) => ({ source, position, nextAt: due ?? null }))
  }

  /** Hands out the next tick of a source whose scheduled time is ≤ `now`. @returns that time */
  take(source: string, now: number): number | undefined {
    return this.#states.get(source)?.take(now)
  }

  /** As of a cut: every tick that was handed out is done by then (E8). */
  positions(): TickPositions {
    return Object.fromEntries([...this.#states].map(([source, state]) => [source, state.position]))
  }

  /** An epoch is known to be committed. @param positions what `positions` gave at its cut */
  commit(positions: TickPositions): void {
    for (const [source, state] of this.#states) {
      const position = positions[source]
      if (position !== undefined) state.commit(position)
    }
  }
}
