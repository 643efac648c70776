import * as core from '@lanescope/core'
import { beforeAll, describe, expect, it } from 'vitest'
import { emptyDocument } from '../document/emptyDocument.js'
import type { DocumentNode, TopologyDocument } from '../document/TopologyDocument.js'
import { providePackages } from '../loader/index.js'
import { Analyser, type AnalysisHost, type AnalysisInput, type AnalysisPhase } from './index.js'

const packages = new Map<string, object>([['@lanescope/core', core]])
beforeAll(() => providePackages(globalThis, packages))

/** Node imports `data:` URLs as a worker does blob URLs. */
function setUp(now: () => number = () => 0) {
  const phases: AnalysisPhase[] = []
  const host: AnalysisHost = {
    packages,
    createUrl: (code) => `data:text/javascript,${encodeURIComponent(code)}`,
    revokeUrl: () => undefined,
    importUrl: (url) => import(/* @vite-ignore */ url),
    now,
    onPhase: (phase) => phases.push(phase),
  }
  return { analyser: new Analyser(host), phases }
}

const position = { x: 0, y: 0 }
const keySerde = { module: './keys', export: 'unquote' }
const source = (
  id: string,
  topics = ['in'],
  key: object = { form: 'deserializer', deserializer: { kind: 'custom', code: keySerde } },
) =>
  ({
    id,
    name: `the-${id}`,
    kind: 'source',
    position,
    properties: {
      topics,
      keyType: 'string',
      valueType: 'unknown',
      key,
      value: { form: 'serde', serde: { kind: 'json', type: 'unknown' } },
    },
  }) as DocumentNode
const processor = (id: string, properties: object = {}): DocumentNode => ({
  id,
  name: `the-${id}`,
  kind: 'processor',
  position,
  properties: { code: { module: './work', export: 'Work' }, timers: ['event-time'], stores: ['kept'], ...properties },
})
const sink = (id: string, topic = 'out'): DocumentNode => ({
  id,
  name: `the-${id}`,
  kind: 'sink',
  position,
  properties: { topic, key: { kind: 'built-in', name: 'string' } },
})

const FILES = {
  'keys.ts': `import type { Deserializer, Headers } from '@lanescope/core'
const text = new TextDecoder()
export const unquote: Deserializer<string> = {
  id: 'unquote',
  deserialize: (_topic: string, _headers: Headers, bytes: Uint8Array) => JSON.parse(text.decode(bytes)) as string,
}
`,
  'work.ts': 'export class Work { process() {} }\n',
}

const DOCUMENT: TopologyDocument = {
  ...emptyDocument('test'),
  nodes: [source('src'), processor('work'), sink('out')],
  edges: [
    { id: 'e1', from: 'src', to: 'work' },
    { id: 'e2', from: 'work', to: 'out' },
  ],
  stores: [
    {
      id: 'kept',
      name: 'kept',
      kind: 'key-value',
      key: { kind: 'built-in', name: 'string' },
      value: { kind: 'json', type: 'unknown' },
    },
  ],
  samples: { src: { keys: ['226b3022'] } },
}

const analyse = (change: Partial<AnalysisInput> = {}, analyser = setUp().analyser) =>
  analyser.analyse({
    document: DOCUMENT,
    files: FILES,
    config: { 'lanes.count': 8, 'default.key.serde': 'string' },
    ...change,
  })
const withNodes = (...nodes: DocumentNode[]): TopologyDocument => ({
  ...DOCUMENT,
  nodes: DOCUMENT.nodes.map((node) => nodes.find(({ id }) => id === node.id) ?? node),
})

describe('an analysis', () => {
  it('says of each node its sub-topology, lanes and serdes', async () => {
    const { view, problems, ok, leftOut } = await analyse()
    expect(problems).toEqual([])
    expect(ok).toBe(true)
    expect(leftOut).toEqual([])
    expect(view.nodes.map(({ nodeId, name, laneCount }) => [nodeId, name, laneCount])).toEqual([
      ['src', 'the-src', 8],
      ['work', 'the-work', 8],
      ['out', 'the-out', 8],
    ])
    const work = view.nodes[1]
    expect(work?.timers).toEqual(['event-time'])
    expect(work?.stores).toEqual(['kept'])
    expect(work?.timerKey?.chip.label).toBe('string')
    expect(work?.timerKey?.candidates.some(({ verdict }) => verdict === 'used')).toBe(true)
    expect(view.subTopologies).toMatchObject([
      { index: 0, laneCount: 8, laneCountFrom: { by: 'lanes.count' }, title: 'by the raw key bytes of the-src' },
    ])
    expect(view.describe).toContain('the-work')
  })

  it('says of each edge the key that travels, by document id', async () => {
    const { view } = await analyse()
    expect(view.edges.map(({ edgeId }) => edgeId)).toEqual(['e1', 'e2'])
    expect(view.edges[0]?.keyChip).toMatchObject({ status: 'defaulted', label: 'string', by: 'default.key.serde' })
    const declared = source('src', ['in'], { form: 'serde', serde: { kind: 'json', type: 'string' } })
    const again = await analyse({ document: withNodes(declared) })
    expect(again.view.nodes[1]?.keyChip).toMatchObject({ label: 'json', node: 'the-src', nodeId: 'src' })
  })

  it('proves the split of a sample key, with the ids of nodes and edges', async () => {
    const { findings } = await analyse()
    const finding = findings.find(({ rule }) => rule === 'timer-key-lane-affinity')
    expect(finding).toMatchObject({ nodeId: 'work', pathEdgeIds: ['e1'] })
    expect(finding?.nodeIds).toContain('work')
    expect(finding?.proofs?.[0]).toMatchObject({ recordLane: 0, timerLane: 6, laneCount: 8, verdict: 'split' })
  })

  it('puts suppressed findings aside, with the reason', async () => {
    const suppressions = [{ rule: 'timer-key-lane-affinity', node: 'work', reason: 'one lane only' }]
    const { findings, suppressed } = await analyse({ document: { ...DOCUMENT, suppressions } })
    expect(findings.map(({ rule }) => rule)).not.toContain('timer-key-lane-affinity')
    expect(suppressed).toMatchObject([{ reason: 'one lane only', finding: { nodeId: 'work' } }])
  })

  it('is plain data', async () => {
    const result = await analyse()
    expect(structuredClone(result)).toEqual(result)
  })

  it('gives the text that would run, and each node’s lines in it', async () => {
    const { topologyText, nodeLines } = await analyse()
    const line = topologyText?.split('\n')[(nodeLines.work?.from ?? 0) - 1]
    expect(line).toContain("addProcessor('the-work'")
    expect(topologyText).toContain('new Work()')
  })

  it('evaluates a module once for each text of it', async () => {
    const { analyser, phases } = setUp()
    const evaluated = () => phases.splice(0).flatMap((phase) => (phase.step === 'evaluate' ? phase.file : []))
    await analyse({}, analyser)
    expect(evaluated()).toContain('keys.ts')
    await analyse({}, analyser)
    expect(evaluated()).toEqual([])
    await analyse({ files: { ...FILES, 'keys.ts': `${FILES['keys.ts']}\n` } }, analyser)
    expect(evaluated()).toContain('keys.ts')
  })
})

describe('an operator of the DSL', () => {
  const count = {
    id: 'per-day',
    name: 'the-per-day',
    kind: 'windowed-count',
    position,
    properties: { sizeMs: 86_400_000, graceMs: 0, storeName: 'per-day-store' },
  } as DocumentNode
  const document: TopologyDocument = {
    ...DOCUMENT,
    nodes: [
      source('src', ['in'], { form: 'serde', serde: { kind: 'built-in', name: 'string' } }),
      count,
      { ...sink('out'), properties: { topic: 'out' } } as DocumentNode,
    ],
    edges: [
      { id: 'e1', from: 'src', to: 'per-day' },
      { id: 'e2', from: 'per-day', to: 'out' },
    ],
    stores: [],
    samples: {},
  }

  it('makes several nodes of the topology one of the drawing', async () => {
    const { view, problems } = await analyse({ document, files: {} })
    expect(problems).toEqual([])
    const owner = view.nodes.find(({ nodeId }) => nodeId === 'per-day')
    expect(owner?.stores).toEqual(['per-day-store'])
    expect(owner?.compiledNames.length).toBeGreaterThan(1)
    const known = view.nodes.flatMap(({ compiledNames }) => compiledNames)
    expect(new Set(known).size).toBe(known.length)
    expect(view.subTopologies.flatMap(({ nodeIds }) => nodeIds)).toEqual(['src', 'per-day', 'out'])
  })

  it('shows on its edges the keys that come in and go out', async () => {
    const { view } = await analyse({ document, files: {} })
    expect(view.edges.map(({ edgeId, keyChip }) => [edgeId, keyChip.label, keyChip.windowed])).toEqual([
      ['e1', 'string', false],
      ['e2', 'string', true],
    ])
  })

  it('has its findings on the drawn node', async () => {
    const { findings } = await analyse({ document, files: {} })
    const future = findings.find(({ rule }) => rule === 'future-timestamp')
    expect(future?.nodeId).toBe('src')
    expect(future?.nodeIds.every((id) => ['src', 'per-day', 'out'].includes(id))).toBe(true)
  })
})

describe('what is broken', () => {
  it('an unfinished node is named with the field to fill in; the rest is analysed', async () => {
    const { ok, problems, leftOut, view } = await analyse({ document: withNodes(sink('out', '')) })
    expect(ok).toBe(true)
    expect(problems).toMatchObject([{ severity: 'error', nodeId: 'out', field: 'topic' }])
    expect(leftOut).toEqual(['out'])
    expect(view.nodes.map(({ nodeId }) => nodeId)).toEqual(['src', 'work'])
  })

  it('a syntax error in a processor is on its node and line; nothing is left out', async () => {
    const files = { ...FILES, 'work.ts': 'export class Work {\n  process( {}\n}\n' }
    const { ok, problems, leftOut, findings } = await analyse({ files })
    expect(problems).toMatchObject([{ id: 'syntax:work:work.ts', nodeId: 'work', file: 'work.ts', severity: 'error' }])
    expect(problems[0]?.line).toBeGreaterThan(1)
    expect([ok, leftOut]).toEqual([true, []])
    expect(findings.map(({ rule }) => rule)).toContain('timer-key-lane-affinity')
  })

  it('a syntax error in a serde leaves its node out, and what only it fed', async () => {
    const files = { ...FILES, 'keys.ts': 'export const unquote = {\n' }
    const other = source('other', ['else'], { form: 'serde', serde: { kind: 'built-in', name: 'string' } })
    const document = { ...DOCUMENT, nodes: [...DOCUMENT.nodes, other] }
    const { ok, problems, leftOut, view } = await analyse({ files, document })
    expect(problems).toMatchObject([{ nodeId: 'src', file: 'keys.ts', line: 2 }])
    expect(leftOut).toEqual(['src', 'work', 'out'])
    expect([ok, view.nodes.map(({ nodeId }) => nodeId)]).toEqual([true, ['other']])
  })

  it.each([
    ['a file that is not there', { 'work.ts': FILES['work.ts'] }, 'does not exist'],
    ['an export that is not there', { ...FILES, 'keys.ts': 'export const other = 1\n' }, 'exports no unquote'],
    ['a throw at the top level', { ...FILES, 'keys.ts': `throw new Error('no luck')\n${FILES['keys.ts']}` }, 'no luck'],
    ['a top-level await', { ...FILES, 'keys.ts': `await 1\n${FILES['keys.ts']}` }, 'await at the top level'],
    [
      'an import of another package',
      { ...FILES, 'keys.ts': `import x from 'left-pad'\nx()\n${FILES['keys.ts']}` },
      "'left-pad'",
    ],
    [
      'an import cycle',
      {
        ...FILES,
        'keys.ts': `import { b } from './b'\nb()\n${FILES['keys.ts']}`,
        'b.ts': "import { unquote } from './keys'\nexport const b = () => unquote\n",
      },
      'Import cycle',
    ],
  ])('%s is a problem on the node that needs it', async (_, files, message) => {
    const { problems } = await analyse({ files: files as AnalysisInput['files'] })
    const found = problems.filter(({ nodeId }) => nodeId === 'src').map((problem) => problem.message)
    expect(found).toEqual([expect.stringContaining(message)])
  })

  it('another package in a processor is only a warning: a run finds it', async () => {
    const files = { ...FILES, 'work.ts': `import x from 'left-pad'\nx()\n${FILES['work.ts']}` }
    const { problems, leftOut } = await analyse({ files })
    expect(problems).toMatchObject([
      { severity: 'warn', nodeId: 'work', message: expect.stringContaining("'left-pad'") },
    ])
    expect(leftOut).toEqual([])
  })

  it('a processor whose file is gone is said, and stays in the drawing', async () => {
    const { problems, leftOut } = await analyse({ files: { 'keys.ts': FILES['keys.ts'] } })
    expect(problems).toMatchObject([{ nodeId: 'work', message: expect.stringContaining('src/work.ts') }])
    expect(leftOut).toEqual([])
  })

  it('what the engine refuses while building is on the node that it names', async () => {
    const document = { ...DOCUMENT, nodes: [...DOCUMENT.nodes, source('twin')] }
    const { problems, leftOut, ok } = await analyse({ document })
    expect(problems).toMatchObject([{ nodeId: 'twin', message: expect.stringContaining('already been registered') }])
    expect([ok, leftOut]).toEqual([true, ['twin']])
  })

  it('a file that is nobody’s code is a problem without a node', async () => {
    const { problems } = await analyse({ files: { ...FILES, 'notes.ts': 'const = 1' } })
    expect(problems).toMatchObject([{ id: 'syntax:notes.ts', file: 'notes.ts', line: 1 }])
    expect(problems[0]?.nodeId).toBeUndefined()
  })

  it('a wrong config is said, and the defaults stand in for it', async () => {
    const { problems, ok, view } = await analyse({ config: { 'lanes.count': 0 } })
    expect(problems).toMatchObject([{ file: 'app.config.json', message: expect.stringContaining('lanes.count') }])
    expect([ok, view.nodes[0]?.laneCount]).toEqual([true, 16])
  })

  it('an empty drawing has nothing to say', async () => {
    const { ok, problems, view } = await analyse({ document: emptyDocument('empty'), files: {} })
    expect([ok, problems, view.nodes]).toEqual([false, [], []])
  })
})

describe('sample keys', () => {
  it('that cannot be read are named and left out', async () => {
    const document = { ...DOCUMENT, samples: { src: { keys: ['6b30', '226b3022'] } } }
    const { problems, findings } = await analyse({ document })
    expect(problems).toMatchObject([{ severity: 'warn', nodeId: 'src', message: expect.stringContaining('6b30') }])
    expect(findings.find(({ rule }) => rule === 'timer-key-lane-affinity')?.proofs).toHaveLength(1)
  })

  it.each([
    [100, 0],
    [101, 1],
  ])('may take 100 ms: after %i ms there are %i problems', async (took, count) => {
    let calls = 0
    // The clock jumps between the start and the end of the reading.
    const { analyser, phases } = setUp(() => (phases.some(({ step }) => step === 'samples') ? took : calls++ * 0))
    const { problems } = await analyse({}, analyser)
    expect(problems).toHaveLength(count)
    if (count > 0) expect(problems[0]).toMatchObject({ nodeId: 'src', message: expect.stringContaining('101 ms') })
  })

  it('are left alone where they did not come back before', async () => {
    const { analyser, phases } = setUp()
    const phase = { step: 'samples', nodeId: 'src', place: 'the key of the-src' } as const
    const { problems } = await analyse({ overruns: [{ phase, message: 'It did not come back.' }] }, analyser)
    expect(problems).toMatchObject([{ nodeId: 'src', message: 'It did not come back.' }])
    expect(phases.map(({ step }) => step)).not.toContain('samples')
  })

  it('a file that did not finish loading before is left out with what needs it', async () => {
    const overruns = [{ phase: { step: 'evaluate', file: 'keys.ts' } as const, message: 'It loops.' }]
    const { problems, leftOut } = await analyse({ overruns })
    expect(problems).toMatchObject([{ nodeId: 'src', file: 'keys.ts', message: 'It loops.' }])
    expect(leftOut).toEqual(['src', 'work', 'out'])
  })
})

describe('speed', () => {
  it('analyses 100 nodes, and again after an edit', async () => {
    const chain = Array.from({ length: 98 }, (_, n) => processor(`p${n}`, { stores: [], timers: [] }))
    const nodes = [source('src'), ...chain, sink('out')]
    const edges = nodes.slice(1).map(({ id }, n) => ({ id: `e${n}`, from: nodes[n]!.id, to: id }))
    const document = { ...DOCUMENT, nodes, edges, stores: [] }
    const { analyser } = setUp(() => performance.now())
    await analyse({ document }, analyser)
    const took: number[] = []
    for (let i = 0; i < 10; i++) {
      const { view, durationMs } = await analyse({ document: { ...document, name: `again ${i}` } }, analyser)
      expect(view.nodes).toHaveLength(100)
      took.push(durationMs)
    }
    // About 15 ms on an idle machine; the bound only notices what grows faster than the drawing. The quickest of them:
    // the others also tell what else the machine was doing.
    expect(Math.min(...took)).toBeLessThan(1_000)
  })
})
