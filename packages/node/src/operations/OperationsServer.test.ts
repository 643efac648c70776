import { type EngineApi, type EngineEvent, type EngineState, EventHub, type RestoreFacts } from '@lanescope/core'
import { afterEach, expect, it } from 'vitest'
import { EngineMonitor } from './EngineMonitor.js'
import { OperationsServer } from './OperationsServer.js'

let server: OperationsServer | undefined
afterEach(() => server?.close())

async function scene() {
  const events = new EventHub()
  const engine: { state: EngineState; readonly events: EventHub } = { state: 'starting', events }
  const monitor = new EngineMonitor()
  monitor.watch(engine as EngineApi)
  server = await OperationsServer.listen({ host: '127.0.0.1', port: 0 }, monitor, 'app')
  const { url } = server
  const get = async (path: string) => {
    const answer = await fetch(`${url}${path}`)
    return { status: answer.status, text: await answer.text() }
  }
  const tell = (facts: Partial<RestoreFacts>) => {
    const amount = { records: 0, bytes: 0, left: 9, elapsedMs: 0, leftMs: undefined, ...facts }
    const total = { ...amount, stores: 2, storesLeft: 2, ...facts.total }
    const event: EngineEvent = { type: 'restore-progress', at: 0, owner: 'counts', topic: 't', ...amount, total }
    events.emit(event as never)
  }
  return { engine, get, tell }
}

it('[E5] tells how far a restore is as long as the application is not ready', async () => {
  const { engine, get, tell } = await scene()
  expect(await get('/ready')).toEqual({ status: 503, text: '{"ready":false,"state":"starting"}\n' })
  tell({ records: 4, bytes: 40, left: 6, leftMs: 1500 })
  const { status, text } = await get('/ready')
  const amount = { records: 4, bytes: 40, left: 6, leftMs: 1500 }
  expect([status, JSON.parse(text)]).toEqual([
    503,
    {
      ready: false,
      state: 'starting',
      restoring: { ...amount, storesLeft: 2, stores: [{ store: 'counts', ...amount }] },
    },
  ])
  expect((await get('/health')).status).toBe(200)
  engine.state = 'running'
  expect(await get('/ready')).toEqual({ status: 200, text: '{"ready":true,"state":"running"}\n' })
})

it('[E5] has the progress of a restore as metrics, also before there is any', async () => {
  const { get, tell } = await scene()
  const lines = async () =>
    (await get('/metrics')).text.split('\n').filter((line) => line.startsWith('lanescope_restore_'))
  expect(await lines()).toEqual(['lanescope_restore_stores_left 0', 'lanescope_restore_left_seconds 0'])
  tell({})
  expect(await lines()).toEqual([
    'lanescope_restore_stores_left 2',
    'lanescope_restore_left_seconds 0',
    'lanescope_restore_records_total{store="counts"} 0',
    'lanescope_restore_bytes_total{store="counts"} 0',
    'lanescope_restore_left_records{store="counts"} 9',
  ])
  tell({ records: 4, bytes: 40, left: 6, leftMs: 1500 })
  expect(await lines()).toEqual([
    'lanescope_restore_stores_left 2',
    'lanescope_restore_left_seconds 1.5',
    'lanescope_restore_records_total{store="counts"} 4',
    'lanescope_restore_bytes_total{store="counts"} 40',
    'lanescope_restore_left_records{store="counts"} 6',
    'lanescope_restore_store_left_seconds{store="counts"} 1.5',
  ])
})
