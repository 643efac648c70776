import { networkInterfaces } from 'node:os'
import {
  type EngineApi,
  type EngineEvent,
  type EngineState,
  EventHub,
  type LogOutage,
  ManualClock,
  type RestoreFacts,
  StreamError,
} from '@lanescope/core'
import { afterEach, expect, it } from 'vitest'
import { EngineMonitor } from './EngineMonitor.js'
import { OperationsServer } from './OperationsServer.js'

let server: OperationsServer | undefined
afterEach(() => server?.close())

async function scene(host = '127.0.0.1') {
  const events = new EventHub()
  const engine: { state: EngineState; readonly events: EventHub } = { state: 'starting', events }
  const monitor = new EngineMonitor(new ManualClock(0))
  const log: { outage?: LogOutage } = {}
  monitor.watch(engine as EngineApi, log)
  server = await OperationsServer.listen({ host, port: 0 }, monitor, 'app')
  const { url } = server
  const ask = (path: string, method = 'GET') => fetch(`${url}${path}`, { method })
  const get = async (path: string) => {
    const answer = await ask(path)
    return { status: answer.status, text: await answer.text() }
  }
  const tell = (facts: Partial<RestoreFacts>) => {
    const amount = { records: 0, bytes: 0, left: 9, elapsedMs: 0, leftMs: undefined, ...facts }
    const total = { ...amount, stores: 2, storesLeft: 2, ...facts.total }
    const event: EngineEvent = { type: 'restore-progress', at: 0, owner: 'counts', topic: 't', ...amount, total }
    events.emit(event as never)
  }
  return { engine, log, url, ask, get, tell }
}

it('[E5] tells how far a restore is as long as the application is not ready', async () => {
  const { engine, get, tell } = await scene()
  const notReady = {
    ready: false,
    state: 'starting',
    reason: 'it starts: topics, positions and state are being read',
    since: '1970-01-01T00:00:00.000Z',
  }
  expect(await get('/ready')).toEqual({ status: 503, text: `${JSON.stringify(notReady)}\n` })
  tell({ records: 4, bytes: 40, left: 6, leftMs: 1500 })
  const { status, text } = await get('/ready')
  const amount = { records: 4, bytes: 40, left: 6, leftMs: 1500 }
  expect([status, JSON.parse(text)]).toEqual([
    503,
    {
      ...notReady,
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

it('is not ready while the log does not answer, says why and since when, and lives; ready again once it does', async () => {
  const { engine, log, get } = await scene()
  engine.state = 'running'
  log.outage = { since: 1_700_000_000_000, reason: 'Kafka at k: broker 1: refused' }
  const { status, text } = await get('/ready')
  expect([status, JSON.parse(text)]).toEqual([
    503,
    { ready: false, state: 'running', reason: 'Kafka at k: broker 1: refused', since: '2023-11-14T22:13:20.000Z' },
  ])
  expect((await get('/health')).status).toBe(200)
  delete log.outage
  expect((await get('/ready')).status).toBe(200)
})

it('is not alive once the run has failed', async () => {
  const { engine, get } = await scene()
  engine.state = 'failed'
  expect(await get('/health')).toEqual({ status: 503, text: '{"alive":false,"state":"failed"}\n' })
  expect((await get('/ready')).status).toBe(503)
})

it('answers HEAD without a body, 404 and 405 in words, and names what is allowed', async () => {
  const { ask } = await scene()
  const kinds = {
    '/health': 'application/json',
    '/ready': 'application/json',
    '/metrics': 'text/plain; version=0.0.4; charset=utf-8',
  }
  for (const [path, type] of Object.entries(kinds)) {
    const [full, head] = [await ask(path), await ask(path, 'HEAD')]
    const length = String(Buffer.byteLength(await full.text()))
    expect([full.headers.get('content-type'), full.headers.get('cache-control')]).toEqual([type, 'no-store'])
    expect([head.status, head.headers.get('content-type'), await head.text()]).toEqual([full.status, type, ''])
    // Metrics of the process are never the same twice.
    if (path !== '/metrics') expect(head.headers.get('content-length')).toBe(length)
  }
  const missing = await ask('/nothing')
  expect([missing.status, missing.headers.get('content-type'), await missing.text()]).toEqual([
    404,
    'text/plain; charset=utf-8',
    'There is /health, /ready and /metrics.\n',
  ])
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
    const refused = await ask('/ready', method)
    expect([refused.status, refused.headers.get('allow'), await refused.text()]).toEqual([
      405,
      'GET, HEAD',
      'Ask with GET.\n',
    ])
  }
})

const hasIpv6 = Object.values(networkInterfaces()).some((found) => found?.some(({ address }) => address === '::1'))

it.skipIf(!hasIpv6)('listens at an address of IPv6, and says it as a URL has it', async () => {
  const { url, get } = await scene('::1')
  expect(url).toMatch(/^http:\/\/\[::1\]:\d+$/)
  expect((await get('/health')).status).toBe(200)
})

it('says in one line what keeps it from listening, and what to do', async () => {
  const { url } = await scene()
  const monitor = new EngineMonitor(new ManualClock(0))
  const port = Number(new URL(url).port)
  const listening = (host: string, at: number) =>
    OperationsServer.listen({ host, port: at }, monitor, 'app').catch((error: unknown) => error)
  const taken = await listening('127.0.0.1', port)
  expect(taken).toBeInstanceOf(StreamError)
  expect((taken as StreamError).message).toBe(
    `Nothing can listen at http.host "127.0.0.1", http.port ${port}: another process listens there. Give http.port another one, or 0 for a free one`,
  )
  for (const host of ['192.0.2.1', 'no-such-host.invalid']) {
    expect((await listening(host, 0)) as StreamError).toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringMatching(
        /: this machine has no such address\. Give http\.host one of its own, .*0\.0\.0\.0/,
      ),
    })
  }
})
