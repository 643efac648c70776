import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const root = new URL('../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')

/** Each section of the page, and the manifest that it speaks of. */
const SECTIONS = {
  '@lanescope/core': 'packages/core',
  '@lanescope/node': 'packages/node',
  '@lanescope/shared': 'packages/shared',
  'lanescope (the agent)': 'apps/agent',
  '@lanescope/web (the page)': 'apps/web',
  '@lanescope/e2e': 'e2e',
  'The workspace': '.',
}

const SHIPPED = ['MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'Apache-2.0', 'OFL-1.1']
const TOOLS = [...SHIPPED, 'MIT OR Apache-2.0', 'BlueOak-1.0.0', 'MPL-2.0']

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

const page = read('docs/reference/dependencies.md')

function described(section: string): readonly (readonly [library: string, licence: string])[] {
  const text = page.split(/^## /m).find((part) => part.startsWith(`${section}\n`)) ?? ''
  return [...text.matchAll(/^\| `([^`]+)` \| .+ \| ([^|]+) \|$/gm)].map(([, name = '', licence = '']) => [
    name,
    licence,
  ])
}

function installedLicence(folder: string, library: string): unknown {
  const require = createRequire(fileURLToPath(new URL(`${folder}/package.json`, root)))
  for (const path of require.resolve.paths(library) ?? []) {
    try {
      return (JSON.parse(readFileSync(`${path}/${library}/package.json`, 'utf8')) as { readonly license?: unknown })
        .license
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
  return undefined
}

describe.each(Object.entries(SECTIONS))('the dependencies of %s', (section, folder) => {
  const manifest = JSON.parse(read(`${folder}/package.json`)) as Manifest
  const named = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }).filter(
    (name) => !name.startsWith('@lanescope/'),
  )

  it('are described, each and no other', () => {
    expect(
      described(section)
        .map(([name]) => name)
        .sort(),
    ).toEqual(named.sort())
  })

  it('have the licence that the page names', () => {
    const said = Object.fromEntries(described(section))
    expect(said).toEqual(Object.fromEntries(named.map((name) => [name, installedLicence(folder, name)])))
  })
})

describe('licences', () => {
  const lock = JSON.parse(read('package-lock.json')) as {
    readonly packages: Readonly<
      Record<string, { readonly license?: string; readonly dev?: boolean; readonly link?: boolean }>
    >
  }
  const libraries = Object.entries(lock.packages).filter(
    ([path, entry]) => path.includes('node_modules/') && !entry.link,
  )

  it('of everything that is shipped or run go with Apache-2.0', () => {
    const wrong = libraries.filter(([, { license = 'none', dev }]) => !(dev ? TOOLS : SHIPPED).includes(license))
    expect(wrong.map(([path, { license }]) => `${path}: ${license}`)).toEqual([])
    expect(libraries.length).toBeGreaterThan(100)
  })
})
