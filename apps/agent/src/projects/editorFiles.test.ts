import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { relayCode, relayDocument, writeProject } from '../../test/projects.js'
import { editorFiles, ourPackageTypes } from './editorFiles.js'

const run = promisify(execFile)
const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc')

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lanescope-editor-'))
})

afterEach(() => rm(folder, { recursive: true, force: true }))

async function compile(body: string): Promise<string> {
  await writeProject(folder, relayDocument('one'), { 'relay.ts': relayCode(body) })
  const types = ourPackageTypes((specifier) => import.meta.resolve(specifier))
  for (const [path, text] of Object.entries(editorFiles(folder, 'One', types))) {
    await writeFile(join(folder, path), text)
  }
  return run(process.execPath, [tsc, '-p', folder]).then(
    ({ stdout }) => stdout,
    ({ stdout }: { stdout: string }) => stdout,
  )
}

it('lets a compiler outside Lanescope find the types of the engine', async () => {
  expect(await compile('return ctx.forward(record)')).toBe('')
  expect(await compile('return ctx.backward(record)')).toContain("Property 'backward' does not exist")
}, 300_000)

it('names types relative to the project, and the project in lower case', () => {
  const files = editorFiles('/home/ada/projects/One', 'One', {
    '@lanescope/core': '/home/ada/projects/One/x/index.d.ts',
  })
  const { compilerOptions } = JSON.parse(files['tsconfig.json'] ?? '') as { compilerOptions: { paths: object } }
  expect(compilerOptions.paths).toEqual({ '@lanescope/core': ['./x/index.d.ts'] })
  expect(JSON.parse(files['package.json'] ?? '')).toEqual({ name: 'one', private: true, type: 'module' })
  expect(Object.keys(editorFiles('/a', 'a', { x: '/b/c.d.ts' }))).toEqual([
    '.gitignore',
    'package.json',
    'tsconfig.json',
  ])
  expect(editorFiles('/a', 'a', { x: '/b/c.d.ts' })['tsconfig.json']).toContain('"../b/c.d.ts"')
})
