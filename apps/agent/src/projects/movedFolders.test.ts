import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ManualClock } from '@lanescope/core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ProjectStore } from './ProjectStore.js'

let root: string
let store: ProjectStore

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'lanescope-moved-'))
  store = new ProjectStore({
    folder: root,
    examplesFolder: join(root, 'none'),
    packageTypes: {},
    clock: new ManualClock(1_000),
    onChange: () => undefined,
    onTrouble: (message) => {
      throw new Error(message)
    },
  })
  await store.create('one')
  await mkdir(join(root, 'one', '.lanescope', 'log'), { recursive: true })
  await writeFile(join(root, 'one', '.lanescope', 'log', 'kept'), 'records')
  await writeFile(join(root, 'one', 'notes.txt'), 'mine')
})

afterEach(async () => {
  store.close()
  await rm(root, { recursive: true, force: true })
})

const ids = async () => (await store.list()).map(({ id }) => id).sort()
const code = (promise: Promise<unknown>) =>
  promise.then(
    () => 'nothing',
    (error: { code: string }) => error.code,
  )

describe('renaming', () => {
  it('moves the folder with its log, and keeps the application.id that state and offsets go by', async () => {
    expect(await store.rename('one', 'two')).toBe('two')
    expect(await ids()).toEqual(['two'])
    const project = await store.open('two')
    expect(project).toMatchObject({ document: { name: 'two' }, config: { 'application.id': 'one' } })
    expect(await readFile(join(root, 'two', '.lanescope', 'log', 'kept'), 'utf8')).toBe('records')
  })

  it('leaves the name of a topology that is not its folder’s', async () => {
    const { document, revision } = await store.open('one')
    await store.save({ projectId: 'one', baseRevision: revision, document: { ...document, name: 'mine' } })
    await store.rename('one', 'two')
    expect((await store.open('two')).document.name).toBe('mine')
  })

  it('takes another case of the same name, and no name of another project in any case', async () => {
    await store.create('two')
    expect(await code(store.rename('one', 'TWO'))).toBe('NAME_TAKEN')
    expect(await code(store.rename('one', 'two'))).toBe('NAME_TAKEN')
    expect(await code(store.rename('one', '../two'))).toBe('PATH_INVALID')
    expect(await store.rename('one', 'one')).toBe('one')
    expect(await store.rename('one', 'ONE')).toBe('ONE')
    expect(await ids()).toEqual(['ONE', 'two'])
  })

  it('says which project is not there', async () => {
    expect(await code(store.rename('none', 'two'))).toBe('NOT_FOUND')
  })
})

describe('duplicating', () => {
  it('copies what people made, not what runs left, under an application.id of its own', async () => {
    expect(await store.duplicate('one')).toBe('one-2')
    expect(await readFile(join(root, 'one-2', 'notes.txt'), 'utf8')).toBe('mine')
    const copy = await store.open('one-2')
    expect(copy).toMatchObject({ document: { name: 'one-2' }, config: { 'application.id': 'one-2' } })
    expect(await readdir(join(root, 'one-2', '.lanescope'))).not.toContain('log')
    expect((await store.open('one')).config['application.id']).toBe('one')
    expect(await store.duplicate('one')).toBe('one-3')
  })
})

describe('deleting', () => {
  it('moves the folder to the trash, whole, and takes it back', async () => {
    const trashId = await store.trash('one')
    expect(await ids()).toEqual([])
    expect(await code(store.open('one'))).toBe('NOT_FOUND')
    expect(await readFile(join(root, '.trash', trashId, 'notes.txt'), 'utf8')).toBe('mine')
    expect(await store.restore(trashId)).toBe('one')
    expect(await readFile(join(root, 'one', '.lanescope', 'log', 'kept'), 'utf8')).toBe('records')
    expect(await code(store.restore(trashId))).toBe('NOT_FOUND')
  })

  it('keeps two of one name apart, and brings one back beside a new one', async () => {
    const first = await store.trash('one')
    await store.create('one')
    const second = await store.trash('one')
    expect(second).not.toBe(first)
    await store.create('one')
    expect(await store.restore(first)).toBe('one-2')
    expect(await store.restore(second)).toBe('one-3')
  })

  it('takes nothing out of anywhere but the trash', async () => {
    expect(await code(store.restore('../one.1'))).toBe('PATH_INVALID')
    expect(await code(store.restore('one'))).toBe('PATH_INVALID')
    expect(await code(store.trash('none'))).toBe('NOT_FOUND')
  })
})
