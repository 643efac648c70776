import { createHash } from 'node:crypto'
import { type EngineApi, MemoryStateBackend } from '@lanescope/core'
import { type SimulationRun, simulate, traceText } from '@lanescope/core/simulation'
import { buildTopology } from './buildTopology.js'
import { type CasePlan, isInterrupted } from './CasePlan.js'
import { expectedOutputs } from './expectedOutputs.js'
import { judgeCounts } from './judgeCounts.js'
import { Lateness } from './Lateness.js'
import { type Breach, timerText } from './Probe.js'
import { Watch } from './Watch.js'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** A processing-time timer may wait for the engine's next look, which comes at least so often. */
const LOOK_MS = 60

export interface CaseResult {
  readonly breaches: readonly Breach[]
  readonly steps: number
  readonly engines: number
}

export interface CaseOptions {
  /** Runs it a second time and compares the traces. */
  readonly twice: boolean
  /** Whether local state outlives a restart; else it is rebuilt from the changelogs (E6). */
  readonly durableState: boolean
  readonly turn: () => Promise<void>
}

/** Runs a case and judges it. */
export async function runCase(plan: CasePlan, options: CaseOptions): Promise<CaseResult> {
  const first = await runOnce(plan, options)
  const breaches = [...first.breaches]
  if (options.twice && breaches.length === 0) {
    const second = await runOnce(plan, options)
    if (digest(first.run) !== digest(second.run))
      breaches.push({ rule: 'D2', what: firstDifference(first.run, second.run) })
  }
  const { steps, engines } = first.run
  return { breaches, steps, engines }
}

async function runOnce(
  plan: CasePlan,
  options: CaseOptions,
): Promise<{ run: SimulationRun; breaches: readonly Breach[] }> {
  const watch = new Watch(plan)
  const lateness = new Lateness(plan)
  const rest: Breach[] = []
  let counters: Counters = {}
  const run = await simulate({
    topology: () => buildTopology(plan, watch),
    onEngine: (compiled) => watch.onEngine(compiled),
    config: plan.config,
    topics: topicsOf(plan),
    inputs: plan.inputs.map((input, index) => ({
      ...input,
      key: input.key === null ? null : encoder.encode(input.key),
      value: encoder.encode(`${index}@${plan.sources.findIndex(({ topic }) => topic === input.topic)}`),
    })),
    seed: plan.seed,
    faults: plan.faults,
    ...(options.durableState ? { state: new MemoryStateBackend() } : {}),
    restarts: 50,
    steps: 150_000,
    stallMs: 40_000,
    // Between two ticks there has to be as much quiet.
    quietMs: plan.schedules.length > 0 ? 60 : 150,
    turn: options.turn,
    keepTrace: options.twice,
    onTrace: (entry) => {
      watch.onTrace(entry)
      lateness.onTrace(entry)
    },
    atRest: (engine) => {
      counters = engine.snapshot().counters
      rest.push(...judgeRest(plan, engine, watch))
    },
  })
  return { run, breaches: [...rest, ...lateness.breaches, ...judge(plan, run, watch, counters)] }
}

type Counters = { readonly [name: string]: number }

/** What holds while the engine is at rest: nothing due is pending, every call has counted. */
function judgeRest(plan: CasePlan, engine: EngineApi, watch: Watch): readonly Breach[] {
  const { probe, shape } = watch
  const breaches: Breach[] = []
  const snapshot = engine.snapshot()
  for (const { name, timers } of plan.processors) {
    const node = snapshot.nodes.find((each) => each.node === name)
    const reached = probe.clocks.get(name) ?? -1
    if (node !== undefined && node.eventClock < reached) {
      breaches.push({ rule: 'W6', what: `the event clock of ${name} is ${node.eventClock}, and has been ${reached}` })
    }
    for (const due of probe.punctuations.due(name, node?.eventClock ?? -1)) {
      breaches.push({ rule: 'W5', what: `${due}, has not been called at ${node?.eventClock}` })
    }
    if (timers === undefined) continue
    const clock = timers.domain === 'event-time' ? (node?.eventClock ?? -1) : snapshot.at - LOOK_MS
    const pending = probe.timers.pending(name)
    const due = pending.find((timer) => timer.at <= clock)
    if (due !== undefined) {
      breaches.push({
        rule: 'T5',
        what: `${timerText(due)} has not fired on lane ${shape.laneOf(name, due.key)} at ${clock}`,
      })
    }
    if (node?.timers?.pending !== pending.length) {
      breaches.push({ rule: 'T2', what: `${name} has ${node?.timers?.pending} timers pending, not ${pending.length}` })
    }
  }
  for (const [id, calls] of probe.counted) {
    const [store = '', key = ''] = id.split(' ')
    const counted = (engine.store(store) as { get(key: string): number | undefined }).get(key)
    if (counted !== calls)
      breaches.push({ rule: 'L1', what: `store ${store} counts ${counted} calls of ${key}, not ${calls}` })
  }
  return breaches
}

function judge(plan: CasePlan, run: SimulationRun, watch: Watch, counters: Counters): readonly Breach[] {
  const { probe } = watch
  if (run.error !== undefined) return [...watch.breaches, { rule: 'error', what: run.error.message }]
  if (run.deadlock !== undefined)
    return [...watch.breaches, { rule: 'L7', what: `nothing goes on; what waits: ${run.deadlock.join('; ')}` }]
  if (run.exhausted !== undefined) {
    return [
      ...watch.breaches,
      { rule: 'steps', what: `not done after ${run.steps} steps: ${run.exhausted.join('; ')}` },
    ]
  }
  const interrupted = isInterrupted(plan)
  if (!interrupted) probe.finish(placesOf(plan))
  const breaches = [...watch.breaches]
  const dropped = (reason: string) => counters[`dropped_records_total{reason="${reason}"}`] ?? 0
  breaches.push(...judgeCounts(plan, run.outputs, run.engines === 1 ? dropped : undefined))
  for (const [topic, expected] of expectedOutputs(plan, probe.made, probe.ticks.done)) {
    const records = run.outputs.get(topic) ?? []
    const values = records.map(({ value }) => decoder.decode(value ?? new Uint8Array(0)))
    breaches.push(...compareBags(topic, expected, values))
    if (!interrupted) breaches.push(...compareOrder(topic, probe.written(topic.replace('out-', 'sink-')), records))
  }
  return breaches
}

/** Nothing is lost and nothing is doubled (E1). */
function compareBags(topic: string, expected: readonly string[], got: readonly string[]): readonly Breach[] {
  const left = new Map<string, number>()
  for (const value of got) left.set(value, (left.get(value) ?? 0) + 1)
  for (const value of expected) left.set(value, (left.get(value) ?? 0) - 1)
  const wrong = [...left].filter(([, count]) => count !== 0)
  return wrong.slice(0, 3).map(([value, count]) => ({
    rule: 'E1',
    what: `${topic}: ${value} is ${count < 0 ? 'lost' : `there ${count} times too often`} (${wrong.length} values are wrong)`,
  }))
}

/** Per output partition in the order of `forward` (L11). */
function compareOrder(
  topic: string,
  written: readonly string[],
  records: SimulationRun['outputs'] extends ReadonlyMap<string, infer R> ? R : never,
): readonly Breach[] {
  const order = new Map(written.map((value, index) => [value, index]))
  const last = new Map<number, number>()
  for (const { partition, value } of records) {
    const text = decoder.decode(value ?? new Uint8Array(0))
    const index = order.get(text) ?? -1
    if (index < (last.get(partition) ?? -1))
      return [{ rule: 'L11', what: `${topic}-${partition}: ${text} stands behind what was forwarded after it` }]
    last.set(partition, index)
  }
  return []
}

/** The value of each input by its place in its topic. */
function placesOf(plan: CasePlan): ReadonlyMap<string, string> {
  const next = new Map<string, number>()
  return new Map(
    plan.inputs.map(({ topic, partition }, index) => {
      const place = `${topic}-${partition}`
      const offset = next.get(place) ?? 0
      next.set(place, offset + 1)
      return [`${place}@${offset}`, `${index}@${plan.sources.findIndex((source) => source.topic === topic)}`]
    }),
  )
}

function topicsOf(plan: CasePlan) {
  return [
    ...plan.sources.map(({ topic, partitions }) => ({ topic, partitions })),
    ...plan.processors.filter(({ sink }) => sink).map(({ name }) => ({ topic: `out-${name}`, partitions: 2 })),
    ...plan.counts.map(({ name }) => ({ topic: `out-${name}`, partitions: 2 })),
  ]
}

function digest(run: SimulationRun): string {
  return createHash('sha256').update(traceText(run.trace)).digest('hex')
}

function firstDifference(a: SimulationRun, b: SimulationRun): string {
  const [first, second] = [traceText(a.trace).split('\n'), traceText(b.trace).split('\n')]
  const at = first.findIndex((line, index) => line !== second[index])
  return `two runs of one seed differ at entry ${at}: ${first[at]} / ${second[at]}`
}
