import type { Clock } from '@lanescope/core'
import type { Replies } from '@lanescope/shared'
import { type AgentClient, RequestError } from '../client/AgentClient.js'
import type { AppStores } from '../store/AppStores.js'
import type { TabId } from '../store/viewStore.js'

/** One record to append, as the wire takes it. */
export interface ProduceRequest {
  readonly topic: string
  /** −1: by key. */
  readonly partition: number
  readonly key: string | null
  readonly value: string | null
  readonly timestamp: number
}

/** Config that holds for one run alone. */
export type RunOverrides = { readonly [key: string]: unknown }

/** A way to start a run, as the Run menu lists it. */
export interface RunChoice {
  readonly id: string
  readonly label: string
  readonly hint: string
  readonly overrides: RunOverrides
  readonly fromBeginning?: true
}

export const RUN_CHOICES: readonly RunChoice[] = [
  { id: 'run', label: 'Run', hint: 'as app.config.json says', overrides: {} },
  {
    id: 'run-guard-warn',
    label: 'Run with the lane guard on warn',
    hint: 'timer.lane-affinity.guard: warn',
    overrides: { 'timer.lane-affinity.guard': 'warn' },
  },
  {
    id: 'run-future-reject',
    label: 'Run with the future guard on reject',
    hint: 'future-timestamp.guard: reject',
    overrides: { 'future-timestamp.guard': 'reject' },
  },
  {
    id: 'run-future-off',
    label: 'Run with the future guard off',
    hint: 'future-timestamp.guard: off',
    overrides: { 'future-timestamp.guard': 'off' },
  },
  {
    id: 'run-from-beginning',
    label: 'Run from the beginning',
    hint: 'no state, every topic from its first record',
    overrides: {},
    fromBeginning: true,
  },
]

/** Whatever a run shows is read at a glance from this height on, in px. */
const LIVE_HEIGHT = 300

/** Tabs that are about the drawing; a run turns away from them. */
const OF_THE_DRAWING: readonly TabId[] = ['problems', 'code']

/** What the Run and Stop commands do. */
export interface RunActions {
  /** Starts a run of the open project and turns to Live mode. Refusals go to the run store. */
  start(overrides?: RunOverrides, fromBeginning?: boolean): Promise<void>
  /** Stops the open project's run, or the one that is named; false when that was refused. */
  stop(runId?: string): Promise<boolean>
  /** Stops the run and starts the project as it is now, with the overrides of the run that was. */
  restart(): Promise<void>
  /** Appends one record to a topic of the open project. */
  produce(record: ProduceRequest): Promise<Replies['produce']>
  /** Asks the running engine what a record of that time would do, without sending anything (F5). */
  previewFuture(source: string, timestamp: number): Promise<Replies['preview-future']>
}

export interface RunActionDeps {
  readonly client: AgentClient
  readonly stores: AppStores
  readonly clock: Clock
  /** Resolves once every edit is on disk. */
  readonly flush: () => Promise<void>
}

export function createRunActions(deps: RunActionDeps): RunActions {
  const { client, stores } = deps
  const stop = (runId = stores.run.getState().run?.runId) =>
    orRefusal(stores, async () => {
      if (runId === undefined) return
      const { run } = await client.request('stop-run', { runId })
      if (stores.run.getState().run?.runId === runId) stores.run.getState().setRun(run)
    })
  return {
    start: (overrides = {}, fromBeginning = false) => startRun(deps, overrides, fromBeginning),
    stop,
    restart: async () => {
      const { run } = stores.run.getState()
      if (run !== null && run.endedAt === null && !(await stop(run.runId))) return
      await startRun(deps, run?.overrides ?? {}, false)
    },
    produce: (record) => client.request('produce', { ...record, projectId: openProject(stores) }),
    previewFuture: (source, timestamp) => {
      const run = stores.run.getState().run
      if (!run || run.endedAt !== null) throw notRunning()
      return client.request('preview-future', { runId: run.runId, source, timestamp })
    },
  }
}

async function startRun(deps: RunActionDeps, overrides: RunOverrides, fromBeginning: boolean): Promise<void> {
  const { client, stores, flush } = deps
  const { projectId } = stores.project.getState()
  if (projectId === null) return
  stores.run.getState().setStarting(true)
  // A start that restores state takes its time, and the agent tells of it while this still waits for its answer.
  let turned = false
  const end = stores.run.subscribe(({ run }, before) => {
    if (turned || run === null || run.endedAt !== null || run.runId === before.run?.runId) return
    turned = true
    turnToLive(stores)
  })
  const done = await orRefusal(stores, async () => {
    await flush()
    const { run } = await client.request('start-run', {
      projectId,
      overrides,
      generators: true,
      ...(fromBeginning ? { fromBeginning } : {}),
    })
    stores.run.getState().setRun(run)
  }).finally(end)
  if (done && !turned) turnToLive(stores)
  stores.run.getState().setStarting(false)
}

function turnToLive(stores: AppStores): void {
  const { drawerHeight, tab, set } = stores.view.getState()
  set({
    mode: 'live',
    tab: OF_THE_DRAWING.includes(tab) ? 'lanes' : tab,
    drawerOpen: true,
    drawerHeight: Math.max(drawerHeight, LIVE_HEIGHT),
  })
}

/**
 * What the agent refused is shown where runs are started; anything else is a fault of ours and is thrown on.
 *
 * @returns whether it was done
 */
async function orRefusal(stores: AppStores, act: () => Promise<void>): Promise<boolean> {
  try {
    await act()
    return true
  } catch (error) {
    if (!(error instanceof RequestError)) {
      stores.run.getState().setStarting(false)
      throw error
    }
    stores.run.getState().setRefusal(error.error)
    return false
  }
}

function openProject(stores: AppStores): string {
  const { projectId } = stores.project.getState()
  if (projectId !== null) return projectId
  throw refused('NO_PROJECT', 'No project is open. Open one, then send the record.')
}

function notRunning(): RequestError {
  return refused('NOT_RUNNING', 'The run has ended, so there is no engine to ask. Start a run first.')
}

function refused(code: string, message: string): RequestError {
  return new RequestError({ code, kind: 'user', message, context: {} })
}
