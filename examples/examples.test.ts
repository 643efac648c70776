import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  type Finding,
  fromHex,
  laneOf,
  long,
  parseConfig,
  string,
  TimerLaneAffinityException,
  type Topology,
  validate,
  windowed,
} from '@lanescope/core'
import { TopologyTestDriver } from '@lanescope/core/testing'
import {
  applyFix,
  exportFiles,
  generateProject,
  incompleteness,
  parseDocument,
  type TopologyDocument,
  writeDocument,
} from '@lanescope/shared'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { diagnosticsOf } from '../packages/shared/test/diagnosticsOf.js'

const root = fileURLToPath(new URL('.', import.meta.url))
const names = readdirSync(root, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name)
const folder = mkdtempSync(join(tmpdir(), 'examples-'))

afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** An example as it is on disk, read as a user's project is. */
class Example {
  readonly text: string
  readonly document: TopologyDocument
  readonly config: { readonly [key: string]: unknown }
  readonly files: { readonly [path: string]: string }

  constructor(readonly name: string) {
    this.text = readFileSync(join(root, name, 'topology.json'), 'utf8')
    const parsed = parseDocument(this.text)
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems, null, 2))
    this.document = parsed.document
    this.config = JSON.parse(readFileSync(join(root, name, 'app.config.json'), 'utf8'))
    const src = join(root, name, 'src')
    this.files = Object.fromEntries(readdirSync(src).map((file) => [file, readFileSync(join(src, file), 'utf8')]))
  }

  /** Writes the whole project, as an export does, and gives its folder. */
  async write(as: string, document = this.document): Promise<string> {
    const target = join(folder, as)
    const project = await exportFiles({ document, config: this.config, files: this.files }, [])
    if (!project.ok) throw new Error(project.missing.join(' '))
    for (const file of project.files) {
      const path = join(target, file.path)
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, 'text' in file ? file.text : file.bytes)
    }
    return target
  }

  async topology(as: string, document = this.document): Promise<Topology> {
    const target = await this.write(as, document)
    const module: { build(): Topology } = await import(/* @vite-ignore */ join(target, 'src/topology.ts'))
    return module.build()
  }

  findings(topology: Topology): Finding[] {
    const config = parseConfig(this.config)
    const samples = new Map(
      this.document.nodes.map((node) => [
        node.name,
        { keys: (this.document.samples[node.id]?.keys ?? []).map((key) => fromHex(key)) },
      ]),
    )
    return validate({ topology: topology.compile(config), config, samples })
  }
}

describe.each(names)('the example %s', (name) => {
  const example = new Example(name)

  it('is written as Lanescope writes documents', () => {
    expect(writeDocument(example.document)).toBe(example.text)
  })

  it('is whole, and has a README with a title and a paragraph', () => {
    expect(incompleteness(example.document)).toEqual([])
    expect(readFileSync(join(root, name, 'README.md'), 'utf8')).toMatch(/^# .+\n\n[A-Z].+\n/)
  })

  it('has a config that the engine reads, with a clock of its own choice', () => {
    expect(() => parseConfig(example.config)).not.toThrow()
    expect(example.config).toMatchObject({ 'application.id': name })
    expect(example.config['time.mode']).toBeDefined()
  })

  it('compiles, tests and all, under strict rules', async () => {
    const target = await example.write(`${name}-types`)
    expect(diagnosticsOf(target)).toEqual([])
  })

  it('has the nodes of the document under their names', async () => {
    const topology = (await example.topology(`${name}-nodes`)).compile(parseConfig(example.config))
    for (const node of example.document.nodes) expect(topology.node(node.name).name).toBe(node.name)
  })

  it('is the same text every time', async () => {
    const twice = await Promise.all([1, 2].map(() => generateProject(example.document, { vendor: [] })))
    expect(twice[0]).toEqual(twice[1])
  })
})

describe('Sessionize', () => {
  const example = new Example('sessionize')
  let topology: Topology
  let findings: Finding[]

  beforeAll(async () => {
    topology = await example.topology('sessionize')
    findings = example.findings(topology)
  })

  it('[A1] warns of its timers, and [F1] of its source, and of nothing else', () => {
    expect(findings.map(({ rule, node, severity }) => [rule, node, severity])).toEqual([
      ['timer-key-lane-affinity', 'sessionize', 'warn'],
      ['future-timestamp', expect.any(String), 'warn'],
    ])
    expect(findings[1]?.nodes).toContain('events')
  })

  it('[A1] proves the split of k0 by bytes', () => {
    const proof = findings[0]?.proofs?.find(({ key }) => key === 'k0')
    expect(proof).toMatchObject({
      recordBytes: fromHex('22 6b 30 22'),
      timerBytes: fromHex('6b 30'),
      recordLane: 0,
      timerLane: 6,
      laneCount: 8,
      verdict: 'split',
    })
  })

  it('[A2] stops at k0, and not at the keys that agree by luck', async () => {
    const driver = new TopologyTestDriver(topology, example.config)
    for (const key of ['k12', 'k13', 'k14']) await send(driver, key, 0)
    await expect(send(driver, 'k0', 0)).rejects.toBeInstanceOf(TimerLaneAffinityException)
  })

  it('[A5] sends k0 as the one key that splits, and one key to each lane', () => {
    const { laneCount } = findings[0]?.proofs?.[0] ?? { laneCount: 0 }
    const lanes = (text: string) => laneOf(new TextEncoder().encode(text), laneCount)
    const [lucky, all] = example.document.generators[0]?.phases ?? []
    const splits = (keys: readonly string[] = []) => keys.filter((key) => lanes(key) !== lanes(JSON.stringify(key)))
    expect(splits(lucky?.keys)).toEqual([])
    expect(splits(all?.keys)).toEqual(['k0'])
    expect(new Set(all?.keys.map((key) => lanes(JSON.stringify(key)))).size).toBe(laneCount)
  })

  it('[A1] has nothing left to warn of once both fixes are made', async () => {
    const fixed = fixAll(example.document, findings)
    expect(example.findings(await example.topology('sessionize-fixed', fixed))).toEqual([])
  })

  it('[T5] closes sessions by their timers once it is fixed', async () => {
    const fixed = await example.topology('sessionize-runs', fixAll(example.document, findings))
    const driver = new TopologyTestDriver(fixed, example.config)
    await send(driver, 'k0', 1000)
    await send(driver, 'k0', 1300)
    // The clock of another key's record makes the timer of k0 due.
    await send(driver, 'k1', 5000)
    const sessions = driver.createOutputTopic('sessions', textOf, jsonOf).readKeyValuesToList()
    expect(sessions).toEqual([['k0', { key: 'k0', start: 1000, end: 1300, events: 2 }]])
    await driver.close()
  })

  it('[T5] begins a new session when the next event comes before the timer', async () => {
    const fixed = await example.topology('sessionize-gap', fixAll(example.document, findings))
    const driver = new TopologyTestDriver(fixed, example.config)
    for (const time of [1000, 1500, 2001, 2600]) await send(driver, 'k0', time)
    const sessions = driver.createOutputTopic('sessions', textOf, jsonOf).readKeyValuesToList()
    expect(sessions.map(([, session]) => session)).toEqual([
      { key: 'k0', start: 1000, end: 1500, events: 2 },
      { key: 'k0', start: 2001, end: 2001, events: 1 },
    ])
    await driver.close()
  })
})

describe('Daily counts', () => {
  it('[S1] keeps segments of half its retention, and the traffic makes enough for one to expire', () => {
    const { document } = new Example('daily-counts')
    const count = document.nodes.find((node) => node.kind === 'windowed-count')
    const { startOffsetMs } = document.generators[0]?.time ?? { startOffsetMs: 0 }
    const retentionMs = count?.properties.retentionMs ?? 0
    const intervalMs = retentionMs / 2
    expect(intervalMs).toBe(15 * 86_400_000)
    // Whatever the date, the segment of the first record has then ended more than the retention ago.
    expect(-startOffsetMs).toBeGreaterThanOrEqual(retentionMs + 2 * intervalMs)
  })
})

describe('Shop', () => {
  const example = new Example('shop')

  it('has nothing to warn of', async () => {
    expect(example.findings(await example.topology('shop-findings'))).toEqual([])
  })

  it('[W3] gives each window once, looks orders up, and counts by the new key', async () => {
    const driver = new TopologyTestDriver(await example.topology('shop-runs'), example.config)
    const send = (topic: string, key: string, value: object, timestamp: number) =>
      driver.pipeRaw(topic, { key: utf8(key), value: utf8(JSON.stringify(value)), timestamp })
    await send('users', 'ada', { name: 'Ada', city: 'Delft' }, 0)
    await send('orders', 'ada', { number: '0', amount: 3 }, 1000)
    await send('orders', 'bo', { number: '5', amount: 3 }, 2000)
    for (const time of [0, 1000, 299_999]) await send('views', '/tea', { number: '0' }, time)
    const read = (topic: string, value: typeof jsonOf | typeof long) =>
      driver.createOutputTopic<unknown, unknown>(topic, textOf, value).readKeyValuesToList()
    expect(read('user-orders', jsonOf)).toEqual([
      ['ada', { number: '0', amount: 3, user: { name: 'Ada', city: 'Delft' } }],
      ['bo', { number: '5', amount: 3, user: null }],
    ])
    expect(read('product-counts', long)).toEqual([['tea', 1]])
    expect(read('page-views', long)).toEqual([])
    await send('views', '/tea', { number: '1' }, 360_000)
    const views = driver.createOutputTopic('page-views', windowed(string, 300_000), long).readKeyValuesToList()
    expect(views).toEqual([[{ key: '/tea', window: { start: 0, end: 300_000 } }, 3]])
    await driver.close()
  })
})

function fixAll(document: TopologyDocument, findings: readonly Finding[]): TopologyDocument {
  return findings.reduce((result, { fixes }) => (fixes[0] ? applyFix(result, fixes[0]) : result), document)
}

const textOf = {
  deserialize: (_topic: string, _headers: unknown, bytes: Uint8Array) => new TextDecoder().decode(bytes),
}
const jsonOf = {
  deserialize: (topic: string, headers: unknown, bytes: Uint8Array) =>
    JSON.parse(textOf.deserialize(topic, headers, bytes)),
}

const utf8 = (text: string) => new TextEncoder().encode(text)

function send(driver: TopologyTestDriver, key: string, timestamp: number): Promise<void> {
  const encode = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))
  return driver.pipeRaw('events', { key: encode(key), value: encode({ action: 'view', page: '/' }), timestamp })
}
