import { readFileSync } from 'node:fs'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SystemClock } from '@lanescope/core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { InboxSender, openLog } from '../src/index.js'
import { bundleOperatedApp, OperatedProcess } from './OperatedProcess.js'
import { parsePrometheus } from './prometheusText.js'

const clock = new SystemClock()
const page = readFileSync(new URL('../../../docs/reference/metrics.md', import.meta.url), 'utf8')

let bundle: string
let dir: string
let started: OperatedProcess[]
beforeAll(async () => {
  bundle = await bundleOperatedApp()
}, 300_000)
afterAll(() => rm(bundle, { recursive: true, force: true }))
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lanescope-operations-'))
  started = []
})
afterEach(async () => {
  for (const each of started) each.signal('SIGKILL')
  for (const each of started) await each.ended
  await rm(dir, { recursive: true, force: true })
})

const config = () => ({ 'embedded.log.dir': join(dir, 'log'), 'state.dir': join(dir, 'state') })
function start(args: readonly string[] = [], env: Readonly<{ [name: string]: string }> = {}): OperatedProcess {
  const sets = Object.entries(config()).flatMap(([key, value]) => ['--set', `${key}=${value}`])
  const app = new OperatedProcess(bundle, [...sets, ...args], env)
  started.push(app)
  return app
}

async function send(...steps: (object | null)[]): Promise<void> {
  const sender = new InboxSender(join(dir, 'log'), clock)
  const value = (step: object | null) => (step === null ? null : new TextEncoder().encode(JSON.stringify(step)))
  const key = new TextEncoder().encode('a')
  await sender.append(
    steps.map((step) => ({ topic: 'in', partition: 0, key, value: value(step), timestamp: clock.now(), headers: [] })),
  )
  sender.close()
}

async function outputs(): Promise<readonly string[]> {
  const log = await openLog(config(), { clock })
  const { records } = await log.read('out', 0, 0, 100)
  await log.close()
  return records.map(({ value }) => new TextDecoder().decode(value ?? undefined))
}

/** Asks until the answer is as wanted; the test's own time-out ends it. */
async function until<T>(ask: () => Promise<T>, isWanted: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await ask()
    if (isWanted(value)) return value
    await new Promise<void>((resolve) => clock.after(20, resolve))
  }
}

const get = async (url: string, init?: RequestInit) => {
  const response = await fetch(url, init)
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() }
}
const metric = (text: string, line: string) =>
  Number(
    text
      .split('\n')
      .find((each) => each.startsWith(`${line} `))
      ?.slice(line.length + 1),
  )

describe('an application in its own process', () => {
  it('[E14] ends with 0 at SIGTERM, and has committed all that it had done', async () => {
    const app = start(['--set', 'commit.interval.ms=60000', '--set', 'http.port=0'])
    const url = await app.said(/metrics at (\S+)/)
    await app.said(/Running on/)
    await send({}, {}, {})
    // Done, and by its interval not to be committed for a minute.
    await until(
      () => get(`${url}/metrics`),
      ({ text }) => metric(text, 'lanescope_node_records_in_total{node="write"}') === 3,
    )
    app.signal('SIGTERM')
    expect(await app.ended).toBe(0)
    expect(app.err).toBe('')
    expect(app.out).toMatch(/SIGTERM: stopping…\n.*Stopped\.\n$/)
    expect(await outputs()).toEqual(['1', '2', '3'])
  }, 300_000)

  it('[E14] ends with 1 when a callback does not finish within shutdown.timeout-ms, and loses nothing', async () => {
    const app = start(['--set', 'shutdown.timeout-ms=200', '--set', 'http.port=0'])
    const url = await app.said(/metrics at (\S+)/)
    await app.said(/Running on/)
    await send({}, { hang: true })
    await until(
      () => get(`${url}/metrics`),
      ({ text }) => metric(text, 'lanescope_node_records_in_total{node="count"}') === 2,
    )
    app.signal('SIGTERM')
    expect(await app.ended).toBe(1)
    expect(app.err).toMatch(/ERROR .*shutdown\.timeout-ms/)
    expect(app.out).not.toContain('Stopped.')
  }, 300_000)

  it('ends at once, with 1, at a second signal', async () => {
    const app = start(['--set', 'http.port=0'])
    const url = await app.said(/metrics at (\S+)/)
    await app.said(/Running on/)
    await send({ hang: true })
    await until(
      () => get(`${url}/metrics`),
      ({ text }) => metric(text, 'lanescope_node_records_in_total{node="count"}') === 1,
    )
    app.signal('SIGINT')
    await app.said(/SIGINT: stopping/)
    app.signal('SIGTERM')
    expect(await app.ended).toBe(1)
    expect(app.err).toMatch(/SIGTERM again: ending at once/)
  }, 300_000)

  it('commits and ends with 0 though nobody reads its lines any more', async () => {
    const app = start(['--set', 'commit.interval.ms=60000', '--set', 'http.port=0'])
    const url = await app.said(/metrics at (\S+)/)
    await app.said(/Running on/)
    app.closeOutput()
    await send({}, {})
    await until(
      () => get(`${url}/metrics`),
      ({ text }) => metric(text, 'lanescope_node_records_in_total{node="write"}') === 2,
    )
    app.signal('SIGTERM')
    expect([await app.ended, app.err]).toEqual([0, ''])
    expect(await outputs()).toEqual(['1', '2'])
  }, 60_000)

  it('answers health, readiness and metrics, and only questions', async () => {
    const app = start([], { LANESCOPE_HTTP_PORT: '0' })
    const url = await app.said(/metrics at (\S+)/)
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    await until(
      () => get(`${url}/ready`),
      ({ status }) => status === 200,
    )
    expect(await get(`${url}/health`)).toMatchObject({ status: 200, text: '{"alive":true,"state":"running"}\n' })
    expect(await get(`${url}/ready?from=probe`)).toMatchObject({ text: '{"ready":true,"state":"running"}\n' })
    expect(await get(`${url}/ready`, { method: 'POST' })).toMatchObject({ status: 405 })
    expect(await get(`${url}/`)).toMatchObject({ status: 404, text: 'There is /health, /ready and /metrics.\n' })
    const due = clock.now() + 3_600_000
    await send({ timerAt: due }, {}, {})
    const { text, type } = await until(
      () => get(`${url}/metrics`),
      (answer) =>
        metric(answer.text, 'lanescope_store_entries{store="counts"}') === 1 &&
        metric(answer.text, 'lanescope_node_records_in_total{node="count"}') === 3,
    )
    expect(type).toBe('text/plain; version=0.0.4; charset=utf-8')
    const expected = {
      'lanescope_info{application_id="operated"}': 1,
      'lanescope_state{state="running"}': 1,
      'lanescope_state{state="starting"}': 0,
      lanescope_ready: 1,
      lanescope_restarts_total: 0,
      'lanescope_node_records_in_total{node="count"}': 3,
      'lanescope_node_records_out_total{node="read"}': 3,
      'lanescope_partition_lag_records{source="read",topic="in",partition="0"}': 0,
      'lanescope_timers_pending{node="count"}': 1,
      'lanescope_timers_late_seconds{node="count"}': 0,
      'lanescope_dropped_records_total{reason="null_key"}': 0,
      'lanescope_lane_queue_capacity{sub_topology="0",lane="1"}': 300,
    }
    for (const [line, value] of Object.entries(expected)) expect([line, metric(text, line)]).toEqual([line, value])
    expect(text).not.toMatch(/ (NaN|undefined|null)$/m)
    expect(parsePrometheus(text).get('lanescope_ready')?.samples.get('lanescope_ready')).toBe(1)
    const named = new Set(
      [...page.matchAll(/^\| `((?:lanescope|process)_\w+)` \| (\w+) \|/gm)].map((row) => `${row[1]} ${row[2]}`),
    )
    const answered = [...text.matchAll(/^# TYPE (.+)$/gm)].map(([, family = '']) => family)
    expect(answered.filter((family) => !named.has(family))).toEqual([])
    expect(new Set(answered).size).toBe(answered.length)
    app.signal('SIGTERM')
    expect(await app.ended).toBe(0)
  }, 300_000)

  it('lives and is not ready while it starts; metrics say so', async () => {
    // A broker that takes connections and never answers.
    const sockets: Socket[] = []
    const broker = createServer((socket) => sockets.push(socket))
    await new Promise<void>((resolve) => broker.listen(0, '127.0.0.1', resolve))
    const servers = `127.0.0.1:${(broker.address() as AddressInfo).port}`
    const state = `state.dir=${join(dir, 'state')}`
    const app = start(['--set', 'http.port=0', '--set', state, '--bootstrap-servers', servers])
    const url = await app.said(/metrics at (\S+)/)
    expect(await get(`${url}/health`)).toMatchObject({ status: 200, text: '{"alive":true,"state":"created"}\n' })
    expect(await get(`${url}/ready`)).toMatchObject({
      status: 503,
      text: expect.stringMatching(
        /^\{"ready":false,"state":"created","reason":"the log and the state are being opened","since":"[^"]+"\}\n$/,
      ),
    })
    const { text } = await get(`${url}/metrics`)
    expect([metric(text, 'lanescope_ready'), metric(text, 'lanescope_state{state="created"}')]).toEqual([0, 1])
    expect(text).not.toContain('lanescope_node_records_in_total')
    expect(await app.ended).toBe(1)
    expect(app.err).toMatch(/^\S+ ERROR No Kafka broker answers at .*\n$/)
    for (const socket of sockets) socket.destroy()
    broker.close()
  }, 300_000)

  it('says in one line that its port is taken', async () => {
    const taken = createServer()
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
    const { port } = taken.address() as AddressInfo
    const app = start(['--set', `http.port=${port}`])
    expect(await app.ended).toBe(1)
    expect(app.err).toMatch(
      new RegExp(`^\\S+ ERROR Nothing can listen at http.host "127.0.0.1", http.port ${port}: .*\\n$`),
    )
    taken.close()
  }, 300_000)

  it('says in one line, without a stack, what is wrong with a start, and ends with 1', async () => {
    const broken = join(dir, 'broken.json')
    await writeFile(broken, '{"lanes.count": }')
    const wrong: readonly (readonly [args: readonly string[], says: RegExp])[] = [
      [['--config', join(dir, 'none.json')], /--config names ".*none\.json", which does not exist/],
      [['--config', dir], /which is a folder/],
      [['--config', broken], /broken\.json" cannot be used: it is not JSON at line 1, column 17/],
      [['--bootstrap-servers', ''], /The flag for "bootstrap\.servers" is empty/],
      [['--bootstrap-servers', 'here'], /"bootstrap\.servers" is "here": give host:port/],
      [['--set', 'lanes.count=none'], /"lanes\.count" must be an integer .* from --set\)/],
      [['--set', `embedded.log.dir=${broken}`], /The embedded log in .* cannot be opened/],
      [['--set', `state.dir=${broken}`], /Opening the state in .* failed: .*no folder is in its way/],
      [
        ['--bootstrap-servers', 'a:1', '--set', 'security.protocol=SSL', '--set', 'ssl.ca.location=/none.pem'],
        /"ssl\.ca\.location" is "\/none\.pem", which does not exist/,
      ],
    ]
    for (const [args, says] of wrong) {
      const app = start(args)
      expect(await app.ended).toBe(1)
      expect(app.err).toMatch(new RegExp(`^\\S+ ERROR [^\\n]*${says.source}[^\\n]*\\n$`))
    }
  }, 120_000)

  it('writes each line as an object when asked, with the fields of what it is about', async () => {
    const app = start(['--log-format', 'json'])
    await app.said(/Running on/)
    await send({ fail: 'no luck' })
    expect(await app.ended).toBe(1)
    const lines = `${app.out}${app.err}`.trimEnd().split('\n')
    const objects = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
    for (const each of objects) {
      expect(each).toMatchObject({
        time: expect.stringMatching(/^\d{4}-.*Z$/),
        level: expect.stringMatching(/^(info|warn|error)$/),
        message: expect.any(String),
      })
    }
    expect(objects.at(-1)).toMatchObject({
      level: 'error',
      code: 'PROCESSING_FAILED',
      kind: 'user',
      node: 'count',
      lane: expect.any(Number),
      topic: 'in',
      partition: 0,
      offset: 0,
      stack: expect.stringContaining('no luck'),
    })
  }, 300_000)

  it('is set back to the beginning by --reset, and refuses that while it runs', async () => {
    const app = start()
    await app.said(/Running on/)
    await send({}, {})
    const running = start(['--reset'])
    expect(await running.ended).toBe(1)
    expect(running.err).toMatch(/ERROR .*(used by|in use|open)/)
    expect(running.out).toBe('')
    app.signal('SIGTERM')
    expect(await app.ended).toBe(0)
    expect(await outputs()).toEqual(['1', '2'])
    expect(await readdir(join(dir, 'state'))).toContain('operated')

    const reset = start(['--reset'])
    expect([await reset.ended, reset.err]).toEqual([0, ''])
    expect(reset.out).toMatch(
      /"operated" is set back to the beginning of in\.\n.*Its local state in \S+operated is deleted\.\n$/,
    )
    expect(await readdir(join(dir, 'state'))).not.toContain('operated')

    const again = start(['--set', 'http.port=0'])
    const url = await again.said(/metrics at (\S+)/)
    await until(
      () => get(`${url}/metrics`),
      ({ text }) => metric(text, 'lanescope_partition_position{source="read",topic="in",partition="0"}') === 2,
    )
    again.signal('SIGTERM')
    expect(await again.ended).toBe(0)
    // From the first record, and with no count left of before.
    expect(await outputs()).toEqual(['1', '2', '1', '2'])
  }, 300_000)

  it('prints the configuration that holds and where it is from, and shows no secret', async () => {
    const file = join(dir, 'operator.json')
    await writeFile(file, JSON.stringify({ 'commit.interval.ms': 70, 'shutdown.timeout-ms': 300 }))
    const app = start(['--config', file, '--print-config', '--set', 'http.port=81', '--log-format', 'json'], {
      LANESCOPE_SHUTDOWN_TIMEOUT_MS: '400',
      LANESCOPE_HTTP_PORT: '80',
      LANESCOPE_SASL_PASSWORD: 'hush',
      LANESCOPE_PORT: 'tcp://10.0.0.1',
    })
    expect(await app.ended).toBe(0)
    const lines = app.out.split('\n')
    expect(lines).toContain('application.id = operated  (the application)')
    expect(lines).toContain(`commit.interval.ms = 70  (${file})`)
    expect(lines).toContain('shutdown.timeout-ms = 400  (environment)')
    expect(lines).toContain('http.port = 81  (--set)')
    expect(lines).toContain('log.format = json  (flag)')
    expect(lines).toContain('epoch.max-records = 10000  (default)')
    expect(lines).toContain('sasl.password = ***  (environment)')
    expect(`${app.out}${app.err}`).not.toContain('hush')
    expect(app.err).toMatch(/LANESCOPE_PORT stands for no configuration key/)
  }, 300_000)
})
