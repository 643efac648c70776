import { toHex } from '../model/bytes.js'
import { SystemClock } from '../time/SystemClock.js'
import type { CompiledTopology } from '../topology/CompiledTopology.js'
import { RECORDING_FORMAT, type Recording } from './Recording.js'
import { type RunView, viewOf } from './RunView.js'
import type { MadeEngine } from './SimulationHooks.js'
import type { Pick } from './SimulationScheduler.js'
import { type SimulationOptions, type SimulationRun, simulateWith } from './simulate.js'
import { RecordingTape } from './Tape.js'

export interface RecordOptions extends SimulationOptions {
  /**
   * Virtual time stands still while something outside is waited for, at most so many real ms; then it goes on.
   * Default: 10,000.
   */
  readonly outsideMs?: number
  /** Called between steps, with what shows the run as it stands there. */
  readonly onStep?: (step: number, view: () => Promise<RunView>) => Promise<void> | undefined
}

/**
 * Runs a topology as `simulate` does, and writes down all that the run depends on (D3). `ctx.call` does real work, in
 * real time; what it comes to is in the recording, and a replay asks nobody again.
 */
export async function record(
  options: RecordOptions,
): Promise<{ readonly run: SimulationRun; readonly recording: Recording }> {
  const picks: Pick[] = []
  let made: MadeEngine | undefined
  let topology = ''
  let notReplayable: Recording['notReplayable'] = null
  const spoil = (reason: string) => {
    notReplayable ??= { fromStep: picks.length, reason }
  }
  const tape = new RecordingTape(spoil)
  const onEngine = (compiled: CompiledTopology) => {
    topology = fingerprint(compiled)
    options.onEngine?.(compiled)
  }
  const run = await simulateWith(
    { ...options, onEngine },
    {
      tape,
      scheduler: {
        onPick: (_owner, _task, id, at) => picks.push([id, at]),
        onOutside: (wait) => spoil(`I/O outside ctx.call was waited for (${wait}), and its result is not recorded`),
        waitsOutside: patience(options.outsideMs ?? 10_000),
        beforePick: (step) => {
          const engine = made
          if (engine === undefined) return undefined
          return options.onStep?.(step, () => viewOf(engine, options.topics, step, picks.at(-1)?.[1] ?? 0))
        },
      },
      onMade: (engine) => {
        made = engine
      },
    },
  )
  const { calls, now, random } = tape
  return { run, recording: { ...frameOf(options, run), topology, picks, tape: { calls, now, random }, notReplayable } }
}

/** What tells one topology from another: its nodes, edges and lanes. */
export function fingerprint(compiled: CompiledTopology): string {
  return JSON.stringify([compiled.describe(), compiled.describeLanes()])
}

function frameOf(options: RecordOptions, run: SimulationRun) {
  const { topics, restarts = 0, steps = 200_000, quietMs = 1000, stallMs = 90_000, state } = options
  return {
    format: RECORDING_FORMAT,
    header: run.header,
    config: Object.fromEntries(Object.entries(options.config).map(([name, value]) => [name, plain(value)])),
    topics: topics.map(({ topic, partitions }) => ({ topic, partitions })),
    inputs: options.inputs.map(({ topic, partition, key, value, timestamp, arrivesAtMs = 0 }) => ({
      topic,
      partition,
      key: key && toHex(key),
      value: value && toHex(value),
      timestamp,
      arrivesAtMs,
    })),
    limits: { restarts, steps, quietMs, stallMs },
    keepsState: state !== undefined,
  } as const
}

/** A serde by its id, which a configuration takes as well. */
function plain(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'id' in value ? value.id : value
}

/** Waits for what is outside, but not for the same waits twice when they have taken too long. */
function patience(ms: number): (waits: readonly number[]) => boolean {
  const real = new SystemClock()
  const givenUp = new Set<number>()
  let since: number | undefined
  return (waits) => {
    const left = waits.filter((id) => !givenUp.has(id))
    if (left.length === 0) {
      since = undefined
      return false
    }
    since ??= real.monotonic()
    if (real.monotonic() - since < ms) return true
    for (const id of left) givenUp.add(id)
    since = undefined
    return false
  }
}
