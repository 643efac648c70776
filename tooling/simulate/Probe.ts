import type { CallbackContext } from '@lanescope/core'
import type { TraceEntry } from '@lanescope/core/simulation'
import { entriesOf, type PunctuatorPlan, type SchedulePlan } from './CasePlan.js'
import { PunctuationModel } from './PunctuationModel.js'
import { parentOf, type Shape } from './Shape.js'
import { type ModelTick, TickModel } from './TickModel.js'
import { compareModelTimers, type ModelTimer, TimerModel } from './TimerModel.js'

type Ctx = CallbackContext<string, string, string>

/** A rule that a run has broken, in words. */
export interface Breach {
  readonly rule: string
  readonly what: string
}

/** What an epoch leaves behind: where a new incarnation begins (E2, T8). */
export interface Checkpoint {
  readonly timers: TimerModel
  readonly counted: ReadonlyMap<string, number>
  /** Event clocks, by node. */
  readonly clocks: ReadonlyMap<string, number>
  readonly made: readonly { readonly node: string; readonly value: string }[]
  readonly ticks: readonly ModelTick[]
}

const LISTED = 5

/** Watches one incarnation from inside the user code of its topology, and holds what it sees against the rules. */
export class Probe {
  readonly breaches: Breach[] = []
  /** Values that timers and punctuators forwarded, by node. */
  readonly made: { readonly node: string; readonly value: string }[]
  readonly timers: TimerModel
  readonly ticks: TickModel
  readonly punctuations = new PunctuationModel()
  /** Calls that counted themselves, by store and key. */
  readonly counted: Map<string, number>
  /** The greatest event clock that each node has seen: none goes back, over restarts neither (W6). */
  readonly clocks: Map<string, number>
  hasWorked = false
  /** Its incarnation has ended: nothing may change any more. */
  #isOver = false
  readonly #inFlight = new Map<string, string>()
  /** What is at work, by node and lane. */
  readonly #atWork = new Map<string, string>()
  /** Values in the order in which callbacks began, by edge, lane of origin and lane. */
  readonly #arrived = new Map<string, string[]>()
  readonly #crossed = new Map<string, string[]>()
  readonly #dispatched = new Map<string, string[]>()
  readonly #entered = new Map<string, string[]>()
  readonly #written = new Map<string, string[]>()
  readonly #laneOfCrossing = new Map<string, number>()
  #forwarding: string | undefined
  #value = 0

  /**
   * @param incarnation makes values of its timers unlike those of others
   * @param again ticks that it has to emit again
   */
  constructor(
    private readonly shape: Shape,
    from: Checkpoint | undefined,
    private readonly incarnation: number,
    again: readonly ModelTick[] = [],
  ) {
    this.timers = from?.timers.copy() ?? new TimerModel()
    this.counted = new Map(from?.counted)
    this.clocks = new Map(from?.clocks)
    this.made = [...(from?.made ?? [])]
    this.ticks = new TickModel(from?.ticks, again)
  }

  checkpoint(): Checkpoint {
    return {
      timers: this.timers.copy(),
      counted: new Map(this.counted),
      clocks: new Map(this.clocks),
      made: [...this.made],
      ticks: [...this.ticks.done],
    }
  }

  /** Its incarnation is over; what its callbacks still try has to fail (E7). */
  end(): void {
    this.#isOver = true
  }

  breach(rule: string, what: string): void {
    if (this.breaches.length < LISTED) this.breaches.push({ rule, what })
  }

  /** A value for what a node makes by itself. */
  nextValue(node: string): string {
    const value = `T${this.incarnation}-${this.#value++}`
    this.made.push({ node, value })
    return value
  }

  recordStarted(node: string, lane: number, key: string | null, value: string, ctx: Ctx): void {
    const parent = parentOf(value, entriesOf(this.shape.plan))
    this.#started(node, lane, key, value, ctx)
    if (this.shape.isBoundary(parent, node)) this.#arrivedBehindBoundary(parent, node, lane, value)
    // What ticks make is dispatched without a word; null keys have no order.
    if (!value.includes('/') && key !== null && !this.shape.isSchedule(parent)) {
      push(this.#entered, `${parent} ${node} ${key}`, value)
    }
    if (this.shape.opensItem(parent, node)) this.#checkNoneDue(node, lane, value, ctx)
  }

  timerStarted(timer: ModelTimer, lane: number, ctx: Ctx): void {
    const { node, at, domain } = timer
    const text = timerText(timer)
    this.#started(node, lane, timer.key, text, ctx)
    const clock = clockOf(domain, ctx)
    if (clock < at) this.breach('T5', `${text} fired early, at ${clock}`)
    if (!this.timers.fire(timer)) {
      this.breach('T6', `${text} fired though it was not pending: deleted, replaced, or fired before`)
    }
    const before = this.timers
      .pending(node)
      .filter((other) => other.domain === domain && this.shape.laneOf(node, other.key) === lane)
      .find((other) => compareModelTimers(other, timer) < 0)
    if (before !== undefined) this.breach('T5', `${text} fired before ${timerText(before)} on lane ${lane}`)
  }

  ticked({ name, everyMs, missed }: SchedulePlan, at: number): void {
    this.hasWorked = true
    const wrong = this.ticks.emit({ source: name, at }, everyMs, missed)
    if (wrong !== undefined) this.breach('P1', `${name} ${wrong}`)
  }

  punctuated(node: string, lane: number, plan: PunctuatorPlan, at: number, ctx: Ctx): void {
    const what = `${plan.type} punctuation at ${at}`
    this.#started(node, lane, null, what, ctx)
    const wrong = this.punctuations.call(node, lane, plan, at, ctx.eventTime)
    if (wrong !== undefined) this.breach('W5', wrong)
    if (plan.scope === 'lane') return
    for (const [place, other] of this.#atWork) {
      if (place.split(' ')[0] === node && other !== what) {
        this.breach('W5', `${what} of the whole node began at ${node} while ${other} was at work at ${place}`)
      }
    }
  }

  settled(node: string, lane: number, key: string | null): void {
    this.#atWork.delete(`${node} ${lane}`)
    if (this.shape.isKeyed(node) && key !== null) this.#inFlight.delete(`${node} ${key}`)
  }

  count(store: string, key: string): void {
    if (this.#isOver) this.breach('E7', `${store} was written for ${key} after its incarnation had ended`)
    const id = `${store} ${key}`
    this.counted.set(id, (this.counted.get(id) ?? 0) + 1)
  }

  /** Follows what the engine tells of itself, for the order of crossings and dispatches. */
  onTrace(entry: TraceEntry): void {
    if (entry.what !== 'event') return
    const { event } = entry
    if (event.type === 'record-dispatched') {
      push(
        this.#dispatched,
        `${event.source} ${event.key}`,
        `${event.coordinates.topic}-${event.coordinates.partition}@${event.coordinates.offset}`,
      )
    } else if (event.type === 'record-forwarded') {
      this.#forwarding = event.value as string
      if (event.to.startsWith('sink-')) push(this.#written, event.to, event.value as string)
    } else if (event.type === 'boundary-crossed' && this.#forwarding !== undefined && this.shape.isWatched(event.to)) {
      push(this.#crossed, `${event.from} ${event.to} ${event.fromLane} ${event.toLane}`, this.#forwarding)
      this.#laneOfCrossing.set(`${event.from} ${event.to} ${this.#forwarding}`, event.fromLane)
    }
  }

  /** What has to hold once everything is done. */
  finish(offsets: ReadonlyMap<string, string>): void {
    for (const [edge, crossed] of this.#crossed) {
      const arrived = this.#arrived.get(edge) ?? []
      this.#same('L11', `across ${edge}`, crossed, arrived)
    }
    for (const [edge, entered] of this.#entered) {
      const [source, , key] = edge.split(' ')
      const read = (this.#dispatched.get(`${source} ${key}`) ?? []).map((place) => offsets.get(place) ?? place)
      this.#same('L1', `records of key ${key}, ${edge}`, read, entered)
    }
    for (const [id, value] of this.#inFlight) this.breach('L1', `${value} never settled at ${id}`)
  }

  /** Values handed to a sink, in order. */
  written(sink: string): readonly string[] {
    return this.#written.get(sink) ?? []
  }

  #started(node: string, lane: number, key: string | null, what: string, ctx: Ctx): void {
    this.hasWorked = true
    this.#checkClock(node, ctx.eventTime, what)
    const busy = this.#atWork.get(`${node} ${lane}`)
    if (busy !== undefined) this.breach('L1', `${what} began at ${node} on lane ${lane} while ${busy} was at work`)
    this.#atWork.set(`${node} ${lane}`, what)
    if (!this.shape.isKeyed(node) || key === null) return
    const id = `${node} ${key}`
    const other = this.#inFlight.get(id)
    if (other !== undefined) this.breach('L1', `${what} began at ${id} while ${other} was at work`)
    this.#inFlight.set(id, what)
    const expected = this.shape.laneOf(node, key)
    if (lane !== expected) this.breach('L2', `${what} of key ${key} runs at ${node} on lane ${lane}, not ${expected}`)
  }

  #checkClock(node: string, clock: number, what: string): void {
    const before = this.clocks.get(node) ?? -1
    if (clock < before) this.breach('W6', `the event clock of ${node} went back from ${before} to ${clock}, at ${what}`)
    this.clocks.set(node, Math.max(before, clock))
  }

  #arrivedBehindBoundary(from: string, to: string, lane: number, value: string): void {
    const fromLane = this.#laneOfCrossing.get(`${from} ${to} ${value}`)
    push(this.#arrived, `${from} ${to} ${fromLane} ${lane}`, value)
  }

  /** All timers that are due fire before the lane's next record (T5). */
  #checkNoneDue(node: string, lane: number, value: string, ctx: Ctx): void {
    const due = this.timers
      .pending(node)
      .find((timer) => this.shape.laneOf(node, timer.key) === lane && timer.at <= clockOf(timer.domain, ctx))
    if (due !== undefined) {
      this.breach('T5', `${value} began at ${node} on lane ${lane} before ${timerText(due)}, which was due`)
    }
  }

  #same(rule: string, where: string, expected: readonly string[], got: readonly string[]): void {
    const at = expected.findIndex((value, index) => got[index] !== value)
    if (at < 0 && got.length === expected.length) return
    const index = at < 0 ? expected.length : at
    this.breach(rule, `${where}: number ${index} is ${got[index] ?? 'missing'}, not ${expected[index] ?? 'the end'}`)
  }
}

export function timerText({ node, domain, key, at, name }: ModelTimer): string {
  return `${domain} timer of ${key}${name === undefined ? '' : ` "${name}"`} at ${at} (${node})`
}

function clockOf(domain: string, ctx: Ctx): number {
  return domain === 'event-time' ? ctx.eventTime : ctx.now
}

function push(map: Map<string, string[]>, key: string, value: string): void {
  const list = map.get(key)
  if (list) list.push(value)
  else map.set(key, [value])
}
