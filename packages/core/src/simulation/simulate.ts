import type { StreamError } from '../errors/StreamError.js'
import type { EngineEvent } from '../events/EngineEvent.js'
import { createEngine } from '../runtime/Engine.js'
import type { EngineApi } from '../runtime/EngineApi.js'
import type { Position } from '../runtime/RecordLog.js'
import type { StateBackend } from '../state/StateBackend.js'
import type { ByteStores } from '../state/StoreBuilder.js'
import { MacrotaskTurns } from '../time/MacrotaskTurns.js'
import { SeededRandom } from '../time/Random.js'
import type { CompiledTopology } from '../topology/CompiledTopology.js'
import type { EngineConfig } from '../topology/EngineConfig.js'
import { parseConfig } from '../topology/parseConfig.js'
import type { Topology } from '../topology/Topology.js'
import type { HostSlot, SimulatedHost } from './AwaitHost.js'
import { SimulatedState } from './SimulatedState.js'
import { SimulationClock } from './SimulationClock.js'
import type { SimulationFaults } from './SimulationFaults.js'
import type { SimulationHooks } from './SimulationHooks.js'
import { simulationLog } from './SimulationLog.js'
import { SimulationScheduler } from './SimulationScheduler.js'
import { type TraceEntry, tracedEvents } from './trace.js'
import { type SimulatedRecord, type SimulatedTopic, type SimulationInput, World } from './World.js'
import { type CallbackFacts, type CallbackObserver, withHeldCallbacks } from './withHeldCallbacks.js'
import { withSeenStores } from './withSeenStores.js'

export interface SimulationOptions {
  /** Called for each engine: a run that crashes starts with processors and stores of its own again. */
  readonly topology: () => Topology
  readonly config: Readonly<Record<string, unknown>>
  /** Every topic that is read or written. */
  readonly topics: readonly SimulatedTopic[]
  readonly inputs: readonly SimulationInput[]
  /** An integer: the same seed gives the same run, byte for byte. */
  readonly seed: number
  readonly faults?: SimulationFaults
  /**
   * Where state is kept over crashes and restarts, as a disk would. Default: in each engine's memory, so that it goes
   * with its engine.
   */
  readonly state?: StateBackend
  /** Wall-clock ms at the start. Default: the greatest timestamp of the inputs, so that none lies ahead. */
  readonly startMs?: number
  /**
   * How often a new engine is started where one has ended with a retriable error, as an operator would. Default: 0.
   */
  readonly restarts?: number
  /** A run that is not done after so many steps ends as `exhausted`. Default: 200,000. */
  readonly steps?: number
  /** The run ends when all input is committed and nothing has happened for so long, in virtual ms. Default: 1,000. */
  readonly quietMs?: number
  /** Work is left and nothing has happened for so long, in virtual ms: a deadlock. Default: 90,000. */
  readonly stallMs?: number
  /** Where the compiled user code of this topology takes its awaits, time and chance from. */
  readonly host?: HostSlot
  /** Resolves once no microtask is left. Default: a message to itself, which every host has. */
  readonly turn?: () => Promise<void>
  /** Versions to note in the header: of the engine, of the host. */
  readonly versions?: Readonly<Record<string, string>>
  /** Sees each entry as it happens. */
  readonly onTrace?: (entry: TraceEntry) => void
  /** False: entries go to `onTrace` alone. Default: true. */
  readonly keepTrace?: boolean
  /** Sees each engine's topology before it starts: a run that crashes has several. */
  readonly onEngine?: (compiled: CompiledTopology) => void
  /** Sees the last engine when it has come to rest, before it is stopped. */
  readonly atRest?: (engine: EngineApi) => void
}

/** What a run depends on, besides the code. */
export interface SimulationHeader {
  readonly seed: number
  readonly lanes: readonly { readonly subTopology: number; readonly lanes: number }[]
  readonly triggers: {
    /** Null: it goes by what commits take (E3). */
    readonly commitIntervalMs: number | null
    readonly maxRecords: number
    readonly queueCapacity: number
  }
  readonly faults: SimulationFaults
  readonly startMs: number
  readonly versions: Readonly<Record<string, string>>
}

export interface SimulationRun {
  readonly header: SimulationHeader
  readonly trace: readonly TraceEntry[]
  /** What every topic holds at the end, inputs too. */
  readonly outputs: ReadonlyMap<string, readonly SimulatedRecord[]>
  readonly steps: number
  /** Engines started; 1 without a crash. */
  readonly engines: number
  /** What the engine ended with when it did not get through. */
  readonly error?: StreamError
  /** Nothing can go on although work is left: what waits. */
  readonly deadlock?: readonly string[]
  /** It took all the steps it was given and was not done: what was under way. */
  readonly exhausted?: readonly string[]
}

/** Runs the real engine over an embedded log to the end of the input, in an order that the seed picks (D2). */
export function simulate(options: SimulationOptions): Promise<SimulationRun> {
  return simulateWith(options, {})
}

/** As `simulate`, for whoever records the run or replays it. */
export async function simulateWith(options: SimulationOptions, hooks: SimulationHooks): Promise<SimulationRun> {
  const turns = options.turn === undefined ? new MacrotaskTurns() : undefined
  try {
    return await new Simulation(options, hooks, options.turn ?? (turns as MacrotaskTurns).turn).run()
  } finally {
    turns?.close()
    options.host?.use(undefined)
  }
}

type Verdict = Pick<SimulationRun, 'error' | 'deadlock' | 'exhausted'>

class Simulation {
  readonly #config: EngineConfig
  readonly #faults: SimulationFaults
  readonly #scheduler: SimulationScheduler
  readonly #clock: SimulationClock
  readonly #startMs: number
  /** Faults draw from a sequence of their own, so that an interleaving stays when a fault is taken away. */
  readonly #faultRandom: SeededRandom
  readonly #trace: TraceEntry[] = []
  readonly #committed = new Map<string, number>()
  readonly #crashes: number[]
  readonly #jumps: { readonly step: number; readonly byMs: number }[]
  #lastActivity = 0
  #inFlight = 0
  #isMending = false
  #engines = 0
  #restarts: number

  constructor(
    private readonly options: SimulationOptions,
    private readonly hooks: SimulationHooks,
    turn: () => Promise<void>,
  ) {
    this.#config = parseConfig({ 'application.id': 'simulation', ...options.config })
    this.#faults = options.faults ?? {}
    this.#restarts = options.restarts ?? 0
    this.#faultRandom = new SeededRandom(options.seed ^ 0x2545f491)
    this.#startMs = options.startMs ?? options.inputs.reduce((latest, input) => Math.max(latest, input.timestamp), 0)
    this.#crashes = [...(this.#faults.crashes ?? [])].sort((a, b) => a - b)
    this.#jumps = [...(this.#faults.clockJumps ?? [])].sort((a, b) => a.step - b.step)
    const { slowLanes = 0, jitterMs = 0 } = this.#faults
    this.#scheduler = new SimulationScheduler({
      seed: options.seed,
      turn,
      jitterMs,
      ...(slowLanes > 0 ? { isSlow: (owner: string) => shareOf(owner, options.seed) < slowLanes } : {}),
      ...hooks.scheduler,
      onPick: (owner, task, id, at) => {
        hooks.scheduler?.onPick?.(owner, task, id, at)
        this.#note({ what: 'picked', owner, task })
      },
    })
    this.#clock = new SimulationClock(this.#scheduler, this.#startMs)
  }

  async run(): Promise<SimulationRun> {
    const { options } = this
    const world = await World.create(this.#clock, options.topics, options.inputs)
    options.host?.use(this.#hostOf())
    let compiled: CompiledTopology
    let verdict: Verdict | 'again'
    do {
      compiled = options.topology().compile(this.#config)
      options.onEngine?.(compiled)
      verdict = await this.#live(world, compiled)
    } while (verdict === 'again')
    world.storage.use(undefined)
    const outputs = new Map<string, readonly SimulatedRecord[]>()
    if (verdict.deadlock === undefined && verdict.exhausted === undefined) {
      for (const topic of options.topics) outputs.set(topic.topic, await world.contents(topic))
    }
    return {
      header: this.#header(compiled),
      trace: this.#trace,
      outputs,
      steps: this.#scheduler.steps,
      engines: this.#engines,
      ...verdict,
    }
  }

  #hostOf(): SimulatedHost {
    const random = new SeededRandom(this.options.seed ^ 0x1b873593)
    return {
      await: (value, resume, fail, label) => this.#scheduler.await(value, resume, fail, label),
      now: () => this.#clock.now(),
      monotonic: () => this.#clock.monotonic(),
      random: () => random.next(),
    }
  }

  /** One engine, from its start until it is done, fails, or dies with its host. */
  async #live(world: World, compiled: CompiledTopology): Promise<Verdict | 'again'> {
    const scheduler = this.#scheduler
    this.#engines++
    this.#inFlight = 0
    this.#isMending = false
    const log = await world.open()
    const { state } = this.options
    this.#note({
      what: 'engine-started',
      logEpoch: (await world.lastEpoch(this.#config['application.id'])) ?? null,
      stateEpoch: state?.committedEpoch ?? null,
    })
    world.storage.use(scheduler)
    await world.startProducers(scheduler)
    let byteStores: ByteStores | undefined
    const observed = withSeenStores(compiled, (seen) => {
      byteStores = seen
    })
    const observer: CallbackObserver = {
      started: (call) => this.#called('callback-started', call),
      settled: (call) => this.#called('callback-settled', call),
    }
    const engine = createEngine({
      topology: withHeldCallbacks(observed, scheduler, observer, this.hooks.tape),
      config: this.#config,
      log: simulationLog({
        log,
        scheduler,
        random: this.#faultRandom,
        faults: this.#faults,
        onFault: (fault) => this.#note({ what: 'fault', fault }),
        onDurable: (positions, epoch) => this.#durable(positions, epoch),
      }),
      clock: this.#clock,
      random: new SeededRandom(this.options.seed ^ this.#engines),
      ...(state === undefined ? {} : { state: new SimulatedState(state, scheduler) }),
    })
    engine.events.on(tracedEvents, (event) => this.#told(event))
    this.hooks.onMade?.({ engine, compiled, world, byteStores: () => byteStores })
    return this.#drive(engine, world, compiled)
  }

  async #drive(engine: EngineApi, world: World, compiled: CompiledTopology): Promise<Verdict | 'again'> {
    const scheduler = this.#scheduler
    let ended: { readonly error: StreamError | undefined } | undefined
    void engine.finished.then((error) => {
      ended = { error }
    })
    // A start that fails ends the engine, and `finished` tells with what.
    engine.start().catch(() => undefined)
    this.#lastActivity = scheduler.now
    let stopping = false
    const isOver = () => ended !== undefined || this.#isStalled || this.#isExhausted || this.#isCrashDue
    for (;;) {
      const outcome = await scheduler.run(() => isOver() || (!stopping && this.#isAtRest(engine, world, compiled)))
      if (ended !== undefined) return this.#ended(ended.error, world)
      if (outcome === 'deadlock' || this.#isStalled) return { deadlock: this.#whatWaits(engine) }
      if (this.#isExhausted) return { exhausted: this.#whatWaits(engine) }
      if (this.#isCrashDue) return this.#crash(world)
      this.options.atRest?.(engine)
      stopping = true
      void engine.stop()
    }
  }

  #ended(error: StreamError | undefined, world: World): Verdict | 'again' {
    if (error === undefined) return {}
    if (!error.retriable || this.#restarts === 0) return { error }
    this.#restarts--
    this.#note({ what: 'fault', fault: `started anew after: ${error.message}` })
    world.restart(this.#scheduler)
    this.#committed.clear()
    return 'again'
  }

  async #crash(world: World): Promise<'again'> {
    this.#crashes.shift()
    const lost = await world.crash(this.#faultRandom, this.#scheduler)
    this.#note({ what: 'fault', fault: `crash; ${lost} bytes that were not durable are gone` })
    // What was durable without a word to the engine is known again from the log itself.
    this.#committed.clear()
    return 'again'
  }

  get #isCrashDue(): boolean {
    const next = this.#crashes[0]
    return next !== undefined && this.#scheduler.steps >= next
  }

  get #isStalled(): boolean {
    const { stallMs = 90_000 } = this.options
    return this.#scheduler.now - this.#lastActivity > stallMs
  }

  get #isExhausted(): boolean {
    const { steps = 200_000 } = this.options
    return this.#scheduler.steps >= steps
  }

  /** All input is committed, no callback is in flight, and nothing has happened for a while. */
  #isAtRest(engine: EngineApi, world: World, compiled: CompiledTopology): boolean {
    const { quietMs = 1000 } = this.options
    if (engine.state !== 'running' || this.#isMending || this.#inFlight > 0) return false
    if (this.#scheduler.now - this.#lastActivity < quietMs) return false
    const read = new Set(compiled.nodes.flatMap((node) => node.source?.topics ?? []))
    return this.options.topics
      .filter(({ topic }) => read.has(topic))
      .every(({ topic, partitions }) =>
        Array.from({ length: partitions }, (_, partition) => partition).every(
          (partition) => (this.#committed.get(`${topic} ${partition}`) ?? 0) >= world.expected(topic, partition),
        ),
      )
  }

  #durable(positions: readonly Position[], epoch: number | undefined): void {
    if (epoch !== undefined) this.#note({ what: 'epoch-durable', epoch })
    this.#lastActivity = this.#scheduler.now
    for (const { topic, partition, offset } of positions) this.#committed.set(`${topic} ${partition}`, offset)
  }

  /** Between an abort and the next epoch the engine restarts in place, perhaps after a pause: it is not at rest. */
  #told(event: EngineEvent): void {
    if (event.type === 'epoch-aborted') this.#isMending = true
    if (event.type === 'epoch-started') {
      this.#isMending = false
      this.#lastActivity = this.#scheduler.now
    }
    this.#note({ what: 'event', event })
  }

  #called(what: 'callback-started' | 'callback-settled', call: CallbackFacts): void {
    this.#lastActivity = this.#scheduler.now
    this.#inFlight += what === 'callback-started' ? 1 : -1
    this.#note({ what, ...call })
  }

  #note(entry: Untimed<TraceEntry>): void {
    const next = this.#jumps[0]
    if (next !== undefined && this.#scheduler.steps >= next.step) {
      this.#jumps.shift()
      this.#clock.jump(next.byMs)
      this.#note({ what: 'fault', fault: `the wall clock jumps by ${next.byMs} ms` })
    }
    const timed = { step: this.#scheduler.steps, at: this.#scheduler.now, ...entry } as TraceEntry
    if (this.options.keepTrace !== false) this.#trace.push(timed)
    this.options.onTrace?.(timed)
  }

  #whatWaits(engine: EngineApi): readonly string[] {
    if (engine.state === 'created' || engine.state === 'starting') return this.#scheduler.waiting
    const lanes = engine
      .snapshot()
      .lanes.filter((lane) => lane.queued > 0 || lane.current !== null)
      .map(
        (lane) =>
          `sub-topology ${lane.subTopology}, lane ${lane.lane}: ${lane.queued} queued, at work: ${lane.current ?? 'nothing'}`,
      )
    return [...lanes, ...this.#scheduler.waiting]
  }

  #header(compiled: CompiledTopology): SimulationHeader {
    return {
      seed: this.options.seed,
      lanes: compiled.subTopologies.map((sub) => ({ subTopology: sub.index, lanes: sub.laneCount })),
      triggers: {
        commitIntervalMs: this.#config['commit.interval.ms'] ?? null,
        maxRecords: this.#config['epoch.max-records'],
        queueCapacity: this.#config['lanes.queue-capacity'],
      },
      faults: this.#faults,
      startMs: this.#startMs,
      versions: this.options.versions ?? {},
    }
  }
}

type Untimed<E> = E extends unknown ? Omit<E, 'step' | 'at'> : never

/** A number in [0, 1) that an owner keeps for a whole run. */
function shareOf(owner: string, seed: number): number {
  let hash = seed | 0
  for (let i = 0; i < owner.length; i++) hash = Math.imul(hash ^ owner.charCodeAt(i), 0x01000193)
  return new SeededRandom(hash).next()
}
