import { StreamError } from '../errors/StreamError.js'
import type { EpochCommit, FetchedBatch, FetchRequest, LogSession, Position, RecordLog } from '../runtime/RecordLog.js'
import type { Random } from '../time/Random.js'
import type { SimulationFaults } from './SimulationFaults.js'
import type { SimulationScheduler } from './SimulationScheduler.js'
import { withOverrides } from './withOverrides.js'

export interface SimulationLogOptions {
  readonly log: RecordLog
  readonly scheduler: SimulationScheduler
  readonly random: Random
  readonly faults: SimulationFaults
  /** A fault happened, as text. */
  readonly onFault: (fault: string) => void
  /** The log has these positions: an epoch is durable, whatever its engine was told, or (epoch undefined) a session starts. */
  readonly onDurable: (positions: readonly Position[], epoch: number | undefined) => void
}

/** A log whose operations complete when the seed says so, and fail as it says. All else is the log's own. */
export function simulationLog(options: SimulationLogOptions): RecordLog {
  const { log, scheduler, onDurable } = options
  return withOverrides(log, {
    open: async (applicationId, topics, reset) => {
      const session = await scheduler.hold(log.open(applicationId, topics, reset), 'log open')
      onDurable(session.assignment, undefined)
      const held = new HeldOperations(session, options)
      return withOverrides(session, {
        fetch: (request) => held.fetch(request),
        commit: (epoch) => held.commit(epoch),
      })
    },
  })
}

class HeldOperations {
  constructor(
    private readonly session: LogSession,
    private readonly options: SimulationLogOptions,
  ) {}

  async fetch(request: FetchRequest): Promise<readonly FetchedBatch[]> {
    const batches = await this.session.fetch(request)
    await this.#delay(this.options.faults.slowFetchMs, 'slow fetch')
    return this.options.scheduler.hold(batches, 'fetch')
  }

  async commit(epoch: EpochCommit): Promise<void> {
    const { scheduler, faults, onFault, onDurable } = this.options
    await this.#delay(faults.slowCommitMs, 'slow commit')
    if (this.#happens(faults.commitFails)) {
      onFault(`commit of epoch ${epoch.epoch} fails before it is durable`)
      throw unavailable(`The simulated log refused epoch ${epoch.epoch}; nothing of it was written.`)
    }
    await this.session.commit(epoch)
    onDurable(epoch.positions, epoch.epoch)
    await scheduler.hold(undefined, 'commit')
    if (this.#happens(faults.answerLost)) {
      onFault(`commit of epoch ${epoch.epoch} is durable, its answer is lost`)
      throw unavailable(`The simulated log did not answer the commit of epoch ${epoch.epoch}.`)
    }
  }

  #happens(probability: number | undefined): boolean {
    return probability !== undefined && probability > 0 && this.options.random.next() < probability
  }

  async #delay(atMostMs: number | undefined, label: string): Promise<void> {
    if (!atMostMs) return
    const ms = Math.floor(this.options.random.next() * (atMostMs + 1))
    await new Promise<void>((resolve) => {
      this.options.scheduler.plan(ms, label, resolve)
    })
  }
}

function unavailable(message: string): StreamError {
  return new StreamError(message, { code: 'LOG_UNAVAILABLE', kind: 'operational', retriable: true })
}
