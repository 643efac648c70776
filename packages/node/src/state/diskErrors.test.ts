import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StreamError } from '@lanescope/core'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { diskError, isCorrupt, notReadAgain, openError, writeError } from './diskErrors.js'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lanescope-errors-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** As LevelDB's adapter throws: the reason lies beneath. */
const level = (code: string, message: string) =>
  Object.assign(new Error('Database failed'), { cause: { code, message } })
const FULL = level('LEVEL_IO', 'IO error: 000003.log: No space left on device')

describe('a write that failed', () => {
  it.each([
    [[], 'Writing 7 bytes to the state in'],
    [['a'], 'Writing 7 bytes of "a" to the state in'],
    [['a', 'b'], 'Writing 7 bytes of "a" and 1 other store to the state in'],
    [['a', 'b', 'c'], 'Writing 7 bytes of "a" and 2 other stores to the state in'],
  ])('names the stores %j', async (stores, text) => {
    const { message, context, code, retriable } = await writeError(folder, FULL, { bytes: 7, stores })
    expect(message.startsWith(`${text} ${folder} failed: IO error`)).toBe(true)
    expect([code, retriable, context.store]).toEqual(['STATE_UNAVAILABLE', true, stores[0]])
  })

  it('tells how much is free where the folder is there', async () => {
    const facts = { bytes: 1, stores: [] }
    expect((await writeError(folder, FULL, facts)).message).toMatch(/device\. \d+ bytes are free there\. Make room/)
    expect((await writeError(join(folder, 'gone'), FULL, facts)).message).toMatch(/device\. Make room/)
  })

  it('is none of the disk where another process or damage is what is wrong', async () => {
    const facts = { bytes: 1, stores: ['a'] }
    const own = new StreamError('own', { code: 'STATE_CORRUPT', kind: 'operational', retriable: true })
    expect(await writeError(folder, own, facts)).toBe(own)
    const of = async (code: string) => (await writeError(folder, level(code, 'why'), facts)).code
    expect([await of('LEVEL_LOCKED'), await of('LEVEL_CORRUPTION')]).toEqual(['STATE_LOCKED', 'STATE_CORRUPT'])
  })
})

it.each([
  ['No space left on device', /Make room on that disk/],
  ['disk quota exceeded', /Make room on that disk/],
  ['Read-only file system', /Let this process write there/],
  ['EACCES: permission denied', /Let this process write there/],
  ['ENOTDIR: not a directory', /no folder is in its way/],
  ['ENOENT: gone', /Has the folder been deleted/],
  ['something else', /Make sure that the folder can be written/],
])('says what to do about %s', (reason, advice) => {
  expect(diskError(folder, 'Reading', level('LEVEL_IO', reason)).message).toMatch(advice)
  expect(notReadAgain(folder, level('LEVEL_IO', reason)).message).toMatch(advice)
})

describe('a folder that cannot be opened', () => {
  it('is damaged where a file that its head names is gone, but not where its lock cannot be made', async () => {
    const lost = (name: string) =>
      openError(folder, level('LEVEL_IO', `IO error: ${folder}/${name}: No such file or directory`))
    expect([isCorrupt(await lost('000005.ldb')), isCorrupt(await lost('LOCK'))]).toEqual([true, false])
    expect(isCorrupt(await openError(folder, level('LEVEL_IO', `${folder}/5.ldb: Invalid argument`)))).toBe(true)
  })

  it('may be no folder at all', async () => {
    const file = join(folder, 'file')
    await writeFile(file, '')
    expect((await openError(join(file, 'state'), level('LEVEL_IO', 'IO error'))).message).toMatch(
      /no folder is in its way/,
    )
    const gone = await openError(join(folder, 'new'), level('ENOENT', 'ENOENT: no such folder'))
    expect(gone.message).toMatch(/There can be no new folder there/)
  })
})
