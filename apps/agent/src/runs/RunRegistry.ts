import { rm } from 'node:fs/promises'
import type { Clock, LogAdmin, RecordLog } from '@lanescope/core'
import type { Replies, RequestOf, RunSummary } from '@lanescope/shared'
import { AgentError } from '../AgentError.js'
import { FRAME_INTERVAL_MS, type RunLimits } from '../config/limits.js'
import { Turns } from '../projects/Turns.js'
import { answerLogQuery, type LogQuery } from './answerLogQuery.js'
import type { RunOrder } from './childProtocol.js'
import { LiveRun } from './LiveRun.js'
import { runFolderOf } from './localFolders.js'
import { RunProcess } from './RunProcess.js'
import type { RunViewer } from './RunViewer.js'

export interface RunRegistryOptions {
  readonly childModule: string
  readonly limits: RunLimits
  readonly clock: Clock
  readonly newRunId: () => string
  readonly bootstrapServers: string | undefined
  /** The folder of a project. @throws AgentError PATH_INVALID, NOT_FOUND */
  readonly folderOf: (projectId: string) => Promise<string>
  /** The same, with everything that a run reads up to date. @throws AgentError DOCUMENT_INVALID too */
  readonly prepareRun: (projectId: string) => Promise<string>
  /** Of what a run of the project is made now. */
  readonly fingerprintOf: (projectId: string) => Promise<string>
  /** Opens a project's log while no run has it. @throws StreamError LOG_LOCKED, LOG_UNAVAILABLE */
  readonly openLog: (projectFolder: string) => Promise<RecordLog & LogAdmin>
  /** Empties a project's embedded log. @throws StreamError LOG_LOCKED */
  readonly resetLog: (projectFolder: string) => Promise<void>
  /** Told of each change of state of each run. */
  readonly onState: (run: RunSummary) => void
}

/** What whoever starts a run may choose. */
export type RunWishes = Pick<RunOrder, 'overrides' | 'generators' | 'fromBeginning'>

interface Entry {
  readonly run: LiveRun
  readonly process: RunProcess
  /** From here on pages hear of it: one that never starts is told to whoever asked for it, alone. */
  announce(): void
  isAnnounced(): boolean
}

/** The runs since the start of the agent, at most one alive for each project, and who answers for a project's log. */
export class RunRegistry {
  readonly #options: RunRegistryOptions
  /** By project: the run that lives, else the last one. */
  readonly #entries = new Map<string, Entry>()
  readonly #turns = new Turns()
  #closing = false

  constructor(options: RunRegistryOptions) {
    this.#options = options
  }

  /** The run of a project that lives, else the last one; null when it did not run since the agent started. */
  latest(projectId: string): RunSummary | null {
    return this.#entries.get(projectId)?.run.summary ?? null
  }

  /** Every run that lives, the one that began first leading. */
  living(): readonly RunSummary[] {
    const summaries = [...this.#entries.values()].flatMap(({ run }) => (run.isOver ? [] : [run.summary]))
    return summaries.sort((a, b) => a.startedAt - b.startedAt)
  }

  /** Resolves when the run reads and writes. @throws AgentError RUN_ACTIVE; RunFailure with what kept it from starting */
  start(projectId: string, wishes: RunWishes): Promise<RunSummary> {
    return this.#turns.take(projectId, async () => {
      const before = this.#entries.get(projectId)
      if (before && !before.run.isOver) throw runActive(before.run.summary)
      if (this.#closing) throw noRun('The agent is ending')
      const projectFolder = await this.#options.prepareRun(projectId)
      const entry = this.#launch(projectId, projectFolder, wishes, await this.#options.fingerprintOf(projectId))
      this.#entries.set(projectId, entry)
      try {
        await entry.process.started
      } catch (error) {
        await entry.process.stop()
        // Pages that saw it restore keep it, with what ended it.
        if (entry.isAnnounced()) throw error
        if (before) this.#entries.set(projectId, before)
        else this.#entries.delete(projectId)
        throw error
      }
      entry.announce()
      return entry.run.summary
    })
  }

  /** Resolves when the run's process is gone. Stopping one that is over does nothing. @throws AgentError NO_RUN */
  async stop(runId: string): Promise<RunSummary> {
    const { run, process } = this.#entryOf(runId)
    if (!run.isOver) await process.stop()
    return run.summary
  }

  /** @throws AgentError NO_RUN */
  summaryOf(runId: string): RunSummary {
    return this.#entryOf(runId).run.summary
  }

  /** See `LiveRun.watch`. @throws AgentError NO_RUN */
  watch(runId: string, viewer: RunViewer): () => void {
    return this.#entryOf(runId).run.watch(viewer)
  }

  /** @throws AgentError NO_RUN when the run is over */
  preview(query: RequestOf<'preview-future'>): Promise<Replies['preview-future']> {
    const { run, process } = this.#entryOf(query.runId)
    if (run.isOver) throw noRun('The run is over; a preview needs a running one')
    return process.ask(query)
  }

  /** Asks the log of a project: through its run's process while one lives, for that is the only writer. */
  async askLog<T extends LogQuery['type']>(query: LogQuery & { readonly type: T }): Promise<Replies[T]> {
    const restoring = this.#entries.get(query.projectId)
    // Its start has the turn until the state is whole; the log is open by then.
    if (restoring?.run.summary.restore !== undefined && restoring.run.summary.state === 'starting')
      return restoring.process.ask<T>(query)
    return this.#turns.take(query.projectId, async () => {
      const entry = this.#entries.get(query.projectId)
      if (entry && !entry.run.isOver) {
        try {
          return await entry.process.ask<T>(query)
        } catch (error) {
          // It ended before it answered: what only reads is then read from here. A record may have been written.
          if (!entry.run.isOver || !READING.has(query.type)) throw error
        }
      }
      const log = await this.#options.openLog(await this.#options.folderOf(query.projectId))
      try {
        return (await answerLogQuery(query, log)) as Replies[T]
      } finally {
        await log.close()
      }
    })
  }

  /** Empties the embedded log of a project. @throws AgentError RUN_ACTIVE, BAD_REQUEST on Kafka */
  resetLog(projectId: string): Promise<void> {
    return this.#turns.take(projectId, async () => {
      const entry = this.#entries.get(projectId)
      if (entry && !entry.run.isOver) throw runActive(entry.run.summary)
      if (this.#options.bootstrapServers !== undefined) throw noReset()
      const folder = await this.#options.folderOf(projectId)
      await this.#options.resetLog(folder)
    })
  }

  /** Does something with a project's folder that no run may have. @throws AgentError RUN_ACTIVE */
  whileIdle<T>(projectId: string, work: () => Promise<T>): Promise<T> {
    return this.#turns.take(projectId, async () => {
      const entry = this.#entries.get(projectId)
      if (entry && !entry.run.isOver) throw runActive(entry.run.summary)
      const done = await work()
      // Another project may come by this name.
      this.#entries.delete(projectId)
      return done
    })
  }

  /** Ends all runs, and says how many. None starts after this. */
  async close(): Promise<number> {
    this.#closing = true
    const living = [...this.#entries.values()].filter(({ run }) => !run.isOver)
    await Promise.all(living.map(({ process }) => process.stop(true)))
    return living.length
  }

  #launch(projectId: string, projectFolder: string, wishes: RunWishes, fingerprint: string): Entry {
    const { clock, limits, bootstrapServers, onState } = this.#options
    const runId = this.#options.newRunId()
    const run = new LiveRun({
      runId,
      projectId,
      state: 'starting',
      log: bootstrapServers === undefined ? 'embedded' : 'kafka',
      startedAt: clock.now(),
      endedAt: null,
      error: null,
      overrides: wishes.overrides,
      fingerprint,
    })
    let announced = false
    const tell = () => {
      if (announced) onState(run.summary)
    }
    const process = new RunProcess({
      childModule: this.#options.childModule,
      limits,
      clock,
      order: {
        runId,
        projectFolder,
        ...wishes,
        bootstrapServers,
        frameIntervalMs: FRAME_INTERVAL_MS,
        heartbeatMs: limits.heartbeatMs,
        stalledMs: limits.unresponsiveMs / 2,
      },
      onFrame: (frame) => run.push(frame),
      onRestore: (restore) => {
        run.restored(restore)
        // It may take minutes, in which nobody knew of the run.
        announce()
      },
      onState: (state) => {
        // How it ended is told once the process is gone: with the error, and when the next run may start.
        if (state === 'stopped' || state === 'failed') return
        run.moveTo(state)
        tell()
      },
      onEnd: (error) => {
        run.end(error, clock.now())
        tell()
        // Here and not in the process: it may have been killed.
        void rm(runFolderOf(projectFolder, runId), { recursive: true, force: true })
      },
    })
    const announce = () => {
      announced = true
      tell()
    }
    return { run, process, announce, isAnnounced: () => announced }
  }

  #entryOf(runId: string): Entry {
    for (const entry of this.#entries.values()) if (entry.run.summary.runId === runId) return entry
    throw noRun(`There is no run "${runId}" here; the agent may have been started again since`)
  }
}

/** Asked twice they do no harm. */
const READING: ReadonlySet<LogQuery['type']> = new Set(['list-topics', 'read-topic'])

function runActive(run: RunSummary): AgentError {
  return new AgentError(`The project "${run.projectId}" is running; stop it first`, {
    code: 'RUN_ACTIVE',
    kind: 'user',
    retriable: false,
    context: { runId: run.runId, projectId: run.projectId },
  })
}

function noRun(message: string): AgentError {
  return new AgentError(message, { code: 'NO_RUN', kind: 'user', retriable: false })
}

function noReset(): AgentError {
  return new AgentError('Topics on Kafka are not emptied from here; delete them with the tools of your cluster', {
    code: 'BAD_REQUEST',
    kind: 'user',
    retriable: false,
  })
}
