import { execFileSync } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { checkNode, ROOT, SetupError, setup } from './setup.mjs'

let root: string
let said: string[]

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'lanescope-setup-'))
  said = []
  await writeLock('0.0.1')
  await writeFile(join(root, 'package.json'), JSON.stringify({ name: 'bare', version: '0.0.1' }))
})

afterEach(() => rm(root, { recursive: true, force: true }))

/** A repository that needs no package: installing it asks no registry. */
async function writeLock(version: string) {
  const lock = {
    name: 'bare',
    version,
    lockfileVersion: 3,
    requires: true,
    packages: { '': { name: 'bare', version: '0.0.1' } },
  }
  await writeFile(join(root, 'package-lock.json'), JSON.stringify(lock))
}

const failure = async () => {
  const error = await setup((line) => said.push(line), root).catch((caught: unknown) => caught)
  expect(error).toBeInstanceOf(SetupError)
  return (error as SetupError).message
}

describe('the set-up', () => {
  it('installs when it never did or the lock has changed, and says so in one line each time', async () => {
    await failure()
    expect(said).toEqual([expect.stringMatching(/^Installed packages in \d+\.\d s$/)])
    await failure()
    expect(said).toHaveLength(1)
    await writeLock('0.0.2')
    await failure()
    expect(said).toHaveLength(2)
    await rm(join(root, 'node_modules'), { recursive: true })
    await failure()
    expect(said).toHaveLength(3)
  })

  it('tells of a failed step what it said last, and the command', async () => {
    const message = await failure()
    expect(message).toContain('Cannot find module')
    expect(message).toMatch(
      /Failed \(exit code 1\): .*tsc -b packages\/core packages\/node packages\/shared apps\/agent/,
    )
    expect(message).toContain(root)
  })

  it.each(['18.20.0', '20.18.3', '20.9.0'])('refuses Node %s in one line', (version) => {
    expect(() => checkNode(version)).toThrow(`Lanescope needs Node 20.19 or newer, and this is Node ${version}`)
  })

  it.each(['20.19.0', '20.20.1', '22.0.0'])('takes Node %s', (version) => {
    expect(() => checkNode(version)).not.toThrow()
  })
})

describe('npm start', () => {
  it('lists the flags without setting anything up', async () => {
    await cp(fileURLToPath(new URL('.', import.meta.url)), join(root, 'tooling'), { recursive: true })
    await cp(join(ROOT, 'apps', 'agent', 'help.txt'), join(root, 'apps', 'agent', 'help.txt'))
    const output = execFileSync(process.execPath, [join(root, 'tooling', 'start.mjs'), '--help'], { encoding: 'utf8' })
    expect(output).toBe(await readFile(join(ROOT, 'apps', 'agent', 'help.txt'), 'utf8'))
  })
})
