import type { RunSummary } from '@lanescope/shared'
import { expect, it } from 'vitest'
import { RequestError } from '../client/AgentClient.js'
import { createStores } from '../store/AppStores.js'
import { keepWatching } from './keepWatching.js'

const run = (runId: string): RunSummary => ({
  runId,
  projectId: 'p',
  state: 'running',
  log: 'embedded',
  startedAt: 0,
  endedAt: null,
  error: null,
})

function page(answer: (runId: string) => RunSummary) {
  const stores = createStores({ now: () => 0 })
  const asked: string[] = []
  const request = async (type: string, body: { readonly runId: string }) => {
    asked.push(type === 'watch-run' ? body.runId : `${type} ${body.runId}`)
    return { run: answer(body.runId) }
  }
  const end = keepWatching({ request: request as never }, stores)
  return { stores, asked, end }
}

it('watches each new run once, and again after a lost connection', async () => {
  const { stores, asked, end } = page(run)
  stores.connection.getState().set({ status: 'open' })
  stores.run.getState().setRun(run('a'))
  stores.run.getState().setRun({ ...run('a'), state: 'stopping' })
  expect(asked).toEqual(['a'])
  stores.connection.getState().set({ status: 'lost' })
  stores.connection.getState().set({ status: 'open' })
  expect(asked).toEqual(['a', 'a'])
  stores.run.getState().setRun(run('b'))
  expect(asked).toEqual(['a', 'a', 'b'])
  end()
  stores.run.getState().setRun(run('c'))
  expect(asked).toHaveLength(3)
})

it('declines the frames of a run once there is none to watch', () => {
  const { stores, asked } = page(run)
  stores.connection.getState().set({ status: 'open' })
  stores.run.getState().setRun(run('a'))
  stores.run.getState().setRun(null)
  stores.run.getState().setRun(run('b'))
  expect(asked).toEqual(['a', 'unwatch-run a', 'b'])
})

it('asks nothing while the connection is lost', () => {
  const { stores, asked } = page(run)
  stores.run.getState().setRun(run('a'))
  expect(asked).toEqual([])
})

it('shows why a run cannot be watched', async () => {
  const error = { code: 'NO_SUCH_RUN', kind: 'user' as const, message: 'gone', context: {} }
  const { stores } = page(() => {
    throw new RequestError(error)
  })
  stores.connection.getState().set({ status: 'open' })
  stores.run.getState().setRun(run('a'))
  await Promise.resolve()
  expect(stores.run.getState().refusal).toEqual(error)
})
