import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { laneOf } from '@lanescope/core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { relayCode, relayDocument, writeProject } from '../../test/projects.js'
import { TestAgent } from '../../test/TestAgent.js'
import { TestPage } from '../../test/TestPage.js'
import { RUN_LIMITS } from '../config/limits.js'

// Each starts processes, which a busy machine takes its time for.
vi.setConfig({ testTimeout: 300_000 })

let agent: TestAgent
let page: TestPage

beforeAll(async () => {
  agent = await TestAgent.start({
    limits: { ...RUN_LIMITS, heapMb: 96, residentMb: 700, heartbeatMs: 200 },
  })
  page = await TestPage.open(agent.url)
})

afterAll(() => agent.close())

const hex = (text: string) => Buffer.from(text).toString('hex')
const text = (bytes: string | null) => (bytes === null ? null : Buffer.from(bytes, 'hex').toString())

/** A project of its own for each test, on disk before the agent sees it. */
async function relay(id: string, body: string) {
  await writeProject(join(agent.folder, 'projects', id), relayDocument(id), { 'relay.ts': relayCode(body) })
}

async function start(projectId: string, overrides: { [key: string]: unknown } = {}) {
  const { run } = await page.ask('start-run', { projectId, overrides, generators: true })
  await page.ask('watch-run', { runId: run.runId })
  return run.runId
}

const produce = (projectId: string, key: string, value = 'v') =>
  page.ask('produce', { projectId, topic: 'in', partition: 0, key: hex(key), value: hex(value), timestamp: 1_000 })

async function readOut(projectId: string) {
  const { topics } = await page.ask('list-topics', { projectId })
  const found: (string | null)[] = []
  for (let partition = 0; partition < (topics.find(({ topic }) => topic === 'out')?.partitions ?? 0); partition++) {
    const { records } = await page.ask('read-topic', { projectId, topic: 'out', partition, fromOffset: 0, max: 100 })
    found.push(...records.map(({ value }) => text(value)))
  }
  return found
}

describe('a run of an example', () => {
  it('[A2] stops on the first proven split, and tells it to pages then and later', async () => {
    const { project } = await page.ask('open-example', { exampleId: 'sessionize' })
    const runId = await start(project.id)
    const run = await page.end(runId)
    const laneCount = project.config['lanes.count'] as number
    const bytes = (words: string) => new TextEncoder().encode(words)
    expect(run).toMatchObject({
      state: 'failed',
      log: 'embedded',
      error: {
        code: 'TIMER_LANE_AFFINITY',
        kind: 'user',
        context: { node: 'sessionize', key: 'k0', topic: 'events' },
        split: {
          node: 'sessionize',
          key: 'k0',
          recordBytes: hex('"k0"'),
          timerBytes: hex('k0'),
          recordLane: laneOf(bytes('"k0"'), laneCount),
          timerLane: laneOf(bytes('k0'), laneCount),
          laneCount,
        },
      },
    })
    expect(page.frames.length).toBeGreaterThan(20)
    const last = page.frames.at(-1)
    expect(last?.snapshot.nodes.find(({ node }) => node === 'sessionize')?.in).toBeGreaterThan(100)
    expect(page.rare.map(({ n }) => n)).toEqual(page.rare.map((_, index) => index + 1))
    expect(page.rare.filter(({ type }) => type === 'split')).toMatchObject([{ proven: true, key: 'k0' }])
    expect(page.frames.some(({ hotKeys }) => hotKeys.some(({ key, share }) => key === 'k13' && share > 0.1))).toBe(true)
    expect(
      page.frames.some(({ samples }) =>
        samples.some(({ to, value }) => to === 'sessionize' && value?.includes('view')),
      ),
    ).toBe(true)
    expect(page.frames.some(({ pendingTimers }) => pendingTimers.length > 0)).toBe(true)

    const later = await TestPage.open(agent.url)
    expect((await later.ask('open-project', { projectId: project.id })).run).toEqual(run)
    await later.ask('watch-run', { runId })
    await later.until(() => later.frames.length > 0)
    expect(later.frames).toHaveLength(1)
    expect(later.rare.filter(({ type }) => type === 'split')).toHaveLength(1)
    expect(later.frames[0]?.snapshot).toEqual(last?.snapshot)
    await later.ask('watch-run', { runId })
    await later.until(() => later.frames.length > 1)
    expect(later.frames[1]).toEqual(later.frames[0])
    later.close()
  })
})

describe('a record from the future', () => {
  const years10 = 10 * 365 * 24 * 3_600_000

  it('[F3] [F5] is previewed without a trace, then rejected, with the segments that it would have expired', async () => {
    const { project } = await page.ask('open-example', { exampleId: 'daily-counts' })
    const [source] = project.document.nodes.filter(({ kind }) => kind === 'source')
    const [topic] = source?.kind === 'source' ? source.properties.topics : []
    const runId = await start(project.id)
    const mine = () => page.frames.filter((frame) => frame.runId === runId)
    await page.until(() => mine().some(({ snapshot }) => (snapshot.stores[0]?.windowed?.segments.length ?? 0) > 0))
    const timestamp = Date.now() + years10
    const preview = await page.ask('preview-future', { runId, source: source!.name, timestamp })
    expect(preview).toMatchObject({ wouldBe: 'rejected' })
    expect(preview.blast.segments.length).toBeGreaterThan(0)
    await page.ask('produce', {
      projectId: project.id,
      topic: topic!,
      partition: 0,
      key: hex('p'),
      value: hex('{}'),
      timestamp,
    })
    const found = () => mine().flatMap(({ rare }) => rare.filter((event) => event.type === 'future-timestamp'))
    await page.until(() => found().length > 0)
    expect(found()).toMatchObject([{ verdict: 'rejected', source: source!.name, coordinates: { topic, timestamp } }])
    await page.ask('stop-run', { runId })
    expect((await page.refusal('preview-future', { runId, source: source!.name, timestamp })).code).toBe('NO_RUN')
  })
})

describe('the log of a project', () => {
  it('is asked through its run while one lives, and by the agent before and after', async () => {
    await relay('asked', 'await ctx.forward({ ...record, value: record.value.toUpperCase() })')
    await page.ask('create-topics', { projectId: 'asked', topics: [{ topic: 'in', partitions: 1 }] })
    await produce('asked', 'a', 'before')
    const runId = await start('asked')
    expect(await page.ask('list-topics', { projectId: 'asked' })).toEqual({
      topics: [
        { topic: 'in', partitions: 1 },
        { topic: 'out', partitions: 4 },
      ],
      log: 'embedded',
    })
    expect(await produce('asked', 'a', 'during')).toEqual({ partition: 0, offset: 1 })
    await page.until(() => (page.frames.at(-1)?.snapshot.nodes.find(({ node }) => node === 'relay')?.in ?? 0) >= 2)
    const { run } = await page.ask('stop-run', { runId })
    expect(run).toMatchObject({ state: 'stopped', error: null })
    expect(await readOut('asked')).toEqual(['BEFORE', 'DURING'])
  })

  /** Runs a project until its output is as wanted. */
  const through = async (projectId: string, fromBeginning: boolean, wanted: readonly string[]) => {
    const { run } = await page.ask('start-run', { projectId, overrides: {}, generators: true, fromBeginning })
    await vi.waitFor(async () => expect(await readOut(projectId)).toEqual(wanted), { timeout: 100_000, interval: 20 })
    await page.ask('stop-run', { runId: run.runId })
  }

  it('is read on from where the last run came', async () => {
    await relay('again', 'await ctx.forward(record)')
    await page.ask('create-topics', { projectId: 'again', topics: [{ topic: 'in', partitions: 1 }] })
    await produce('again', 'a', 'one')
    await through('again', false, ['one'])
    await produce('again', 'a', 'two')
    await through('again', false, ['one', 'two'])
  })

  it('is read from its beginning on request, and on from there', async () => {
    await relay('anew', 'await ctx.forward(record)')
    await page.ask('create-topics', { projectId: 'anew', topics: [{ topic: 'in', partitions: 1 }] })
    await produce('anew', 'a', 'one')
    await through('anew', false, ['one'])
    await through('anew', true, ['one', 'one'])
    await produce('anew', 'a', 'two')
    await through('anew', false, ['one', 'one', 'two'])
  })

  it('[T8] gives a second run its state back, which pages are told of while it starts and after', async () => {
    const document = relayDocument('kept')
    const nodes = document.nodes.map((node) =>
      node.kind === 'processor'
        ? { ...node, properties: { ...node.properties, timers: ['event-time' as const] } }
        : node,
    )
    const body = `ctx.timers.register({ key: record.key, at: 9_000_000_000_000, domain: 'event-time' })
    await ctx.forward(record)`
    const code = relayCode(body).replace('  async process', '  onTimer(): void {}\n\n  async process')
    await writeProject(join(agent.folder, 'projects', 'kept'), { ...document, nodes }, { 'relay.ts': code })
    await page.ask('create-topics', { projectId: 'kept', topics: [{ topic: 'in', partitions: 1 }] })
    await produce('kept', 'a', 'one')
    await through('kept', false, ['one'])
    const { run } = await page.ask('start-run', { projectId: 'kept', overrides: {}, generators: true })
    const told = page.messages.flatMap((message) =>
      message.type === 'run-state' && message.run.runId === run.runId ? [message.run] : [],
    )
    expect(told[0]).toMatchObject({
      state: 'starting',
      restore: { records: 0, storesLeft: 1, parts: [{ store: 'timers/relay', records: 0 }] },
    })
    expect(run).toMatchObject({ state: 'running', restore: { left: 0, stores: 1, storesLeft: 0 } })
    expect(run.restore?.records).toBeGreaterThan(0)
    expect(run.restore?.offsets).toBeGreaterThan(0)
    await page.ask('stop-run', { runId: run.runId })
  })

  it('is emptied on request, and not under a run', async () => {
    await relay('emptied', '')
    const runId = await start('emptied')
    expect((await page.refusal('reset-log', { projectId: 'emptied' })).code).toBe('RUN_ACTIVE')
    await page.ask('stop-run', { runId })
    await page.ask('reset-log', { projectId: 'emptied' })
    expect((await page.ask('list-topics', { projectId: 'emptied' })).topics).toEqual([])
  })

  it('says what does not exist', async () => {
    await relay('empty', '')
    expect(
      (await page.refusal('read-topic', { projectId: 'empty', topic: 'x', partition: 0, fromOffset: 0, max: 1 })).code,
    ).toBe('TOPIC_MISSING')
    expect((await page.refusal('list-topics', { projectId: 'nothing' })).code).toBe('NOT_FOUND')
    expect((await page.refusal('watch-run', { runId: 'nothing' })).code).toBe('NO_RUN')
  })
})

describe('a project as a whole', () => {
  it('is neither renamed nor deleted under a run; after it every page hears where it went', async () => {
    await relay('moved', '')
    const runId = await start('moved')
    expect((await page.refusal('rename-project', { projectId: 'moved', name: 'elsewhere' })).code).toBe('RUN_ACTIVE')
    expect((await page.refusal('delete-project', { projectId: 'moved' })).code).toBe('RUN_ACTIVE')
    await page.ask('stop-run', { runId })
    const other = await TestPage.open(agent.url)
    await page.ask('rename-project', { projectId: 'moved', name: 'elsewhere' })
    const { trashId } = await page.ask('delete-project', { projectId: 'elsewhere' })
    const gone = () => other.messages.filter(({ type }) => type === 'project-gone')
    await other.until(() => gone().length === 2)
    expect(gone()).toEqual([
      { type: 'project-gone', projectId: 'moved', renamedTo: 'elsewhere' },
      { type: 'project-gone', projectId: 'elsewhere', renamedTo: null },
    ])
    expect((await page.refusal('open-project', { projectId: 'elsewhere' })).code).toBe('NOT_FOUND')
    expect(await page.ask('restore-project', { trashId })).toEqual({ projectId: 'elsewhere' })
    await other.until(() => other.messages.some(({ type }) => type === 'projects-changed'))
    other.close()
    expect((await page.ask('open-project', { projectId: 'elsewhere' })).run).toBeNull()
  })
})

describe('one run at a time', () => {
  it('is refused a second, and may follow the first', async () => {
    await relay('twice', '')
    const first = await start('twice')
    expect(await page.refusal('start-run', { projectId: 'twice', overrides: {}, generators: true })).toMatchObject({
      code: 'RUN_ACTIVE',
      context: { runId: first },
    })
    await page.ask('stop-run', { runId: first })
    const second = await start('twice')
    expect(second).not.toBe(first)
    await page.ask('stop-run', { runId: second })
    const left = join(agent.folder, 'projects', 'twice', '.lanescope', 'run')
    await vi.waitFor(async () => expect(await readdir(left)).toEqual([]), { timeout: 50_000, interval: 10 })
  })
})

describe('user code', () => {
  it('that loops for ever ends its run, with the record that did it', async () => {
    await relay('loops', 'if (record.key === "bad") for (;;);')
    const runId = await start('loops')
    await produce('loops', 'good')
    await produce('loops', 'bad')
    // Asked while the process hangs, and answered from the log itself once it is gone.
    const topics = page.ask('list-topics', { projectId: 'loops' })
    const { error } = await page.end(runId)
    expect((await topics).topics.map(({ topic }) => topic)).toContain('in')
    expect(error).toMatchObject({ code: 'RUN_UNRESPONSIVE', kind: 'user', context: { node: 'relay', key: 'bad' } })
    expect(error?.message).toContain('endless loop')
    expect(error?.message).toContain('"relay"')
  })

  it('that throws ends its run with its place', async () => {
    await relay('throws', 'throw new RangeError("no " + record.value)')
    const runId = await start('throws')
    await produce('throws', 'a', 'good')
    const { error } = await page.end(runId)
    expect(error).toMatchObject({
      code: 'PROCESSING_FAILED',
      kind: 'user',
      context: { node: 'relay', key: 'a', topic: 'in', offset: 0 },
    })
    expect(error?.message).toContain('no good')
  })

  it('that leaves a failing promise alone ends its run, not the agent', async () => {
    await relay('floats', 'void Promise.reject(new Error("nobody waits for me"))')
    const runId = await start('floats')
    await produce('floats', 'a')
    expect((await page.end(runId)).error).toMatchObject({
      code: 'RUN_CRASHED',
      message: expect.stringContaining('nobody waits for me'),
    })
  })

  it('that throws ends its run, with the place in the code', async () => {
    await relay('throws-somewhere', 'throw new Error("boom from " + record.key)')
    const runId = await start('throws-somewhere')
    await produce('throws-somewhere', 'a')
    expect((await page.end(runId)).error).toMatchObject({
      code: 'PROCESSING_FAILED',
      context: { node: 'relay' },
      where: { file: 'relay.ts', line: 5, column: 11 },
      stack: 'Error: boom from a\n    at Relay.process (src/relay.ts:5:11)',
    })
  })

  it('that ends the process ends its run', async () => {
    await relay('exits', 'process.exit(3)')
    const runId = await start('exits')
    await produce('exits', 'a')
    expect((await page.end(runId)).error).toMatchObject({
      code: 'RUN_CRASHED',
      message: expect.stringContaining('exit code 3'),
    })
  })

  it('that takes all heap ends its run, and says so', async () => {
    await relay(
      'hoards',
      'const all: unknown[] = []\n    for (;;) { for (let i = 0; i < 50_000; i++) all.push([record, i]); await ctx.sleep(1) }',
    )
    const runId = await start('hoards')
    await produce('hoards', 'a')
    expect((await page.end(runId)).error).toMatchObject({
      code: 'RUN_OUT_OF_MEMORY',
      message: expect.stringContaining('96 MB'),
    })
  })

  it('that takes memory outside the heap ends its run too', async () => {
    await relay(
      'buffers',
      'const all: unknown[] = []\n    for (;;) { all.push(Buffer.alloc(20_000_000, 1)); await ctx.sleep(5) }',
    )
    const runId = await start('buffers')
    await produce('buffers', 'a')
    expect((await page.end(runId)).error).toMatchObject({
      code: 'RUN_OUT_OF_MEMORY',
      message: expect.stringContaining('700 MB'),
    })
  })

  it('prints to the log of the page', async () => {
    await relay('prints', 'console.log("saw", record.key)')
    const runId = await start('prints')
    await produce('prints', 'a')
    await page.until(() => page.rare.some((event) => event.type === 'log' && event.message === 'saw a'))
    await page.ask('stop-run', { runId })
  })

  it('with a syntax error is refused with file and line', async () => {
    await writeProject(join(agent.folder, 'projects', 'broken'), relayDocument('broken'), {
      'relay.ts': 'export class Relay {\n  process( {\n}\n',
    })
    const error = await page.refusal('start-run', { projectId: 'broken', overrides: {}, generators: true })
    expect(error).toMatchObject({ code: 'PROJECT_CODE', kind: 'user', context: { problems: [{ file: 'relay.ts' }] } })
    expect(error.message).toMatch(/^src\/relay\.ts, line \d/)
  })

  it('that throws while it is loaded is refused with file and line', async () => {
    await writeProject(join(agent.folder, 'projects', 'early'), relayDocument('early'), {
      'relay.ts': `${relayCode('')}\nthrow new Error('too early')\n`,
    })
    const error = await page.refusal('start-run', { projectId: 'early', overrides: {}, generators: true })
    expect(error.code).toBe('PROJECT_CODE')
    expect(error.message).toBe('src/relay.ts, line 9: Error: too early')
  })
})

describe('watching', () => {
  it('is of one run at a time: the last one asked for, until it is given up', async () => {
    await relay('left', '')
    await relay('right', '')
    const viewer = await TestPage.open(agent.url)
    const watch = async (projectId: string) => {
      const { run } = await viewer.ask('start-run', { projectId, overrides: { 'lanes.count': 3 }, generators: true })
      await viewer.ask('watch-run', { runId: run.runId })
      await viewer.until(() => viewer.frames.at(-1)?.runId === run.runId)
      return run
    }
    const left = await watch('left')
    const right = await watch('right')
    const of = (runId: string) => viewer.frames.filter((frame) => frame.runId === runId).length
    const [leftSeen, rightSeen] = [of(left.runId), of(right.runId)]
    await viewer.until(() => of(right.runId) > rightSeen + 3)
    expect(of(left.runId)).toBe(leftSeen)

    expect((await viewer.ask('list-runs', {})).runs).toEqual([left, right].map((run) => viewer.run(run.runId)))
    expect(left).toMatchObject({
      overrides: { 'lanes.count': 3 },
      fingerprint: expect.stringMatching(/^[0-9a-f]{16}$/),
    })
    await viewer.ask('unwatch-run', { runId: left.runId })
    const stillSeen = of(right.runId)
    await viewer.until(() => of(right.runId) > stillSeen)
    await viewer.ask('unwatch-run', { runId: right.runId })
    const atLast = viewer.frames.length
    await viewer.ask('stop-run', { runId: left.runId })
    await viewer.ask('stop-run', { runId: right.runId })
    expect(viewer.frames).toHaveLength(atLast)
    expect((await viewer.ask('list-runs', {})).runs).toEqual([])
    viewer.close()
  })
})

describe('packages that the user installed', () => {
  it('are found from the project, and share the engine of the run', async () => {
    const folder = join(agent.folder, 'projects', 'installed')
    await writeProject(folder, relayDocument('installed'), {
      'relay.ts': `import { isTopology } from 'shout'\nimport { Topology } from '@lanescope/core'\n${relayCode('console.log(isTopology(new Topology()))')}`,
    })
    const dependency = join(folder, 'node_modules', 'shout')
    await mkdir(dependency, { recursive: true })
    await writeFile(join(dependency, 'package.json'), '{"name":"shout","type":"module","exports":"./index.js"}')
    await writeFile(
      join(dependency, 'index.js'),
      "import { Topology } from '@lanescope/core'\nexport const isTopology = (it) => 'the same: ' + (it instanceof Topology)\n",
    )
    const runId = await start('installed')
    await produce('installed', 'a')
    await page.until(() => page.rare.some((event) => event.type === 'log' && event.message === 'the same: true'))
    await page.ask('stop-run', { runId })
  })
})

describe('a run that cannot start', () => {
  it('is told what is missing in the drawing', async () => {
    const document = relayDocument('unfinished')
    await writeProject(
      join(agent.folder, 'projects', 'unfinished'),
      { ...document, edges: [] },
      { 'relay.ts': relayCode('') },
    )
    const error = await page.refusal('start-run', { projectId: 'unfinished', overrides: {}, generators: true })
    expect(error).toMatchObject({
      code: 'PROJECT_CODE',
      message: expect.stringContaining('Nothing leads into "relay"'),
    })
  })

  it('is told what is wrong in the config, and leaves nothing behind', async () => {
    await relay('misconfigured', '')
    const error = await page.refusal('start-run', {
      projectId: 'misconfigured',
      overrides: { 'lanes.count': -1 },
      generators: true,
    })
    expect(error).toMatchObject({ code: 'CONFIG_INVALID', message: expect.stringContaining('lanes.count') })
    expect((await page.ask('open-project', { projectId: 'misconfigured' })).run).toBeNull()
    const runId = await start('misconfigured')
    await page.ask('stop-run', { runId })
  })
})
