import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SystemClock } from '@lanescope/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openLog } from '../src/index.js'
import { type KafkaBroker, startKafkaBroker, whyNoBroker } from './kafkaBroker.js'
import { bundleOperatedApp, OperatedProcess } from './OperatedProcess.js'
import { parsePrometheus } from './prometheusText.js'

const reason = whyNoBroker()
const clock = new SystemClock()

describe.skipIf(reason !== undefined)(`An application on Kafka${reason === undefined ? '' : ` (${reason})`}`, () => {
  let broker: KafkaBroker
  let bundle: string
  let dir: string
  const started: OperatedProcess[] = []
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'lanescope-operations-'))
    broker = await startKafkaBroker('--secure')
    bundle = await bundleOperatedApp()
  }, 300_000)
  afterAll(async () => {
    for (const each of started) each.signal('SIGKILL')
    for (const each of started) await each.ended
    await broker?.stop()
    for (const folder of [bundle, dir]) if (folder !== undefined) await rm(folder, { recursive: true, force: true })
  }, 300_000)

  const secured = () => ({
    'bootstrap.servers': broker.listener('SASL_SSL'),
    'security.protocol': 'SASL_SSL',
    'ssl.ca.location': join(broker.dir, 'tls', 'ca.pem'),
    'sasl.mechanism': 'SCRAM-SHA-256',
    'sasl.username': 'alice',
  })
  const start = (...args: string[]) => {
    const sets = Object.entries({ ...secured(), 'state.dir': dir, 'commit.interval.ms': '60000' })
    const flags = sets.flatMap(([key, value]) => ['--set', `${key}=${value}`])
    const app = new OperatedProcess(bundle, [...flags, ...args], { LANESCOPE_SASL_PASSWORD: 'alice-secret' })
    started.push(app)
    return app
  }
  const withLog = async <T>(work: (log: Awaited<ReturnType<typeof openLog>>) => Promise<T>) => {
    const log = await openLog({ ...secured(), 'sasl.password': 'alice-secret' }, { clock })
    try {
      return await work(log)
    } finally {
      await log.close()
    }
  }
  const outputs = () =>
    withLog(async (log) => {
      const { records } = await log.read('out', 0, 0, 100)
      return records.map(({ value }) => new TextDecoder().decode(value ?? undefined))
    })
  /** Until all records are taken; the interval would commit them in a minute only. */
  const worksOff = async (app: OperatedProcess, count: number) => {
    const url = await app.said(/metrics at (\S+)/)
    for (;;) {
      const text = await (await fetch(`${url}/metrics`)).text()
      if (text.includes(`lanescope_node_records_in_total{node="write"} ${count}\n`)) return
      await new Promise<void>((resolve) => clock.after(50, resolve))
    }
  }

  it('[E14] commits and leaves at SIGTERM, is set back by --reset, and not while it runs', async () => {
    const app = start('--create-topics', '--set', 'http.port=0')
    await app.said(/Running on/)
    const key = new TextEncoder().encode('a')
    const record = { topic: 'in', partition: 0, key, value: new TextEncoder().encode('{}'), headers: [] }
    await withLog((log) => log.append([1, 2].map(() => ({ ...record, timestamp: clock.now() }))))
    await worksOff(app, 2)
    const refused = start('--reset')
    expect(await refused.ended).toBe(1)
    app.signal('SIGTERM')
    expect([await app.ended, app.err]).toEqual([0, ''])
    expect(await outputs()).toEqual(['1', '2'])

    const reset = start('--reset')
    expect([await reset.ended, reset.err]).toEqual([0, ''])
    expect(reset.out).toMatch(/"operated" is set back to the beginning of in\./)
    const again = start('--set', 'http.port=0')
    await worksOff(again, 2)
    again.signal('SIGTERM')
    expect([await again.ended, again.err]).toEqual([0, ''])
    expect(await outputs()).toEqual(['1', '2', '1', '2'])
    for (const { out, err } of started) expect(out + err).not.toContain('alice-secret')
  }, 300_000)

  it('is not ready while the broker is gone, says why and since when, lives, and is ready again by itself', async () => {
    const app = start('--create-topics', '--set', 'http.port=0')
    const url = await app.said(/metrics at (\S+)/)
    await app.said(/Running on/)
    const until = async (status: number) => {
      for (;;) {
        const answer = await fetch(`${url}/ready`)
        const told = (await answer.json()) as { reason: string; since: string }
        if (answer.status === status) return told
        await new Promise<void>((resolve) => clock.after(50, resolve))
      }
    }
    await until(200)
    const before = clock.now()
    await broker.restart(async () => {
      const { reason, since } = await until(503)
      expect(reason).toMatch(/^Kafka at \S+: broker \d+: /)
      expect(Date.parse(since)).toBeGreaterThanOrEqual(before - 1_000)
      expect(Date.parse(since)).toBeLessThan(clock.now() - 4_000)
      expect((await fetch(`${url}/health`)).status).toBe(200)
      const metrics = parsePrometheus(await (await fetch(`${url}/metrics`)).text())
      const value = (name: string) => metrics.get(name)?.samples.get(name)
      expect(value('lanescope_log_unreachable_seconds')).toBeGreaterThan(4)
      expect(value('lanescope_ready')).toBe(0)
    })
    await until(200)
    app.signal('SIGTERM')
    expect(await app.ended).toBe(0)
  }, 300_000)
})
