import { StreamError } from '../errors/StreamError.js'
import { fromHex } from '../model/bytes.js'
import { MemoryStateBackend } from '../state/MemoryStateBackend.js'
import { MacrotaskTurns } from '../time/MacrotaskTurns.js'
import type { CompiledTopology } from '../topology/CompiledTopology.js'
import type { Topology } from '../topology/Topology.js'
import type { HostSlot } from './AwaitHost.js'
import type { Recording } from './Recording.js'
import { type RunView, viewOf } from './RunView.js'
import { fingerprint } from './record.js'
import type { MadeEngine } from './SimulationHooks.js'
import { StepGate } from './StepGate.js'
import { type SimulationOptions, simulateWith } from './simulate.js'
import { ReplayTape } from './Tape.js'

export interface ReplayOptions {
  /** The topology of the recording, from the same code; called for each engine. */
  readonly topology: () => Topology
  /** Configuration that is no plain data, as a serde of one's own: goes over that of the recording. */
  readonly config?: { readonly [key: string]: unknown }
  /** Where its compiled code takes its awaits from. */
  readonly host?: HostSlot
}

/** Whoever goes back a step goes back another one: so many steps before the one asked for are looked at on the way. */
const BACK_STEPS = 25
/** How the run stood behind so many steps is kept. */
const KEPT_VIEWS = 100

/**
 * A recorded run, to be looked at behind any of its steps (D3). Forward it goes on from where it stands; back, it
 * begins anew and goes as far as asked: nothing that it meets on the way is different from the recorded run. How it
 * stood at the steps just before is kept, so that going back step by step does not begin anew each time.
 */
export class Replay {
  readonly #turns = new MacrotaskTurns()
  #life: Life | undefined
  /** By step, the one looked at last at the end. */
  readonly #views = new Map<number, RunView>()

  constructor(
    readonly recording: Recording,
    private readonly options: ReplayOptions,
  ) {}

  /** How many steps there are to go to: from 0 to this one. */
  get steps(): number {
    return this.recording.notReplayable?.fromStep ?? this.recording.picks.length
  }

  /**
   * The run as it stood when so many steps were taken. One call at a time.
   *
   * @throws StreamError NOT_REPLAYABLE beyond what was recorded; REPLAY_DIVERGED when the code is another one
   */
  async to(step: number): Promise<RunView> {
    this.#check(step)
    const known = this.#views.get(step)
    if (known !== undefined) return known
    const isBack = this.#life !== undefined && (this.#life.gate.step > step || this.#life.hasEnded)
    if (this.#life === undefined || isBack) this.#life = this.#begin()
    if (isBack) for (let at = Math.max(0, step - BACK_STEPS); at < step; at++) await this.#goTo(at, this.#life)
    return this.#goTo(step, this.#life)
  }

  async #goTo(step: number, life: Life): Promise<RunView> {
    await Promise.race([life.gate.to(step), life.ended])
    if (life.error !== undefined) throw life.error
    if (life.made === undefined) throw new RangeError('The replay ended before its first engine was made')
    const view = await viewOf(life.made, this.recording.topics, step, this.recording.picks[step - 1]?.[1] ?? 0)
    this.#keep(step, view)
    return view
  }

  #keep(step: number, view: RunView): void {
    this.#views.delete(step)
    this.#views.set(step, view)
    const [oldest] = this.#views.keys()
    if (this.#views.size > KEPT_VIEWS && oldest !== undefined) this.#views.delete(oldest)
  }

  /** Lets go of the run. */
  close(): void {
    this.#turns.close()
    this.#life = undefined
    this.#views.clear()
    this.options.host?.use(undefined)
  }

  #check(step: number): void {
    if (Number.isInteger(step) && step >= 0 && step <= this.steps) return
    const { notReplayable } = this.recording
    const why = notReplayable === null ? '' : `, because from there on ${notReplayable.reason}`
    throw new StreamError(`There is no step ${step}: this recording can be replayed from 0 to ${this.steps}${why}.`, {
      code: 'NOT_REPLAYABLE',
      kind: 'user',
      retriable: false,
    })
  }

  #begin(): Life {
    const life = new Life()
    const { picks, tape } = this.recording
    void simulateWith(this.#simulation(), {
      tape: new ReplayTape(tape),
      scheduler: { script: (step) => picks[step], beforePick: (step) => life.gate.reached(step) },
      onMade: (made) => {
        life.made = made
      },
    }).then(
      () => life.end(undefined),
      (error: unknown) => life.end(error),
    )
    return life
  }

  #simulation(): SimulationOptions {
    const { header, config, topics, inputs, limits, keepsState } = this.recording
    return {
      topology: this.options.topology,
      config: { ...config, ...this.options.config },
      topics,
      inputs: inputs.map((input) => ({
        ...input,
        key: input.key === null ? null : fromHex(input.key),
        value: input.value === null ? null : fromHex(input.value),
      })),
      seed: header.seed,
      faults: header.faults,
      startMs: header.startMs,
      ...limits,
      ...(keepsState ? { state: new MemoryStateBackend() } : {}),
      ...(this.options.host === undefined ? {} : { host: this.options.host }),
      turn: this.#turns.turn,
      keepTrace: false,
      onEngine: (compiled) => this.#checkTopology(compiled),
    }
  }

  #checkTopology(compiled: CompiledTopology): void {
    if (fingerprint(compiled) === this.recording.topology) return
    throw new StreamError(
      'This recording is of another topology: its nodes, edges or lanes are not those of the code. Replay it with the code that it was made with.',
      { code: 'REPLAY_DIVERGED', kind: 'user', retriable: false },
    )
  }
}

/** One going through of the recording, from its start. */
class Life {
  readonly gate = new StepGate()
  made: MadeEngine | undefined
  error: unknown
  hasEnded = false
  #tell: () => void = () => undefined
  readonly ended = new Promise<void>((resolve) => {
    this.#tell = resolve
  })

  end(error: unknown): void {
    this.error = error
    this.hasEnded = true
    this.#tell()
  }
}

/** The run as it stood behind a step, from its recording alone. To look at several, keep a `Replay`. */
export async function replay(
  recording: Recording,
  options: ReplayOptions & { readonly toStep: number },
): Promise<RunView> {
  const run = new Replay(recording, options)
  try {
    return await run.to(options.toStep)
  } finally {
    run.close()
  }
}
