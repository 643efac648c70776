import type { Clock } from '@lanescope/core'
import type { Replies } from '@lanescope/shared'
import { type AgentClient, RequestError } from '../client/AgentClient.js'
import type { AppStores } from '../store/AppStores.js'

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
}

export const RUN_CHOICES: readonly RunChoice[] = [
  { id: 'run', label: 'Run', hint: 'as app.config.json says', overrides: {} },
  {
    id: 'run-guard-warn',
    label: 'Run with the guard on warn',
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
]

/** The lane board is read at a glance from this height on, in px. */
const LANE_BOARD_HEIGHT = 282

/** What the Run and Stop commands do. */
export interface RunActions {
  /** Starts a run of the open project and turns to Live mode. Refusals go to the run store. */
  start(overrides?: RunOverrides): Promise<void>
  stop(): Promise<void>
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
  return {
    start: (overrides = {}) => startRun(deps, overrides),
    stop: async () => {
      const run = stores.run.getState().run
      if (!run) return
      await orRefusal(stores, async () => {
        stores.run.getState().setRun((await client.request('stop-run', { runId: run.runId })).run)
      })
    },
    produce: (record) => client.request('produce', { ...record, projectId: openProject(stores) }),
    previewFuture: (source, timestamp) => {
      const run = stores.run.getState().run
      if (!run || run.endedAt !== null) throw notRunning()
      return client.request('preview-future', { runId: run.runId, source, timestamp })
    },
  }
}

async function startRun({ client, stores, flush }: RunActionDeps, overrides: RunOverrides): Promise<void> {
  const { projectId } = stores.project.getState()
  if (projectId === null) return
  stores.run.getState().setStarting(true)
  await orRefusal(stores, async () => {
    await flush()
    const { run } = await client.request('start-run', { projectId, overrides, generators: true })
    stores.run.getState().setRun(run)
    const { drawerHeight, set } = stores.view.getState()
    set({ mode: 'live', tab: 'lanes', drawerOpen: true, drawerHeight: Math.max(drawerHeight, LANE_BOARD_HEIGHT) })
  })
  stores.run.getState().setStarting(false)
}

/** What the agent refused is shown where runs are started; anything else is a fault of ours and is thrown on. */
async function orRefusal(stores: AppStores, act: () => Promise<void>): Promise<void> {
  try {
    await act()
  } catch (error) {
    if (!(error instanceof RequestError)) {
      stores.run.getState().setStarting(false)
      throw error
    }
    stores.run.getState().setRefusal(error.error)
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
