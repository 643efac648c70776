import { chain } from './cases/chain.js'
import { countAmong } from './cases/countAmong.js'
import { epochCommit } from './cases/epochCommit.js'
import { laneHash } from './cases/laneHash.js'
import { lookUpAlone } from './cases/lookUpAlone.js'
import { rekeyCount } from './cases/rekeyCount.js'
import { timers } from './cases/timers.js'
import { waitingLanes } from './cases/waitingLanes.js'
import { type BenchCase, cpuNsEach, type Measurement, nsEach, perSecond } from './Measurement.js'

const CASES: readonly BenchCase[] = [
  chain,
  rekeyCount,
  timers,
  laneHash,
  epochCommit,
  waitingLanes,
  countAmong(10_000),
  countAmong(1_000_000),
  lookUpAlone(10_000),
  lookUpAlone(1_000_000),
]

export interface RunOptions {
  /** Default: those of the engine. */
  readonly cases?: readonly BenchCase[]
  /** Sizes are multiplied by it. */
  readonly scale: number
  /** Each case is run so often, and its best run counts: the others have met a busy machine. */
  readonly runs: number
  /** Part of the names of the cases to run. */
  readonly only?: string
  readonly print: (line: string) => void
}

/** Runs the cases one after the other, each after a short run that warms it up, and prints a table. */
export async function runCases({ cases = CASES, scale, runs, only = '', print }: RunOptions): Promise<void> {
  const chosen = cases.filter(({ name }) => name.includes(only))
  if (chosen.length === 0) throw new RangeError(`No case has "${only}" in its name`)
  print(row('case', 'size', 'each second', 'ns each', 'CPU ns each', 'target'))
  for (const bench of chosen) {
    const size = Math.max(1, Math.round(bench.size * scale))
    await bench.run(Math.max(1, Math.ceil(size / 10)))
    let best = await bench.run(size)
    for (let run = 1; run < runs; run++) best = better(best, await bench.run(size))
    print(rowOf(bench, size, best))
  }
}

function rowOf({ name, target }: BenchCase, size: number, best: Measurement): string {
  const rate = `${number(perSecond(best))} ${best.unit}s`
  const cpu = cpuNsEach(best)
  return row(
    name,
    number(size),
    rate,
    nanoseconds(nsEach(best)),
    cpu === undefined ? '–' : nanoseconds(cpu),
    targetText(target),
  )
}

/** The least of each: a run that has met a busy machine says nothing. */
function better(a: Measurement, b: Measurement): Measurement {
  const faster = nsEach(a) <= nsEach(b) ? a : b
  if (a.cpuMs === undefined || b.cpuMs === undefined) return faster
  return { ...faster, cpuMs: Math.min(a.cpuMs, b.cpuMs) }
}

function nanoseconds(ns: number): string {
  return ns < 100 ? ns.toFixed(1) : number(ns)
}

function targetText(target: BenchCase['target']): string {
  if (target === undefined) return ''
  return 'ns' in target ? `≤ ${target.ns} ns` : `≥ ${number(target.perSecond)}`
}

function row(name: string, size: string, rate: string, ns: string, cpu: string, target: string): string {
  return `${name.padEnd(40)}${size.padStart(12)}${rate.padStart(21)}${ns.padStart(10)}${cpu.padStart(13)}${target.padStart(13)}`
}

function number(value: number): string {
  return Math.round(value).toLocaleString('en')
}
