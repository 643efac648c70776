import type { RunSummary } from '@lanescope/shared'
import { expect, it } from 'vitest'
import { RequestError } from '../client/AgentClient.js'
import { createStores } from '../store/AppStores.js'
import { createRunActions } from './runActions.js'

const run = (change: Partial<RunSummary> = {}): RunSummary => ({
  runId: 'r1',
  projectId: 'p',
  state: 'running',
  log: 'embedded',
  startedAt: 0,
  endedAt: null,
  error: null,
  ...change,
})

function page(refused?: string) {
  const stores = createStores({ now: () => 0 })
  const { document } = stores.project.getState().workspace
  stores.project.getState().open({ id: 'p', revision: 1, document, files: {}, config: {} })
  const asked: unknown[] = []
  const request = async (type: string, body: { readonly [field: string]: unknown }) => {
    asked.push([type, body])
    if (type === refused) throw new RequestError({ code: 'NO_RUN', kind: 'user', message: 'no', context: {} })
    return { run: type === 'stop-run' ? run({ state: 'stopped', endedAt: 1 }) : run({ runId: 'r2' }) }
  }
  const flush = async () => void asked.push('flush')
  const actions = createRunActions({ client: { request } as never, stores, clock: null as never, flush })
  return { stores, asked, actions }
}

const started = (more: object = {}) => ['start-run', { projectId: 'p', overrides: {}, generators: true, ...more }]

it('starts what is on disk, from the beginning where that is asked for', async () => {
  const { stores, asked, actions } = page()
  await actions.start()
  await actions.start({}, true)
  expect(asked).toEqual(['flush', started(), 'flush', started({ fromBeginning: true })])
  expect(stores.run.getState().run?.runId).toBe('r2')
})

it('turns from the tabs of the drawing to the lanes, and leaves a tab of the run open', async () => {
  const { stores, actions } = page()
  await actions.start()
  expect(stores.view.getState()).toMatchObject({ mode: 'live', tab: 'lanes', drawerOpen: true })
  stores.view.getState().set({ tab: 'timers', drawerHeight: 500 })
  await actions.start()
  expect(stores.view.getState()).toMatchObject({ tab: 'timers', drawerHeight: 500 })
})

it('restarts with the overrides of the run that it stops', async () => {
  const { stores, asked, actions } = page()
  const overrides = { 'timer.lane-affinity.guard': 'warn' }
  stores.run.getState().setRun(run({ overrides }))
  await actions.restart()
  expect(asked).toEqual([['stop-run', { runId: 'r1' }], 'flush', started({ overrides })])
})

it('starts nothing when the run cannot be stopped, and says why', async () => {
  const { stores, asked, actions } = page('stop-run')
  stores.run.getState().setRun(run())
  await actions.restart()
  expect(asked).toHaveLength(1)
  expect(stores.run.getState().refusal?.code).toBe('NO_RUN')
})

it('stops a run of another project without touching its own', async () => {
  const { stores, asked, actions } = page()
  const own = run({ runId: 'own' })
  stores.run.getState().setRun(own)
  expect(await actions.stop('r1')).toBe(true)
  expect(asked).toEqual([['stop-run', { runId: 'r1' }]])
  expect(stores.run.getState().run).toBe(own)
})
