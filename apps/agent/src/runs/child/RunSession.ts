import type { Cancellable, Clock, EngineApi, LogAdmin, RecordLog, Topology } from '@lanescope/core'
import {
  intoLog,
  type LogReport,
  openLog,
  run,
  startTraffic,
  type Traffic,
  type TrafficGenerator,
} from '@lanescope/node'
import {
  type Replies,
  type TopologyDocument,
  topicsOf,
  toWireBlast,
  type UnnumberedRareEvent,
  type WireError,
} from '@lanescope/shared'
import { AgentError } from '../../AgentError.js'
import { toWireError } from '../../toWireError.js'
import { answerLogQuery } from '../answerLogQuery.js'
import type { ChildQuery, ChildQueryType, FromChild, RunOrder } from '../childProtocol.js'
import { FrameFeed } from '../FrameFeed.js'
import { withLog } from '../localFolders.js'
import { ensureTopics } from './ensureTopics.js'
import { FrameBuilder } from './FrameBuilder.js'
import { guardUserCode, importModule } from './importModule.js'
import { placeOf } from './placeOf.js'
import { ENTRIES, type PreparedProject, type ProvidedPackage, prepareProject } from './prepareProject.js'
import { RestoreTally } from './RestoreTally.js'
import type { Sentinel } from './Sentinel.js'

/** Frames on their way to the agent; with more, the next ones are merged. */
const MOST_IN_FLIGHT = 4

export interface RunSessionOptions {
  readonly order: RunOrder
  readonly clock: Clock
  readonly sentinel: Sentinel
  readonly packages: ReadonlyMap<string, ProvidedPackage>
  /** `taken` is called once the agent has it. */
  readonly send: (message: FromChild, taken?: () => void) => void
}

/** One run, from the project's files to its end, inside the run's process. */
export class RunSession {
  /** Resolves when nothing of the run is left, with the error that ended it. Never rejects. */
  readonly over: Promise<WireError | null>
  readonly #options: RunSessionOptions
  readonly #feed: FrameFeed
  #finish: (error: WireError | null) => void = () => {}
  #inFlight = 0
  /** The last frame goes out whatever is under way before it. */
  #ending = false
  #released: Promise<void> | undefined
  #runFolder = ''
  #log: (RecordLog & LogAdmin) | undefined
  #engine: EngineApi | undefined
  #frames: FrameBuilder | undefined
  #traffic: Traffic | undefined
  #nextFrame: Cancellable | undefined
  /** Lines from before there are frames. */
  readonly #early: UnnumberedRareEvent[] = []

  constructor(options: RunSessionOptions) {
    this.#options = options
    this.over = new Promise((resolve) => {
      this.#finish = resolve
    })
    this.#feed = new FrameFeed({
      buffered: () => (this.#inFlight > MOST_IN_FLIGHT && !this.#ending ? Number.POSITIVE_INFINITY : 0),
      send: (frame, taken) => {
        this.#inFlight++
        options.send({ type: 'frame', frame }, () => {
          this.#inFlight--
          taken()
        })
      },
      // The agent always catches up, or is gone and this process with it.
      giveUp: () => {},
    })
  }

  /** Resolves when the run reads and writes. @throws what kept it from starting; nothing is left then */
  async start(): Promise<void> {
    try {
      await this.#start()
    } catch (error) {
      // It may have come as far as running: the generators start last.
      await this.#engine?.stop()
      await this.#release()
      throw error
    }
  }

  /** Graceful; see `over`. */
  async stop(): Promise<void> {
    await this.#traffic?.stop()
    await this.#engine?.stop()
  }

  /** Adds a line to the run's log: from user code, from an adapter, from validation. */
  print(level: 'info' | 'warn' | 'error', message: string): void {
    const event = { type: 'log', at: this.#options.clock.now(), level, message } as const
    if (this.#frames) this.#frames.note(event)
    else this.#early.push(event)
  }

  /** An error as pages get it, with its place in the user's code. */
  tell(error: unknown): WireError {
    return { ...toWireError(error), ...(this.#runFolder === '' ? {} : placeOf(error, this.#runFolder)) }
  }

  async ask(query: ChildQuery): Promise<Replies[ChildQueryType]> {
    if (this.#log === undefined || this.#engine === undefined) throw notYet()
    if (query.type !== 'preview-future') return answerLogQuery(query, this.#log)
    const { blast, atOnce, wouldBe, boundMs, referenceClock } = this.#engine.previewFutureTimestamp(
      query.timestamp,
      query.source,
    )
    return { blast: toWireBlast(blast), atOnce: toWireBlast(atOnce), wouldBe, boundMs, referenceClock }
  }

  async #start(): Promise<void> {
    const { order, clock, packages } = this.#options
    const project = await prepareProject(order.projectFolder, order.runId, packages)
    this.#runFolder = project.runFolder
    const config = withLog(
      { ...WHILE_DESIGNING, ...project.config, ...order.overrides },
      order.projectFolder,
      order.bootstrapServers,
    )
    const topology = await this.#build(project)
    const report: LogReport = (level, message) => this.print(level, message)
    const log = await openLog(config, { clock, report })
    this.#log = log
    const generated = order.generators ? project.document.generators.map(({ topic }) => topic) : []
    await ensureTopics(log, topicsOf(project.document), new Set(generated))
    if (order.fromBeginning) await startOver(log, config, project.document)
    const app = await run(topology, config, { log, clock, report, onEngine: (engine) => this.#listen(engine) })
    void app.finished.then((error) => this.#end(error))
    this.#planFrame()
    if (order.generators) await this.#startTraffic(project, log)
  }

  async #build(project: PreparedProject): Promise<Topology> {
    const url = project.urlOf(ENTRIES.topology)
    if (url === undefined)
      throw new AgentError('The project has no src/topology.ts', {
        code: 'PROJECT_CODE',
        kind: 'bug',
        retriable: false,
      })
    const { build } = await importModule(url, project.runFolder)
    return guardUserCode(project.runFolder, build as () => Topology)
  }

  async #startTraffic(project: PreparedProject, log: LogAdmin): Promise<void> {
    const url = project.urlOf(ENTRIES.traffic)
    if (url === undefined) return
    const { generators } = await importModule(url, project.runFolder)
    const { clock } = this.#options
    this.#traffic = await startTraffic(generators as readonly TrafficGenerator[], intoLog(log), clock)
    void this.#traffic.finished.then((error) => {
      if (error) this.print('error', `The traffic generator has ended: ${error.message}`)
    })
  }

  #listen(engine: EngineApi): void {
    const { order, clock, sentinel, send } = this.#options
    this.#engine = engine
    this.#frames = new FrameBuilder({
      runId: order.runId,
      engine,
      clock,
      framesPerSecond: Math.max(1, Math.round(1000 / order.frameIntervalMs)),
      onEnter: (node, lane, key) => sentinel.enter(node, lane, key),
    })
    for (const event of this.#early.splice(0)) this.#frames.note(event)
    const restores = new RestoreTally()
    engine.events.on(['state-changed', 'restore-progress'], (event) => {
      if (event.type === 'state-changed') send({ type: 'state', state: event.to })
      if (event.type === 'restore-progress') send({ type: 'restore', restore: restores.take(event, event.at) })
    })
  }

  #planFrame(): void {
    this.#nextFrame = this.#options.clock.after(this.#options.order.frameIntervalMs, () => {
      this.#pushFrame()
      this.#planFrame()
    })
  }

  #pushFrame(): void {
    if (this.#frames) this.#feed.push(this.#frames.build())
  }

  async #end(error: unknown): Promise<void> {
    await this.#traffic?.stop()
    this.#ending = true
    this.#pushFrame()
    await this.#release()
    this.#finish(error === undefined ? null : this.tell(error))
  }

  #release(): Promise<void> {
    this.#released ??= this.#closeAll()
    return this.#released
  }

  async #closeAll(): Promise<void> {
    this.#nextFrame?.cancel()
    await this.#traffic?.stop()
    await this.#log?.close()
  }
}

/**
 * People who design change serdes all the time: a run then begins with what it can read, and says what it cannot. An
 * exported application refuses.
 */
const WHILE_DESIGNING = { 'state.format-change': 'reset', 'timers.serde-change': 'strand' } as const

/** Sets the application back to the first record of each topic that it reads. A bad id is the engine's to refuse. */
async function startOver(
  log: LogAdmin,
  config: { readonly [key: string]: unknown },
  document: TopologyDocument,
): Promise<void> {
  const id = config['application.id']
  const topics = document.nodes.flatMap((node) => (node.kind === 'source' ? node.properties.topics : []))
  const through = document.nodes.flatMap((node) => (node.kind === 'through' ? [node.properties.topic] : []))
  if (typeof id === 'string' && id !== '') await log.rewind(id, topics, through)
}

function notYet(): AgentError {
  return new AgentError('The run is still starting', { code: 'NO_RUN', kind: 'operational', retriable: true })
}
