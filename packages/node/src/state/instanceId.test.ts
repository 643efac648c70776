import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { instanceId } from './instanceId.js'

let dir: string
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'lanescope-instance-'))
})
afterEach(() => rm(dir, { recursive: true }))

it('[E5] stays the same for a folder, and is another one for another', async () => {
  const folder = join(dir, 'state', 'app')
  const id = await instanceId(folder)
  expect(id).toMatch(/^[0-9a-f]{8}$/)
  expect(await instanceId(folder)).toBe(id)
  expect(await instanceId(join(dir, 'state', 'other'))).not.toBe(id)
})

it('[E5] is made anew where the file holds something else', async () => {
  const folder = join(dir, 'app')
  await writeFile(`${folder}.instance`, '0123456789')
  const id = await instanceId(folder)
  expect(id).toMatch(/^[0-9a-f]{8}$/)
  expect(await readFile(`${folder}.instance`, 'utf8')).toBe(id)
})

it('names the folder and what to do where it cannot be kept', async () => {
  await writeFile(join(dir, 'file'), '')
  const folder = join(dir, 'file', 'app')
  const failure = await instanceId(folder).catch((error: unknown) => error)
  expect(failure).toMatchObject({
    code: 'STATE_UNAVAILABLE',
    message: expect.stringContaining(`Opening the state in ${folder} failed: ENOTDIR`),
  })
  expect(failure).toMatchObject({ message: expect.stringMatching(/Something that is no folder is in its way/) })
})
