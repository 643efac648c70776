import type { SchedulePlan } from './CasePlan.js'

/** A tick that was emitted. */
export interface ModelTick {
  readonly source: string
  readonly at: number
}

/** The ticks that have been emitted, and what has to be emitted again because its epoch was aborted (P1). */
export class TickModel {
  readonly #done: ModelTick[]
  readonly #again: ModelTick[]

  /**
   * @param done ticks of epochs that are durable
   * @param again those that were not, in order: they come again, under every policy
   */
  constructor(done: readonly ModelTick[] = [], again: readonly ModelTick[] = []) {
    this.#done = [...done]
    this.#again = [...again]
  }

  get done(): readonly ModelTick[] {
    return this.#done
  }

  /** What the next incarnation in place has to emit again, where so much of it all is durable. */
  againAfter(durable: readonly ModelTick[]): readonly ModelTick[] {
    const isDurable = ({ source, at }: ModelTick) => durable.some((tick) => tick.source === source && tick.at === at)
    return [...this.#done, ...this.#again].filter((tick) => !isDurable(tick))
  }

  /** Notes a tick. @returns what is wrong with it, in words */
  emit(tick: ModelTick, everyMs: number, missed: string): string | undefined {
    const { source, at } = tick
    const last = this.#done.findLast((other) => other.source === source)?.at
    const again = this.#again.findIndex((other) => other.source === source)
    const wanted = this.#again[again]?.at
    if (again >= 0) this.#again.splice(again, 1)
    this.#done.push(tick)
    if (wanted !== undefined && wanted !== at) return `ticks at ${at}, and has to do that of ${wanted} again`
    if (at % everyMs !== 0) return `ticks at ${at}, which is no multiple of ${everyMs}`
    if (last !== undefined && at <= last) return `ticks at ${at} after ${last}`
    if (missed === 'all' && last !== undefined && at !== last + everyMs) return `leaves out ticks from ${last} to ${at}`
    return undefined
  }
}

/** Keys of the records that a tick makes. */
export function keysAt({ keys, untilMs }: SchedulePlan, at: number): readonly string[] {
  return at > untilMs ? [] : keys
}

/** The value of a tick's record: the number of its entry stands behind the "@". */
export function tickValue(at: number, number: number, entry: number): string {
  return `t${at}.${number}@${entry}`
}
