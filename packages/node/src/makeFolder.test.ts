import { chmod, mkdir, mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SystemClock } from '@lanescope/core'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { makeFolder } from './makeFolder.js'
import { openLog } from './openLog.js'
import { openState } from './state/openState.js'

const clock = new SystemClock()
let dir: string
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lanescope-folder-'))
})
afterEach(() => rm(dir, { recursive: true }))

const isFolder = async (path: string) => (await stat(path)).isDirectory()
const opening = (stateDir: string) => openState({ 'state.dir': stateDir }, 'app', { clock, report: () => undefined })
const opened = async (stateDir: string) => {
  const state = await opening(stateDir)
  await state?.close()
  return isFolder(join(stateDir, 'app'))
}

it('makes all that is missing above a folder, and takes one that is there', async () => {
  const deep = join(dir, 'a', 'b', 'c')
  await makeFolder(deep)
  expect(await isFolder(deep)).toBe(true)
  await makeFolder(deep)
  await makeFolder('/')
  await symlink(deep, join(dir, 'link'))
  await makeFolder(join(dir, 'link', 'd'))
  expect(await isFolder(join(deep, 'd'))).toBe(true)
})

it('says what is in its way: a file, a file above it, a link to nowhere', async () => {
  await writeFile(join(dir, 'file'), '')
  await symlink(join(dir, 'nowhere'), join(dir, 'link'))
  await expect(makeFolder(join(dir, 'file'))).rejects.toMatchObject({ code: 'EEXIST' })
  await expect(makeFolder(join(dir, 'file', 'a', 'b'))).rejects.toMatchObject({ code: 'ENOTDIR' })
  await expect(makeFolder(join(dir, 'link'))).rejects.toMatchObject({ code: 'EEXIST' })
  await expect(makeFolder(join(dir, 'link', 'a'))).rejects.toMatchObject({ code: 'EEXIST' })
})

it.runIf(process.platform === 'linux')(
  'comes back where there can be no folder, though its parent is there',
  async () => {
    for (const folder of ['/proc/x', '/proc/x/y/z']) {
      await expect(makeFolder(folder)).rejects.toMatchObject({ code: 'ENOENT' })
    }
  },
)

it('opens state in a folder whose parents are missing, and names what keeps it from that', async () => {
  expect(await opened(join(dir, 'new', 'er'))).toBe(true)
  await writeFile(join(dir, 'file'), '')
  await mkdir(join(dir, 'taken'))
  await writeFile(join(dir, 'taken', 'app'), '')
  for (const bad of [join(dir, 'file'), join(dir, 'file', 'below'), join(dir, 'taken')]) {
    await expect(opening(bad)).rejects.toMatchObject({
      code: 'STATE_UNAVAILABLE',
      message: expect.stringMatching(
        /^Opening the state in \S+[/\\]app failed: .* Something that is no folder is in its way: give state\.dir/,
      ),
    })
  }
})

it.runIf(process.platform === 'linux')('names a state.dir in which nothing can be made', async () => {
  await expect(opening('/proc/x')).rejects.toMatchObject({
    code: 'STATE_UNAVAILABLE',
    message:
      "Opening the state in /proc/x/app failed: ENOENT: no such file or directory, mkdir '/proc/x'. There can be no new folder there: give state.dir another one.",
  })
  await expect(opening('/dev/full')).rejects.toMatchObject({
    message: expect.stringMatching(/no folder is in its way/),
  })
})

it.runIf(process.getuid?.() !== 0)('names a state.dir that this user may not write to', async () => {
  await chmod(dir, 0o500)
  await expect(opening(dir)).rejects.toMatchObject({
    message: expect.stringMatching(/permission denied.*Let this process write there/),
  })
  await chmod(dir, 0o700)
})

it('says in one line what keeps the embedded log from its folder', async () => {
  await writeFile(join(dir, 'file'), '')
  await expect(openLog({ 'embedded.log.dir': join(dir, 'file') }, { clock })).rejects.toMatchObject({
    code: 'LOG_UNAVAILABLE',
    message: expect.stringMatching(/^The embedded log in "\S+file" cannot be opened: EEXIST.* Give embedded\.log\.dir/),
  })
})
