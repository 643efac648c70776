import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { VendorPackage } from '@lanescope/shared'
import { AgentError } from '../AgentError.js'

/** The packages that an exported project needs: the ones it imports, and those of ours that these need. */
const PACKAGES = ['@lanescope/core', '@lanescope/node'] as const

const run = promisify(execFile)

/** Packs our packages as `npm publish` would. Takes a second or two. */
export async function packPackages(): Promise<readonly VendorPackage[]> {
  const folder = await mkdtemp(join(tmpdir(), 'lanescope-vendor-'))
  try {
    const packed: VendorPackage[] = []
    for (const name of PACKAGES) packed.push(await pack(name, folder))
    return packed
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function pack(name: string, target: string): Promise<VendorPackage> {
  const source = fileURLToPath(new URL('.', import.meta.resolve(`${name}/package.json`)))
  const [program, args, shell] = npm(['pack', '--json', '--ignore-scripts', '--pack-destination', target])
  try {
    const { stdout } = await run(program, args, { cwd: source, shell })
    const [result] = JSON.parse(stdout) as readonly { readonly filename: string }[]
    // Some versions of npm tell a scoped package's file with its slash.
    const file = (result?.filename ?? '').replace('@', '').replace('/', '-')
    return { name, file, bytes: await readFile(join(target, file)) }
  } catch (error) {
    throw new AgentError(
      `${name} could not be packed for the export by "npm pack" in ${source}: ${error instanceof Error ? error.message : String(error)}`,
      { code: 'EXPORT_FAILED', kind: 'operational', retriable: true, cause: error },
    )
  }
}

/** On Windows npm is no program but a script, so a shell has to find it. */
function npm(args: readonly string[]): [program: string, args: readonly string[], shell: boolean] {
  return ['npm', args, process.platform === 'win32']
}
