import { SeededRandom } from '@lanescope/core'
import {
  type CasePlan,
  type CountPlan,
  type FaultPlan,
  type InputPlan,
  isWithoutState,
  type ProcessorPlan,
  type PunctuatorPlan,
  type SchedulePlan,
  type SourcePlan,
  type TimerPlan,
} from './CasePlan.js'
import { DISORDER_MS } from './judgeCounts.js'

/** Draws of one case, from its seed. */
class Dice {
  readonly #random: SeededRandom

  constructor(seed: number) {
    this.#random = new SeededRandom(seed)
    // Neighbouring seeds begin alike.
    for (let i = 0; i < 4; i++) this.#random.next()
  }

  /** An integer in [from, to]. */
  int(from: number, to: number): number {
    return from + Math.floor(this.#random.next() * (to - from + 1))
  }

  chance(probability: number): boolean {
    return this.#random.next() < probability
  }

  one<T>(options: readonly T[]): T {
    return options[this.int(0, options.length - 1)] as T
  }
}

export interface PlanOptions {
  /**
   * What may interrupt cases whose outcome hangs on state. `nothing`; `faults`: what an engine mends by a restart in
   * place; `crashes`: the death of its process, too, which only state on a disk outlives.
   */
  readonly stateful: 'nothing' | 'faults' | 'crashes'
}

/** Callbacks, at most about so many in a case. */
const LONGEST_CASE = 800

/** The case of a seed. */
export function randomPlan(seed: number, options: PlanOptions): CasePlan {
  const dice = new Dice(seed)
  const sources = Array.from({ length: dice.one([1, 1, 2]) }, (_, index) => source(index, dice))
  const schedules = dice.chance(0.2) ? [schedule(dice)] : []
  const processors: ProcessorPlan[] = []
  const timeless = dice.chance(0.35)
  const entries = [...sources, ...schedules].map(({ name }) => name)
  if (dice.chance(0.15)) processors.push(...chain(entries, timeless, dice))
  const count = dice.int(processors.length > 0 ? 0 : 1, 6 - processors.length)
  for (let left = count; left > 0; left--) {
    processors.push(processor(processors.length, entries, processors, timeless, dice))
  }
  const generated = inputs(sources, dice)
  const counted = counts(sources, dice)
  const plan: CasePlan = {
    seed,
    sources,
    processors: withEnds(tamed(processors, generated.length)),
    schedules: schedules.map((each) => ({ ...each, untilMs: latest(generated) + 1_500 })),
    counts: counted,
    inputs: generated,
    config: config(
      schedules.length > 0,
      counted.some(({ window }) => window !== undefined),
      dice,
    ),
    faults: faults(schedules.length > 0, dice),
  }
  if (!dice.chance(0.5)) return plan
  const { crashes, ...mendable } = interruptions(dice)
  if (options.stateful === 'nothing' && !isWithoutState(plan)) return plan
  const mayCrash = options.stateful !== 'faults' && crashes !== undefined
  // What dies with a process could not be told from what it forgot.
  const unlogged = options.stateful === 'faults' && dice.chance(0.4)
  return {
    ...plan,
    faults: { ...plan.faults, ...mendable, ...(mayCrash ? { crashes } : {}) },
    ...(unlogged ? { unlogged } : {}),
  }
}

function source(index: number, dice: Dice): SourcePlan {
  return {
    name: `source${index}`,
    topic: `in${index}`,
    partitions: dice.int(1, 3),
    ...(dice.chance(0.3) ? { lanes: dice.int(1, 5) } : {}),
  }
}

function schedule(dice: Dice): SchedulePlan {
  return {
    name: 'ticks',
    everyMs: dice.one([200, 250]),
    missed: dice.one(['one', 'all', 'skip']),
    keys: Array.from({ length: dice.int(0, 3) }, (_, index) => `k${index}`),
    untilMs: 0,
  }
}

function latest(inputs: readonly InputPlan[]): number {
  return Math.max(...inputs.map(({ timestamp }) => timestamp))
}

function counts(sources: readonly SourcePlan[], dice: Dice): CountPlan[] {
  if (!dice.chance(0.3)) return []
  return Array.from({ length: dice.int(1, 2) }, (_, index) => ({
    name: `count${index}`,
    source: dice.one(sources).name,
    ...(dice.chance(0.5) ? { waitMs: dice.one([0, 1, 20]) } : {}),
    ...(dice.chance(0.5) ? { rekey: dice.int(1, 4) } : {}),
    ...(dice.chance(0.7) ? { window: { sizeMs: dice.one([5, 20, 100]), graceMs: dice.one([0, 0, 10, 30]) } } : {}),
  }))
}

/** Boundaries in a row: each re-keys what the next one counts. */
function chain(entries: readonly string[], timeless: boolean, dice: Dice): ProcessorPlan[] {
  const links: ProcessorPlan[] = []
  for (let left = dice.int(3, 4); left > 0; left--) {
    const made = processor(links.length, entries, links, timeless, dice)
    links.push({
      ...made,
      parents: [links.at(-1)?.name ?? dice.one(entries)],
      rekey: dice.int(2, 4),
      sameKey: false,
      copies: dice.one([1, 1, 2]),
      store: `store${links.length}`,
    })
  }
  return links
}

function processor(
  index: number,
  entries: readonly string[],
  before: readonly ProcessorPlan[],
  timeless: boolean,
  dice: Dice,
): ProcessorPlan {
  const all = [...entries, ...before.map(({ name }) => name)]
  // A chain as often as not; else anything that is there may be a parent.
  const first = before.length > 0 && dice.chance(0.5) ? (before.at(-1) as ProcessorPlan).name : dice.one(all)
  const second = dice.chance(0.25) ? dice.one(all) : first
  const rekey = dice.chance(0.35)
  const waits = dice.one([0, 0, 1, 1, 2])
  return {
    name: `p${index}`,
    parents: [...new Set([first, second])],
    ...(rekey ? { rekey: dice.int(1, 4) } : {}),
    sameKey: !rekey && dice.chance(0.4),
    waits,
    waitMs: dice.one([0, 1, 3, 10]),
    copies: dice.one([1, 1, 1, 1, 2, 0]),
    awaitsForward: dice.chance(0.6),
    ...(dice.chance(0.4) ? { store: dice.chance(0.15) ? 'shared' : `store${index}` } : {}),
    ...(!timeless && dice.chance(0.4) ? { timers: timers(dice) } : {}),
    ...(!timeless && dice.chance(0.15) ? { punctuator: punctuator(dice) } : {}),
    sink: dice.chance(0.3),
  }
}

function timers(dice: Dice): TimerPlan {
  return {
    domain: dice.one(['event-time', 'event-time', 'processing-time']),
    named: dice.chance(0.5),
    otherKeyEvery: dice.one([0, 0, 1, 3]),
    delayMs: dice.one([-5, 0, 1, 5, 20]),
    deleteEvery: dice.one([0, 0, 2, 4]),
    rearm: dice.one([0, 0, 1, 3]),
    forwards: dice.chance(0.6),
  }
}

function punctuator(dice: Dice): PunctuatorPlan {
  return {
    type: dice.one(['stream-time', 'wall-clock-time']),
    everyMs: dice.one([1, 5, 20, 100]),
    scope: dice.one(['lane', 'lane', 'node']),
    times: dice.int(1, 4),
  }
}

/** Copies and timers multiply along a path: a case that would take too long does without. */
function tamed(processors: readonly ProcessorPlan[], inputs: number): readonly ProcessorPlan[] {
  const made = new Map<string, number>()
  let calls = 0
  for (const { name, parents, copies, timers } of processors) {
    const records = parents.reduce((sum, parent) => sum + (made.get(parent) ?? inputs), 0)
    const fired = timers === undefined ? 0 : records * (1 + timers.rearm)
    calls += records + fired
    made.set(name, copies * (records + (timers?.forwards ? fired : 0)))
  }
  if (calls <= LONGEST_CASE) return processors
  return processors.map(({ timers, ...rest }) => ({
    ...rest,
    copies: Math.min(1, rest.copies),
    ...(timers === undefined ? {} : { timers: { ...timers, rearm: Math.min(1, timers.rearm), forwards: false } }),
  }))
}

/** What nobody reads gets a sink, so that its output can be judged. */
function withEnds(processors: readonly ProcessorPlan[]): ProcessorPlan[] {
  const read = new Set(processors.flatMap(({ parents }) => parents))
  return processors.map((each) => (each.sink || read.has(each.name) ? each : { ...each, sink: true }))
}

function inputs(sources: readonly SourcePlan[], dice: Dice): InputPlan[] {
  const count = dice.int(1, 30)
  const keys = dice.int(1, 5)
  const nulls = dice.one([0, 0, 0, 0.2])
  const spread = dice.one([0, 0, 40, 200])
  let time = 1_000
  let arrival = 0
  return Array.from({ length: count }, () => {
    const { topic, partitions } = dice.one(sources)
    time += dice.int(0, 12)
    if (dice.chance(spread > 0 ? 0.5 : 0)) arrival += dice.int(0, Math.ceil((2 * spread) / count))
    return {
      topic,
      partition: dice.int(0, partitions - 1),
      key: dice.chance(nulls) ? null : `k${dice.int(0, keys - 1)}`,
      timestamp: Math.max(0, time - (dice.chance(0.2) ? dice.int(0, DISORDER_MS) : 0)),
      arrivesAtMs: arrival,
    }
  })
}

function config(ticking: boolean, windowed: boolean, dice: Dice): { readonly [key: string]: unknown } {
  return {
    'default.key.serde': 'string',
    'default.value.serde': 'string',
    'lanes.count': dice.one([1, 2, 2, 3, 4, 8]),
    'lanes.queue-capacity': dice.one([1, 1, 2, 5, 300]),
    // By stream time a put of one lane moves the retention of all.
    'time.mode': dice.one(
      windowed ? ['watermark', 'stream-time', 'stream-time'] : ['watermark', 'watermark', 'stream-time'],
    ),
    'time.watermark-interval-ms': dice.one([3, 10, 30]),
    'time.max-out-of-orderness-ms': dice.one([0, 5]),
    'time.idle-after-ms': 40,
    'commit.interval.ms': dice.one(ticking ? [1, 5, 20] : [1, 5, 20, 100]),
    'epoch.max-records': dice.one([1, 3, 10, 10_000]),
    'future-timestamp.guard': 'off',
    'future-timestamp.check': 'off',
    'timers.backend': dice.one(['heap', 'hybrid', 'persistent']),
  }
}

function faults(ticking: boolean, dice: Dice): FaultPlan {
  const most = ticking ? 10 : 30
  return {
    ...(dice.chance(0.3) ? { slowFetchMs: dice.int(1, most) } : {}),
    ...(dice.chance(0.3) ? { slowCommitMs: dice.int(1, most) } : {}),
    ...(dice.chance(0.4) ? { jitterMs: dice.int(1, 5) } : {}),
    ...(dice.chance(0.3) ? { slowLanes: dice.one([0.2, 0.5]) } : {}),
    ...(dice.chance(0.2) ? { clockJumps: [{ step: dice.int(1, 300), byMs: dice.one([1, 50, 700, 5_000]) }] } : {}),
  }
}

function interruptions(dice: Dice): FaultPlan {
  const crashes = Array.from({ length: dice.int(0, 3) }, () => dice.int(1, 300)).sort((a, b) => a - b)
  return {
    ...(crashes.length > 0 ? { crashes } : {}),
    ...(dice.chance(0.4) ? { commitFails: 0.15 } : {}),
    ...(dice.chance(0.4) ? { answerLost: 0.15 } : {}),
  }
}
