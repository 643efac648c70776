import type { RunFrame, RunSummary } from '@lanescope/shared'
import { expect, it } from 'vitest'
import { createStores } from '../store/AppStores.js'
import { takeServerMessage } from './takeServerMessage.js'

const run = (projectId: string, endedAt: number | null = null): RunSummary => ({
  runId: `run-of-${projectId}`,
  projectId,
  state: endedAt === null ? 'running' : 'stopped',
  log: 'embedded',
  startedAt: 0,
  endedAt,
  error: null,
})
const frame = (runId: string) => ({ runId, seq: 1, rare: [] }) as unknown as RunFrame

function page() {
  const stores = createStores({ now: () => 5 })
  const document = { ...stores.project.getState().workspace.document, name: 'mine' }
  stores.project.getState().open({ id: 'mine', revision: 1, document, files: {}, config: {} })
  const take = (message: Parameters<typeof takeServerMessage>[0]) =>
    takeServerMessage(message, stores, { now: () => 5 })
  return { stores, take }
}

it('shows the frames of the project’s own run alone', () => {
  const { stores, take } = page()
  take({ type: 'frame', frame: frame('run-of-mine') })
  expect(stores.run.getState().frame).toBeNull()
  take({ type: 'run-state', run: run('mine') })
  take({ type: 'frame', frame: frame('run-of-another') })
  expect(stores.run.getState().frame).toBeNull()
  take({ type: 'frame', frame: frame('run-of-mine') })
  expect(stores.run.getState()).toMatchObject({ frame: { runId: 'run-of-mine' }, frameAt: 5 })
})

it('knows which runs live, and takes only its own project’s as its own', () => {
  const { stores, take } = page()
  take({ type: 'run-state', run: run('another') })
  take({ type: 'run-state', run: run('mine') })
  expect(stores.connection.getState().runs.map(({ projectId }) => projectId)).toEqual(['another', 'mine'])
  expect(stores.run.getState().run?.projectId).toBe('mine')
  take({ type: 'run-state', run: run('another', 9) })
  expect(stores.connection.getState().runs.map(({ projectId }) => projectId)).toEqual(['mine'])
  expect(stores.run.getState().run?.endedAt).toBeNull()
})
