import {
  type Clock,
  type CompiledTopology,
  createEngine,
  type EngineApi,
  type EngineConfig,
  type EngineSnapshot,
  type EngineState,
  type EventHub,
  type Finding,
  parseConfig,
  type Random,
  type RecordLog,
  type StateBackend,
  type StoreQuery,
  StreamError,
  SystemClock,
  SystemRandom,
  type Topology,
  validate,
} from '@lanescope/core'
import { readLogConfig } from './config/logConfig.js'
import type { LogReport } from './LogReport.js'
import { ensureTopics } from './main/ensureTopics.js'
import { type OpenLogOptions, openLog } from './openLog.js'
import { EngineMonitor } from './operations/EngineMonitor.js'
import { scrape } from './operations/scrape.js'
import { openState } from './state/openState.js'

export interface RunOptions {
  /** Default: the system's. */
  readonly clock?: Clock
  readonly random?: Random
  /** A log that is open already, and stays the caller's to close. Default: the one that the config names. */
  readonly log?: RecordLog
  /**
   * Topics that the topology reads and writes, where `run` opens the log itself: those that are missing are made on the
   * embedded log, and named on Kafka (TOPIC_MISSING).
   */
  readonly topics?: readonly { readonly topic: string; readonly partitions: number }[]
  /** Where committed state is kept, open already, and the caller's to close. Default: as the config says. */
  readonly state?: StateBackend
  /** Where findings and what the log's adapter says go. Default: warnings and errors to the console. */
  readonly report?: LogReport
  /** Called before the engine starts: the place to subscribe to its events. */
  readonly onEngine?: (engine: EngineApi) => void
}

/** A topology that runs. */
export interface App {
  readonly engine: EngineApi
  readonly events: EventHub
  readonly state: EngineState
  /** The read-only handle of a store. @throws StreamError STORE_INVALID when there is no such store */
  store(name: string, options?: StoreQuery): unknown
  snapshot(): EngineSnapshot
  /** All metrics in Prometheus' text format, version 0.0.4: what `/metrics` of an exported application answers. */
  metrics(): string
  /** Graceful (E14); resolves once the last epoch is committed and the log is closed. */
  stop(): Promise<void>
  /** Resolves once all has ended, with the error that ended it, or undefined after `stop`. Never rejects. */
  readonly finished: Promise<StreamError | undefined>
}

/**
 * Runs a topology in this process: on Kafka when `bootstrap.servers` is set, else on the embedded log in
 * `embedded.log.dir` (default `.lanescope/log`). State is kept in `state.dir`: on Kafka by default in `.lanescope/state`, on
 * the embedded log in memory.
 * Resolves when it reads and writes.
 *
 * @throws StreamError CONFIG_INVALID, TOPOLOGY_INVALID with every finding of severity error, GUARANTEE_UNSUPPORTED,
 * TOPIC_MISSING, STATE_LOCKED, or what keeps the log or the state from opening
 * @example
 * const app = await run(topology, { 'application.id': 'orders', 'bootstrap.servers': 'localhost:9092' })
 * process.once('SIGTERM', () => app.stop())
 * await app.finished
 */
export async function run(
  topology: Topology,
  config: Readonly<Record<string, unknown>>,
  options: RunOptions = {},
): Promise<App> {
  const { clock = new SystemClock(), random = new SystemRandom(), report = toConsole } = options
  const offsetReset = readOffsetReset(config)
  const { engineConfig, compiled, findings } = checkBeforeOpening(topology, config)
  for (const finding of findings) {
    if (finding.severity === 'warn') report('warn', `${finding.title} [${finding.rule}] ${finding.message}`)
  }
  // Its folder is locked before anything else is asked of the log (E5).
  const ownState = options.state
    ? undefined
    : await openState(config, engineConfig['application.id'], { clock, report })
  const state = options.state ?? ownState
  let log = options.log
  const close = async () => {
    if (options.log === undefined) await log?.close()
    await ownState?.close()
  }
  try {
    log ??= await openWithTopics(config, options.topics ?? [], { clock, report })
    const engine = createEngine({
      topology: compiled,
      config: engineConfig,
      log,
      clock,
      random,
      offsetReset,
      ...(state && { state }),
    })
    const monitor = new EngineMonitor(clock)
    monitor.watch(engine, log)
    options.onEngine?.(engine)
    await engine.start()
    return appOf(engine, () => scrape(monitor, engineConfig['application.id']), close, report)
  } catch (error) {
    await close()
    throw error
  }
}

async function openWithTopics(
  config: Readonly<Record<string, unknown>>,
  topics: NonNullable<RunOptions['topics']>,
  options: OpenLogOptions,
): Promise<RecordLog> {
  const log = await openLog(config, options)
  try {
    await ensureTopics(log, topics, readLogConfig(config).kind === 'embedded', 'create them there')
    return log
  } catch (error) {
    await log.close()
    throw error
  }
}

function appOf(engine: EngineApi, metrics: () => string, close: () => Promise<void>, report: LogReport): App {
  const finished = engine.finished.then(async (failure) => {
    try {
      await close()
    } catch (error) {
      report('error', `The log or the state did not close: ${error instanceof Error ? error.message : String(error)}`)
    }
    return failure
  })
  return {
    engine,
    events: engine.events,
    get state() {
      return engine.state
    },
    store: (name, options) => engine.store(name, options),
    snapshot: () => engine.snapshot(),
    metrics,
    stop: async () => {
      await engine.stop()
      await finished
    },
    finished,
  }
}

/**
 * All that can be refused without a log.
 *
 * @throws StreamError as `run` does
 */
export function checkBeforeOpening(topology: Topology, config: Readonly<Record<string, unknown>>): CheckedTopology {
  const engineConfig = parseConfig(config)
  const compiled = topology.compile(engineConfig)
  const findings = validate({ topology: compiled, config: engineConfig, samples: new Map() })
  refuseErrors(findings)
  return { engineConfig, compiled, findings }
}

interface CheckedTopology {
  readonly engineConfig: EngineConfig
  readonly compiled: CompiledTopology
  readonly findings: readonly Finding[]
}

/** @throws StreamError TOPOLOGY_INVALID with all findings of severity error */
function refuseErrors(findings: readonly Finding[]): void {
  const errors = findings.filter(({ severity }) => severity === 'error')
  const [first] = errors
  if (first === undefined) return
  const lines = errors.map(({ title, rule, message }) => `- ${title} [${rule}] ${message}`)
  const count = errors.length === 1 ? 'an error' : `${errors.length} errors`
  throw new StreamError(`The topology has ${count}:\n${lines.join('\n')}`, {
    code: 'TOPOLOGY_INVALID',
    kind: 'user',
    retriable: false,
    context: { node: first.node },
  })
}

function readOffsetReset(config: Readonly<Record<string, unknown>>): 'earliest' | 'latest' {
  const value = config['auto.offset.reset'] ?? 'earliest'
  if (value === 'earliest' || value === 'latest') return value
  throw new StreamError(`"auto.offset.reset" is ${JSON.stringify(value)}: give earliest or latest`, {
    code: 'CONFIG_INVALID',
    kind: 'user',
    retriable: false,
  })
}

function toConsole(level: 'info' | 'warn' | 'error', message: string): void {
  if (level === 'warn') console.warn(message)
  if (level === 'error') console.error(message)
}
