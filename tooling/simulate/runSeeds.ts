import type { CasePlan } from './CasePlan.js'
import type { Breach } from './Probe.js'
import { type PlanOptions, randomPlan } from './randomPlan.js'
import { runCase } from './runCase.js'
import { shrink } from './shrink.js'

/** One in so many seeds is run twice, for the same trace. */
const TWICE_ONE_IN = 8
const SHRINK_CASES = 400

export interface SeedFailure {
  readonly seed: number
  readonly breaches: readonly Breach[]
  readonly plan: CasePlan
  readonly shrunk: CasePlan
  readonly shrunkBreaches: readonly Breach[]
}

export interface SeedsOptions extends PlanOptions {
  readonly from: number
  readonly count: number
  readonly step: number
  /** Only breaches of this rule count, and are shrunk for. */
  readonly only?: string
  readonly shrink: boolean
  /** Runs every seed twice. */
  readonly twice: boolean
  readonly onSeed?: (seed: number, failed: boolean) => void
}

export interface SeedsResult {
  readonly passed: number
  readonly failed: number
  readonly failures: readonly SeedFailure[]
  readonly steps: number
  readonly engines: number
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))
/** Beyond so many, failures are counted and no longer kept. */
const KEPT = 10

/** Runs seeds `from`, `from + step`, … and shrinks the first few that fail. */
export async function runSeeds(options: SeedsOptions): Promise<SeedsResult> {
  const counts = (breaches: readonly Breach[]) =>
    options.only === undefined ? breaches : breaches.filter(({ rule }) => rule === options.only)
  const failures: SeedFailure[] = []
  let failed = 0
  let passed = 0
  let steps = 0
  let engines = 0
  for (let index = 0; index < options.count; index++) {
    const seed = options.from + index * options.step
    const plan = randomPlan(seed, options)
    const twice = options.twice || seed % TWICE_ONE_IN === 0
    const result = await judged(plan, twice, options.stateful !== 'nothing')
    steps += result.steps
    engines += result.engines
    const breaches = counts(result.breaches)
    if (breaches.length === 0) passed++
    else {
      failed++
      if (failures.length < KEPT) failures.push(await explain(plan, breaches, twice, options, counts))
    }
    options.onSeed?.(seed, breaches.length > 0)
  }
  return { passed, failed, failures, steps, engines }
}

async function explain(
  plan: CasePlan,
  breaches: readonly Breach[],
  twice: boolean,
  options: SeedsOptions,
  counts: (breaches: readonly Breach[]) => readonly Breach[],
): Promise<SeedFailure> {
  const rules = new Set(breaches.map(({ rule }) => rule))
  const stillFails = async (candidate: CasePlan) =>
    counts((await judged(candidate, twice && rules.has('D2'), options.stateful !== 'nothing')).breaches).some(
      ({ rule }) => rules.has(rule),
    )
  const shrunk = options.shrink ? await shrink(plan, stillFails, SHRINK_CASES) : plan
  const again = await judged(shrunk, twice && rules.has('D2'), options.stateful !== 'nothing')
  return { seed: plan.seed, breaches, plan, shrunk, shrunkBreaches: counts(again.breaches) }
}

/** A case that throws, in the engine or in its judges, has failed, too. */
async function judged(plan: CasePlan, twice: boolean, durableState: boolean) {
  try {
    return await runCase(plan, { twice, durableState, turn })
  } catch (error) {
    const what = error instanceof Error ? (error.stack ?? error.message) : String(error)
    return { breaches: [{ rule: 'threw', what }], steps: 0, engines: 0 }
  }
}
