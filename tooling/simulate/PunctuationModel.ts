import type { PunctuatorPlan } from './CasePlan.js'

/** A schedule, as a processor has planned it. */
interface Planned {
  readonly plan: PunctuatorPlan
  /** The earliest stream time at which it is due. */
  next: number
}

/** When the schedules of processors ought to be called (W5). Of one incarnation: they are no state. */
export class PunctuationModel {
  readonly #planned = new Map<string, Planned>()

  plan(node: string, lane: number, plan: PunctuatorPlan): void {
    const id = idOf(node, lane, plan)
    // A whole node has one schedule, however many instances plan it.
    if (!this.#planned.has(id)) this.#planned.set(id, { plan, next: 0 })
  }

  /** @param clock the event clock of the node. @returns what is wrong with the call, in words */
  call(node: string, lane: number, plan: PunctuatorPlan, at: number, clock: number): string | undefined {
    const id = idOf(node, lane, plan)
    const planned = this.#planned.get(id)
    if (planned === undefined) return `${id} is called, and was cancelled or never planned`
    if (plan.type === 'wall-clock-time') return undefined
    const due = planned.next
    planned.next = at - (at % plan.everyMs) + plan.everyMs
    if (at < due) return `${id} is called at ${at}, before it is due at ${due}`
    return at > clock ? `${id} is called with ${at}, and the clock is ${clock}` : undefined
  }

  cancel(node: string, lane: number, plan: PunctuatorPlan): void {
    this.#planned.delete(idOf(node, lane, plan))
  }

  /** Those of a node that should have been called at this event clock. */
  due(node: string, clock: number): readonly string[] {
    return [...this.#planned]
      .filter(([id, { plan, next }]) => id.split(' ')[0] === node && plan.type === 'stream-time' && next <= clock)
      .map(([id, { next }]) => `${id}, due at ${next}`)
  }
}

function idOf(node: string, lane: number, { type, scope }: PunctuatorPlan): string {
  return `${node} ${type} ${scope === 'node' ? 'all lanes' : `lane ${lane}`}`
}
