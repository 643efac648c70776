import type {
  CallbackContext,
  Cancellable,
  KeyValueStore,
  Processor,
  ProcessorContext,
  Record,
  Timer,
} from '@lanescope/core'
import { double, Stores, string } from '@lanescope/core'
import type { ProcessorPlan, PunctuatorPlan, TimerPlan } from './CasePlan.js'
import type { Probe } from './Probe.js'

type Ctx = CallbackContext<string, string, string>

/** What a plan calls for, done; every call is told to the probe. */
export class PlannedProcessor implements Processor<string | null, string> {
  #lane = -1
  #records = 0
  #punctuated = 0

  constructor(
    private readonly plan: ProcessorPlan,
    private readonly watcher: Probe | undefined,
  ) {}

  private get probe(): Probe {
    if (this.watcher === undefined) throw new RangeError(`${this.plan.name} runs before its engine has started`)
    return this.watcher
  }

  init(context: ProcessorContext): void {
    this.#lane = context.lane
    const { punctuator } = this.plan
    if (punctuator !== undefined) this.#schedule(punctuator, context)
  }

  process(record: Record<string | null, string>, ctx: Ctx): void | Promise<void> {
    const { key, value } = record
    this.probe.recordStarted(this.plan.name, this.#lane, key, value, ctx)
    this.#records++
    // A timer belongs to a key.
    if (this.plan.timers !== undefined && key !== null) this.#plan(this.plan.timers, key, record.timestamp, ctx)
    return this.#work(key, value, ctx)
  }

  onTimer(timer: Timer<string>, ctx: Ctx): void | Promise<void> {
    const plan = this.plan.timers as TimerPlan
    const { key, at, domain, name } = timer
    this.probe.timerStarted({ node: this.plan.name, domain, key, at, name }, this.#lane, ctx)
    this.#rearm(plan, timer, ctx)
    return this.#work(key, plan.forwards ? this.probe.nextValue(this.plan.name) : undefined, ctx)
  }

  #schedule(plan: PunctuatorPlan, context: ProcessorContext): void {
    const { everyMs, type, scope } = plan
    this.watcher?.punctuations.plan(this.plan.name, this.#lane, plan)
    const planned = context.schedule(everyMs, type, (at, ctx) => this.#punctuate(plan, planned, at, ctx), { scope })
  }

  #punctuate(plan: PunctuatorPlan, planned: Cancellable, at: number, ctx: Ctx): void | Promise<void> {
    this.probe.punctuated(this.plan.name, this.#lane, plan, at, ctx)
    if (++this.#punctuated === plan.times) {
      planned.cancel()
      this.probe.punctuations.cancel(this.plan.name, this.#lane, plan)
    }
    return this.#work(null, this.probe.nextValue(this.plan.name), ctx)
  }

  /** Counts, waits and forwards; a promise only when the plan has waits. */
  #work(key: string | null, value: string | undefined, ctx: Ctx): void | Promise<void> {
    if (this.plan.waits > 0) return this.#workAsync(key, value, ctx)
    if (this.plan.store !== undefined && key !== null) this.#write(key, this.#read(key, ctx), ctx)
    const pending = this.#forward(key, value, ctx)
    const done = () => this.probe.settled(this.plan.name, this.#lane, key)
    if (pending === undefined) done()
    else return pending.then(done)
  }

  async #workAsync(key: string | null, value: string | undefined, ctx: Ctx): Promise<void> {
    const before = this.plan.store === undefined || key === null ? 0 : this.#read(key, ctx)
    for (let wait = 0; wait < this.plan.waits; wait++) await this.#wait(ctx)
    if (this.plan.store !== undefined && key !== null) this.#write(key, before, ctx)
    const pending = this.#forward(key, value, ctx)
    if (this.plan.awaitsForward) await pending
    await this.#wait(ctx)
    this.probe.settled(this.plan.name, this.#lane, key)
  }

  async #wait(ctx: Ctx): Promise<void> {
    const { waitMs } = this.plan
    if (waitMs === 0) await ctx.call('nothing', () => undefined)
    else await ctx.sleep(Math.floor(ctx.random() * (waitMs + 1)))
  }

  #read(key: string, ctx: Ctx): number {
    return this.#store(ctx).get(key) ?? 0
  }

  #write(key: string, before: number, ctx: Ctx): void {
    this.#store(ctx).put(key, before + 1)
    this.probe.count(this.plan.store as string, key)
  }

  #store(ctx: Ctx): KeyValueStore<string, number> {
    return ctx.store(Stores.keyValue(this.plan.store as string, string, double))
  }

  #forward(key: string | null, value: string | undefined, ctx: Ctx): void | Promise<void> {
    if (value === undefined) return undefined
    let pending: Promise<void> | undefined
    for (let copy = 0; copy < this.plan.copies; copy++) {
      const next = `${value}/${this.plan.name}.${copy}`
      const settling = ctx.forward({ key: keyOf(this.plan, key, next) as string, value: next })
      if (settling !== undefined) pending = settling
    }
    return pending
  }

  #plan(plan: TimerPlan, key: string, timestamp: number, ctx: Ctx): void {
    const base = plan.domain === 'event-time' ? timestamp : ctx.now
    const other = plan.otherKeyEvery > 0 && this.#records % plan.otherKeyEvery === 0
    const target = other ? `${key}x` : key
    const at = Math.max(0, base + plan.delayMs)
    this.#register({ key: target, at, domain: plan.domain, ...(plan.named ? { name: 'n0' } : {}) }, ctx)
    if (plan.deleteEvery === 0 || this.#records % plan.deleteEvery !== 0) return
    const doomed = {
      key: target,
      at: at - (plan.named ? 0 : 1),
      domain: plan.domain,
      ...(plan.named ? { name: 'n0' } : {}),
    }
    this.probe.timers.delete({ node: this.plan.name, name: undefined, ...doomed })
    ctx.timers.delete(doomed)
  }

  /** A chain of timers: each arms the next, named after how many are left. */
  #rearm(plan: TimerPlan, { key, at, name }: Timer<string>, ctx: Ctx): void {
    const step = name === undefined ? 0 : Number(name.slice(1))
    if (step >= plan.rearm) return
    const next = Math.max(0, at + plan.delayMs)
    this.#register({ key, at: next, domain: plan.domain, name: `n${step + 1}` }, ctx)
  }

  #register(
    timer: { readonly key: string; readonly at: number; readonly domain: TimerPlan['domain']; readonly name?: string },
    ctx: Ctx,
  ): void {
    this.probe.timers.register({ node: this.plan.name, name: undefined, ...timer })
    ctx.timers.register(timer)
  }
}

/** The key of what a processor forwards, from the value alone, so that every run agrees. */
export function keyOf(plan: ProcessorPlan, key: string | null, value: string): string | null {
  return plan.rekey === undefined ? key : rekeyed(value, plan.rekey)
}

/** One of so many keys, from the value alone. */
export function rekeyed(value: string, keys: number): string {
  let hash = 7
  for (let i = 0; i < value.length; i++) hash = (Math.imul(hash, 31) + value.charCodeAt(i)) >>> 0
  return `r${hash % keys}`
}
