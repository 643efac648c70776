import { mkdtempSync, rmSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Topology } from '@lanescope/core'
import { afterAll, describe, expect, it } from 'vitest'
import { diagnosticsOf } from '../../test/diagnosticsOf.js'
import {
  documentOf,
  generator,
  jsonOf,
  OPERATOR_FILES,
  operatorsDocument,
  processor,
  sink,
  source,
  text,
  windowedCount,
} from '../../test/documents.js'
import { GROUPED_FILES, groupedDocument } from '../../test/groupedDocument.js'
import { describedName } from '../document/partNames.js'
import type { TopologyDocument } from '../document/TopologyDocument.js'
import { exportFiles } from './exportFiles.js'
import { generateProject, generateSources } from './generateProject.js'
import { topicsOf } from './topicsOf.js'

const folder = mkdtempSync(join(tmpdir(), 'projects-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const long = { kind: 'built-in', name: 'long' } as const
const unquote = { kind: 'custom', code: { module: './keys', export: 'unquote' } } as const
const vendor = [
  { name: '@lanescope/core', file: 'lanescope-core-0.1.0.tgz', bytes: Uint8Array.of(1) },
  { name: '@lanescope/node', file: 'lanescope-node-0.1.0.tgz', bytes: Uint8Array.of(2) },
]
const files = {
  ...OPERATOR_FILES,
  ...GROUPED_FILES,
  'keys.ts': "import { string } from '@lanescope/core'\nexport const unquote = string\n",
  'step.ts': `import type { CallbackContext, Processor, Record } from '@lanescope/core'
import type { Event } from './model.js'
export class Step implements Processor<string, Event, string, Event> {
  process(record: Record<string, Event>, ctx: CallbackContext<string, string, Event>): void {
    if (record.value.n === 'bad') throw new Error('cannot read this one')
    void ctx.forward(record)
  }
}
`,
}
const code = { module: './step', export: 'Step' }

async function write(name: string, document: TopologyDocument): Promise<string> {
  const project = await exportFiles({ document, files, config: { 'application.id': name } }, vendor)
  if (!project.ok) throw new Error(project.missing.join(' '))
  for (const file of project.files) {
    const path = join(folder, name, file.path)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, 'text' in file ? file.text : file.bytes)
  }
  return join(folder, name)
}

async function textOf(document: TopologyDocument, path: string): Promise<string> {
  const found = (await generateProject(document, { vendor })).find((file) => file.path === path)
  return found?.text ?? ''
}

const plain = documentOf([source('in'), sink('out')], ['in > out'])
const counting = documentOf(
  [source('in'), windowedCount('w'), sink('counts', { key: text, value: long })],
  ['in > w > counts'],
)

describe('generated projects', () => {
  const variants: readonly (readonly [string, TopologyDocument])[] = [
    ['plain', plain],
    ['counting', counting],
    [
      'papi',
      documentOf(
        [
          source('a', { key: { form: 'deserializer', deserializer: unquote }, value: { form: 'default' } }),
          source('b', { maxAheadMs: 1, numberOfLanes: 2, nulls: 'drop' }),
          source('c', { value: { form: 'deserializer', deserializer: jsonOf('Event') } }),
          processor('p', { code, timers: ['event-time'], stores: ['s', 'w'] }),
          sink('out', { key: text }),
        ],
        ['a > p > out', 'b > p', 'c > p'],
        {
          generators: [
            generator('a'),
            generator('b', { key: long, phases: [{ forMs: 0, ratePerSecond: 1, keys: ['1', '2'] }] }),
          ],
          samples: { a: { keys: ['6b30'] } },
          stores: [
            { id: 's', name: 'open', kind: 'key-value', key: text, value: jsonOf('Event') },
            { id: 'w', name: 'recent', kind: 'window', key: text, value: long },
          ],
        },
      ),
    ],
    [
      'dsl',
      documentOf(
        [
          source('a', { key: { form: 'default' } }),
          source('b', { key: { form: 'default' }, nulls: 'drop', topics: ['b', 'bb'] }),
          processor('p', { code }),
          windowedCount('w', { graceMs: 0, key: text, retentionMs: 259_200_000 }),
          windowedCount('v'),
          sink('x'),
          sink('y', { value: long }),
          sink('z', { key: text }),
        ],
        ['a > w > x', 'b > v > y', 'a > p > z'],
        { generators: [generator('a', { time: { startOffsetMs: -5, speed: 2 } })] },
      ),
    ],
    ['operators', operatorsDocument()],
    ['grouped', groupedDocument()],
  ]

  it.each(variants)('compile under strict rules: %s', async (name, document) => {
    expect(diagnosticsOf(await write(name, document))).toEqual([])
  })

  it.each(variants)('build: %s', async (name, document) => {
    const target = await write(`${name}-built`, document)
    const module: { build(): Topology } = await import(/* @vite-ignore */ join(target, 'src/topology.ts'))
    const description = module.build().describe()
    for (const node of document.nodes) expect(description).toContain(`: ${describedName(node)} (`)
  })

  it('name every package of ours as a file, and the compiler by its version', async () => {
    const json = JSON.parse(await textOf(plain, 'package.json'))
    expect(json.dependencies).toEqual({
      '@lanescope/core': 'file:vendor/lanescope-core-0.1.0.tgz',
      '@lanescope/node': 'file:vendor/lanescope-node-0.1.0.tgz',
    })
    expect(json.devDependencies.typescript).toMatch(/^\d+\.\d+\.\d+$/)
    expect(json.scripts.start).toBe('tsc && node --max-semi-space-size=8 dist/main.js')
  })

  it('have traffic only where the document has generators', async () => {
    const busy = { ...plain, generators: [generator('in')] }
    expect(JSON.parse(await textOf(plain, 'package.json')).scripts.traffic).toBeUndefined()
    expect(JSON.parse(await textOf(busy, 'package.json')).scripts.traffic).toBe('tsc && node dist/traffic-main.js')
    const paths = async (document: TopologyDocument) => (await generateSources(document)).map(({ path }) => path)
    expect(await paths(plain)).toEqual(['src/topology.ts'])
    expect(await paths(busy)).toEqual(['src/topology.ts', 'src/traffic.ts'])
  })

  it('can be fed by hand, with or without test traffic: what they read, and what text becomes there', async () => {
    expect(JSON.parse(await textOf(plain, 'package.json')).scripts.send).toBe('tsc && node dist/send-main.js')
    const numbers = documentOf(
      [
        source('n', { topics: ['n', 'm'], key: { form: 'serde', serde: long }, value: { form: 'default' } }),
        source('d', {
          key: { form: 'deserializer', deserializer: text },
          value: { form: 'deserializer', deserializer: unquote },
        }),
        sink('out'),
      ],
      ['n > out', 'd > out'],
    )
    const sends = (await textOf(numbers, 'src/send-main.ts')).match(/topic: .*/g)
    expect(sends).toEqual([
      "topic: 'n', partitions: 4, key: long, value: string },",
      "topic: 'm', partitions: 4, key: long, value: string },",
      "topic: 'd', partitions: 4, key: string, value: string },",
    ])
    expect(await textOf(plain, 'README.md')).toContain('npm run send -- TOPIC KEY VALUE')
  })

  it('keep __proto__ in a template a field', async () => {
    const template = JSON.parse('{"__proto__": 1, "a": {"__proto__": 2}}')
    const traffic = await textOf({ ...plain, generators: [generator('in', { template })] }, 'src/traffic.ts')
    expect(traffic.match(/\['__proto__'\]: \d/g)).toEqual(["['__proto__']: 1", "['__proto__']: 2"])
  })

  it('make the topics with the partitions of the generators, and others with as many', () => {
    expect(topicsOf(plain)).toEqual([
      { topic: 'in', partitions: 4 },
      { topic: 'out', partitions: 4 },
    ])
    const busy = { ...plain, generators: [generator('in'), generator('elsewhere', { partitions: 6 })] }
    expect(topicsOf(busy)).toEqual([
      { topic: 'in', partitions: 3 },
      { topic: 'out', partitions: 6 },
    ])
  })
})

describe('the generated test', () => {
  it('sends recorded bytes where there are some, else the keys of the generator', async () => {
    const busy = { ...plain, generators: [generator('in')] }
    expect(await textOf(busy, 'test/topology.test.ts')).toContain("const keys = ['a', 'b']")
    const sampled = await textOf({ ...busy, samples: { in: { keys: ['6b30'] } } }, 'test/topology.test.ts')
    expect(sampled).toContain("const keys = ['6b30']")
    expect(sampled).toContain('fromHex(key)')
  })

  it('knows how many records come out where no code of the user lies between', async () => {
    const busy = { ...counting, generators: [generator('in')] }
    expect(await textOf(busy, 'test/topology.test.ts')).toContain('assert.equal(records.length, 2 * keys.length)')
    const late = documentOf(
      [source('in'), windowedCount('w', { emit: 'window-close' }), sink('counts', { key: text, value: long })],
      ['in > w > counts'],
    )
    expect(await textOf({ ...late, generators: [generator('in')] }, 'test/topology.test.ts')).not.toContain(
      'records.length',
    )
    const twice = documentOf([source('in'), processor('p', { code }), sink('out')], ['in > p > out'])
    expect(await textOf({ ...twice, generators: [generator('in')] }, 'test/topology.test.ts')).not.toContain(
      'records.length',
    )
  })

  it('makes records of serdes that say what they take', async () => {
    const serde = (ref: typeof long | typeof text) => ({ form: 'serde', serde: ref }) as const
    const of = (key: typeof long | typeof text, value: typeof long | typeof text) =>
      textOf(
        documentOf([source('in', { key: serde(key), value: serde(value) }), sink('out')], ['in > out']),
        'test/topology.test.ts',
      )
    expect(await of(text, long)).toMatch(/keys = \['a', 'b'\][\s\S]*pipeInput\(key, 1, /)
    expect(await of(long, text)).toMatch(/keys = \[1, 2\][\s\S]*pipeInput\(key, `text /)
  })

  it('says in the project’s own words what it skips', async () => {
    expect(await textOf(plain, 'README.md')).toContain('makes no records for `in`, and skips those tests')
    const busy = { ...plain, generators: [generator('in')] }
    expect(await textOf(busy, 'README.md')).not.toContain('skips')
    const half = documentOf([source('in'), source('other'), sink('out')], ['in > out', 'other > out'], {
      generators: [generator('in')],
    })
    expect(await textOf(half, 'README.md')).toMatch(/sends sample records[\s\S]*no records for `other`/)
  })

  it('says so when there is nothing to send', async () => {
    expect(await textOf(plain, 'test/topology.test.ts')).toContain("{ skip: 'topology.json has no generator for in")
  })
})

describe('exportFiles', () => {
  it('brings document, config, code, generated files and tarballs', async () => {
    const project = await exportFiles(
      { document: plain, files: { ...files, 'topology.ts': 'stale' }, config: { a: 1 } },
      vendor,
    )
    if (!project.ok) throw new Error('refused')
    expect(project.files.map(({ path }) => path)).toEqual([
      'topology.json',
      'app.config.json',
      'src/model.ts',
      'src/functions.ts',
      'src/grouped.ts',
      'src/keys.ts',
      'src/step.ts',
      'src/topology.ts',
      'src/main.ts',
      'src/send-main.ts',
      'test/topology.test.ts',
      'package.json',
      'tsconfig.json',
      'tsconfig.test.json',
      'README.md',
      '.gitignore',
      'vendor/lanescope-core-0.1.0.tgz',
      'vendor/lanescope-node-0.1.0.tgz',
    ])
    expect(project.files.find(({ path }) => path === 'src/topology.ts')).not.toMatchObject({ text: 'stale' })
  })

  it('refuses an unfinished drawing, and says what is missing', async () => {
    const document = documentOf([source('in', { topics: [] })], [])
    expect(await exportFiles({ document, files: {}, config: {} }, vendor)).toEqual({
      ok: false,
      missing: ['"in" reads no topic yet: name one.'],
    })
  })
})
