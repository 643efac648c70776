import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseConfig, SystemClock } from '@lanescope/core'
import {
  type DocumentNode,
  emptyDocument,
  FORMAT_VERSION,
  generateSources,
  type Project,
  writeDocument,
} from '@lanescope/shared'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ProjectChange } from './ProjectChanges.js'
import { ProjectStore } from './ProjectStore.js'

vi.mock('@lanescope/shared', async (original) => {
  const real = await original<typeof import('@lanescope/shared')>()
  return { ...real, generateSources: vi.fn(real.generateSources) }
})

let root: string
let store: ProjectStore
let changes: ProjectChange[]

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'lanescope-projects-'))
  changes = []
  store = openStore()
})

afterEach(async () => {
  store.close()
  await rm(root, { recursive: true, force: true })
})

function openStore() {
  return new ProjectStore({
    folder: join(root, 'projects'),
    examplesFolder: join(root, 'examples'),
    packageTypes: {},
    clock: new SystemClock(),
    onChange: (change) => changes.push(change),
    onTrouble: (message) => {
      throw new Error(message)
    },
  })
}

const onDisk = (...path: string[]) => readFile(join(root, 'projects', ...path), 'utf8')

async function writeOnDisk(text: string, ...path: string[]) {
  await mkdir(join(root, 'projects', ...path, '..'), { recursive: true })
  await writeFile(join(root, 'projects', ...path), text)
}

const code = (promise: Promise<unknown>) =>
  promise.then(
    () => 'nothing',
    (error: { code: string }) => error.code,
  )

describe('a new project', () => {
  it('is a folder with a document, a config, a model and the generated text', async () => {
    const project = await store.create('First-steps')
    expect(project).toMatchObject({ id: 'First-steps', config: { 'application.id': 'First-steps' } })
    expect(project.document.name).toBe('First-steps')
    expect(Object.keys(project.files)).toEqual(['model.ts'])
    expect(await onDisk('First-steps', 'src', 'topology.ts')).toContain('export function build()')
  })

  it('gets a folder of its own beside one of the same name, whatever the case', async () => {
    await store.create('counts')
    expect((await store.create('Counts')).id).toBe('Counts-2')
    expect((await store.create('counts')).id).toBe('counts-3')
  })

  it.each(['two words', '.git', 'CON', '', '../x'])('is refused as %j, and nothing made', async (name) => {
    expect(await code(store.create(name))).toBe('PATH_INVALID')
    expect(await readdir(root)).toEqual([])
  })

  it('[W2] reads on when some of its partitions stand still, soon enough for somebody who feeds by hand', async () => {
    const { config } = await store.create('one')
    expect(parseConfig(config)).toMatchObject({
      'time.mode': 'watermark',
      'time.idle-after-ms': 1_000,
      'default.key.serde': expect.anything(),
      'default.value.serde': expect.anything(),
    })
  })

  it('keeps what runs leave behind out of version control', async () => {
    await store.create('one')
    expect((await onDisk('one', '.gitignore')).split('\n')).toContain('.lanescope/')
  })
})

describe('saving', () => {
  let project: Project

  beforeEach(async () => {
    project = await store.create('one')
  })

  const save = (parts: Partial<Parameters<ProjectStore['save']>[0]>) =>
    store.save({ projectId: 'one', baseRevision: project.revision, ...parts })

  it('writes document, files and config, regenerates, and counts the revision up', async () => {
    const document = { ...project.document, name: 'renamed' }
    const revision = await save({ document, files: { 'deep/er.ts': 'export {}\n' }, config: { 'lanes.count': 8 } })
    expect(revision).toBeGreaterThan(project.revision)
    expect(await store.open('one')).toEqual({
      id: 'one',
      revision,
      document,
      files: { ...project.files, 'deep/er.ts': 'export {}\n' },
      config: { 'lanes.count': 8 },
    })
    expect(changes).toEqual([{ projectId: 'one', revision, by: 'page' }])
    expect(await readdir(join(root, 'projects', 'one', '.lanescope', 'tmp'))).toEqual([])
  })

  it('removes files', async () => {
    await save({ deletedFiles: ['model.ts'] })
    expect((await store.open('one')).files).toEqual({})
  })

  it('is refused on another base than the newest revision, and writes nothing', async () => {
    expect(await code(save({ baseRevision: project.revision - 1, files: { 'model.ts': 'lost' } }))).toBe('CONFLICT')
    await writeOnDisk('// by an editor\n', 'one', 'src', 'model.ts')
    expect(await code(save({ files: { 'model.ts': 'lost' } }))).toBe('CONFLICT')
    expect(await onDisk('one', 'src', 'model.ts')).toBe('// by an editor\n')
  })

  it('lets one of two at the same time win', async () => {
    const outcomes = await Promise.all([code(save({ files: { 'a.ts': '1' } })), code(save({ files: { 'a.ts': '2' } }))])
    expect(outcomes).toEqual(['nothing', 'CONFLICT'])
    expect(await onDisk('one', 'src', 'a.ts')).toBe('1')
  })

  it.each(['../escaped.ts', '/tmp/escaped.ts', 'topology.ts', 'a/../../../escaped.ts'])(
    'never writes %s',
    async (path) => {
      await expect(async () => save({ files: { [path]: 'x' } })).rejects.toThrow(`"${path}"`)
      await expect(async () => save({ deletedFiles: [path] })).rejects.toThrow(`"${path}"`)
    },
  )

  it('refuses a document that means nothing, and writes nothing', async () => {
    const document = { ...project.document, edges: [{ id: 'e', from: 'x', to: 'y' }] }
    expect(await code(save({ document, files: { 'model.ts': 'lost' } }))).toBe('DOCUMENT_INVALID')
    expect(await onDisk('one', 'src', 'model.ts')).not.toContain('lost')
    expect((await store.open('one')).document.edges).toEqual([])
  })

  it.each(['not a type!', 'string; process.exit()', "'"])(
    'keeps %j, which is no type, and writes code without it',
    async (type) => {
      const value = { form: 'serde', serde: { kind: 'json', type } } as const
      const properties = {
        topics: ['in'],
        keyType: 'string',
        valueType: type,
        key: { form: 'default' as const },
        value,
      }
      const source: DocumentNode = { id: 'in', name: 'in', kind: 'source', position: { x: 0, y: 0 }, properties }
      const document = { ...project.document, nodes: [source] }
      const revision = await save({ document })
      expect(await store.open('one')).toMatchObject({ revision, document })
      expect(await onDisk('one', 'src', 'topology.ts')).toContain('json<unknown>()')
      expect(changes).toEqual([{ projectId: 'one', revision, by: 'page' }])
    },
  )

  const folder = async () =>
    Promise.all(
      ['topology.json', 'app.config.json', 'src/model.ts', 'src/topology.ts'].map((path) =>
        onDisk('one', ...path.split('/')),
      ),
    )

  it('writes nothing of a document that no code can be made of, and says so in a line', async () => {
    vi.mocked(generateSources).mockRejectedValueOnce(new SyntaxError("';' expected. (4:31)\n  3 | …"))
    const before = await folder()
    const saved = save({ document: { ...project.document, name: 'new' }, files: { 'model.ts': 'new' }, config: {} })
    await expect(saved).rejects.toMatchObject({
      code: 'PROJECT_CODE',
      kind: 'user',
      message: 'The code of "new" cannot be written. \';\' expected. (4:31)',
    })
    expect(await folder()).toEqual(before)
    expect((await store.open('one')).revision).toBe(project.revision)
    expect(changes).toEqual([])
  })

  it('that a full disk ends halfway is no change of anybody else', async () => {
    await rm(join(root, 'projects', 'one', 'src', 'topology.ts'))
    await mkdir(join(root, 'projects', 'one', 'src', 'topology.ts', 'in-the-way'), { recursive: true })
    const document = { ...project.document, name: 'new' }
    await expect(save({ document })).rejects.toThrow()
    const { revision, document: kept } = await store.open('one')
    expect(kept.name).toBe('new')
    expect(changes).toEqual([{ projectId: 'one', revision, by: 'page' }])
  })

  it('of files goes on where somebody broke the document', async () => {
    await writeOnDisk('{', 'one', 'topology.json')
    const broken = await store
      .save({ projectId: 'one', baseRevision: project.revision, files: {} })
      .catch((error) => error)
    expect(broken.code).toBe('CONFLICT')
    const { newest } = broken.context
    await store.save({ projectId: 'one', baseRevision: newest, files: { 'model.ts': '// kept\n' } })
    expect(await onDisk('one', 'src', 'model.ts')).toBe('// kept\n')
    expect(await onDisk('one', 'topology.json')).toBe('{')
  })

  it('goes on after a restart of the agent with the revision that the page has', async () => {
    store.close()
    store = openStore()
    expect((await store.open('one')).revision).toBe(project.revision)
  })
})

describe('changes on disk', () => {
  it('are told once an editor has saved, with the new revision', async () => {
    const { revision } = await store.create('one')
    await writeOnDisk('export type Mine = 1\n', 'one', 'src', 'mine.ts')
    await vi.waitFor(() => expect(changes).toHaveLength(1), { timeout: 50_000, interval: 10 })
    expect(changes[0]).toMatchObject({ projectId: 'one', by: 'disk' })
    expect(changes[0]?.revision).toBeGreaterThan(revision)
    expect((await store.open('one')).revision).toBe(changes[0]?.revision)
  })

  it('are told of the document too, and of a folder src that comes later', async () => {
    await writeOnDisk(writeDocument(emptyDocument('bare')), 'bare', 'topology.json')
    await store.open('bare')
    await writeOnDisk('{}', 'bare', 'app.config.json')
    await vi.waitFor(() => expect(changes).toHaveLength(1), { timeout: 50_000, interval: 10 })
    await mkdir(join(root, 'projects', 'bare', 'src'))
    await writeOnDisk('export {}\n', 'bare', 'src', 'a.ts')
    await vi.waitFor(() => expect(changes).toHaveLength(2), { timeout: 50_000, interval: 10 })
  })
})

describe('opening', () => {
  it.each([
    ['is not JSON', '{\n  "formatVersion": 1,,\n}', /line 2/],
    ['was written by a newer version', `{"formatVersion":${FORMAT_VERSION + 1}}`, /newer|version/i],
    [
      'names an unknown kind of node',
      writeDocument(emptyDocument('x')).replace('"nodes": []', '"nodes": [{"id":"a","kind":"teleport","name":"a"}]'),
      /nodes\[0\]\.kind.*teleport/,
    ],
  ])('a document that %s is refused with the place, and nothing is touched', async (_what, text, message) => {
    await writeOnDisk(text, 'broken', 'topology.json')
    await expect(store.open('broken')).rejects.toThrow(message)
    expect(await code(store.save({ projectId: 'broken', baseRevision: 1, files: { 'a.ts': '' } }))).toBe('CONFLICT')
    expect(await onDisk('broken', 'topology.json')).toBe(text)
    expect(await readdir(join(root, 'projects', 'broken'))).toEqual(['topology.json'])
    expect(await store.list()).toMatchObject([{ id: 'broken', name: 'broken', nodes: 0 }])
  })

  it.each([
    ['is longer than any text', '"'.padEnd(9_000_000, 'a'), /line 1, column 1: .*9000000 characters/],
    ['is too large to be read', ' '.repeat(16 * 1024 * 1024 + 1), /16777217 bytes/],
  ])('a document that %s is refused, and hides no other project', async (_what, text, message) => {
    await writeOnDisk(text, 'huge', 'topology.json')
    await writeOnDisk(writeDocument(emptyDocument('small')), 'small', 'topology.json')
    await expect(store.open('huge')).rejects.toThrow(message)
    expect((await store.list()).map(({ id, nodes }) => [id, nodes]).sort()).toEqual([
      ['huge', 0],
      ['small', 0],
    ])
  })

  it('refuses what is no project, and what lies elsewhere', async () => {
    expect(await code(store.open('nothing'))).toBe('NOT_FOUND')
    await expect(async () => store.open('../projects')).rejects.toThrow('cannot be in a name')
  })

  it('shows no file that a link leads to', async () => {
    await writeOnDisk(writeDocument(emptyDocument('x')), 'x', 'topology.json')
    await writeFile(join(root, 'secret.ts'), 'secret')
    await mkdir(join(root, 'projects', 'x', 'src'))
    await symlink(join(root, 'secret.ts'), join(root, 'projects', 'x', 'src', 'a.ts'))
    expect((await store.open('x')).files).toEqual({})
  })
})

describe('examples', () => {
  beforeEach(async () => {
    await mkdir(join(root, 'examples', 'tour', 'src'), { recursive: true })
    await mkdir(join(root, 'examples', 'tour', '.lanescope', 'log'), { recursive: true })
    await mkdir(join(root, 'examples', 'not-one'), { recursive: true })
    await writeFile(join(root, 'examples', 'tour', 'topology.json'), writeDocument(emptyDocument('tour')))
    await writeFile(join(root, 'examples', 'tour', 'src', 'model.ts'), 'export {}\n')
    await writeFile(join(root, 'examples', 'tour', 'README.md'), '# A tour\n\nShows *one*\nthing.\n\nMore.\n')
  })

  it('are the folders with a document, told by their README', async () => {
    expect(await store.listExamples()).toEqual([{ id: 'tour', title: 'A tour', description: 'Shows one thing.' }])
  })

  it('come in the order in which the README above them links them, then by name', async () => {
    for (const id of ['alpha', 'beta']) {
      await mkdir(join(root, 'examples', id), { recursive: true })
      await writeFile(join(root, 'examples', id, 'topology.json'), writeDocument(emptyDocument(id)))
    }
    await writeFile(join(root, 'examples', 'README.md'), '1. [Tour](tour/): first.\n2. [Beta](./beta)\n')
    expect((await store.listExamples()).map(({ id }) => id)).toEqual(['tour', 'beta', 'alpha'])
  })

  it('are copied once, without local data, and then opened as they are', async () => {
    const first = await store.openExample('tour', false)
    await store.save({ projectId: 'tour', baseRevision: first.revision, files: { 'model.ts': '// mine\n' } })
    expect((await store.openExample('tour', false)).files).toEqual({ 'model.ts': '// mine\n' })
    expect(await readdir(join(root, 'projects', 'tour', '.lanescope'))).toEqual(['tmp'])
    expect(await readFile(join(root, 'examples', 'tour', 'src', 'model.ts'), 'utf8')).toBe('export {}\n')
  })

  it('are copied once even when two pages ask at the same moment', async () => {
    const both = await Promise.all([store.openExample('tour', false), store.openExample('tour', false)])
    expect(both.map(({ id }) => id)).toEqual(['tour', 'tour'])
    expect(await readdir(join(root, 'projects'))).toEqual(['tour'])
  })

  it('are copied again beside the first when a fresh one is wanted', async () => {
    await store.openExample('tour', false)
    expect((await store.openExample('tour', true)).id).toBe('tour-2')
  })

  it('are refused when there is none of that name', async () => {
    expect(await code(store.openExample('nothing', false))).toBe('NOT_FOUND')
    expect(await code(store.openExample('../projects', false))).toBe('NOT_FOUND')
  })
})
