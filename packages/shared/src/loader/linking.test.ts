import { describe, expect, it } from 'vitest'
import { BlobLinker, linkModule, loadModules, type ModuleHost, preparedPath, providePackages } from './index.js'

/** Node imports `data:` URLs as a browser does blob URLs. */
function dataHost() {
  const revoked: string[] = []
  const host: ModuleHost = {
    createUrl: (code) => `data:text/javascript,${encodeURIComponent(code)}`,
    revokeUrl: (url) => revoked.push(url),
    importUrl: (url) => import(/* @vite-ignore */ url),
  }
  return { host, revoked }
}

const files = (texts: { readonly [path: string]: string }) => new Map(Object.entries(texts))

describe('BlobLinker', () => {
  const namespace = { Topology: class Topology {}, void: 'a reserved word' }
  const packages = new Map([['@lanescope/core', namespace]])
  const names = new Map([['@lanescope/core', Object.keys(namespace)]])

  it('gives modules the very objects of a package that is already loaded', async () => {
    providePackages(globalThis, packages)
    const { host } = dataHost()
    const linker = new BlobLinker(host, packages)
    const { modules } = await loadModules(
      files({
        'build.ts':
          "import { Topology, void as nothing } from '@lanescope/core'\nimport { n } from './n'\nexport const all = [Topology, nothing, n]\n",
        'n.ts': 'export const n: number = 4\n',
      }),
      { packages: names, foreign: 'problem' },
    )
    const urls = linker.link(modules)
    const { all } = await linker.import(urls.get('build.ts')!)
    expect(all).toEqual([namespace.Topology, 'a reserved word', 4])
  })

  it('keeps the URL of a module whose text and imports are unchanged and revokes the others', async () => {
    const { host, revoked } = dataHost()
    const linker = new BlobLinker(host, packages)
    const link = async (texts: { readonly [path: string]: string }) => {
      const { modules } = await loadModules(files(texts), { packages: names, foreign: 'problem' })
      return linker.link(modules)
    }
    const user = "import { n } from './n'\nexport const m = n\n"
    const first = await link({ 'm.ts': user, 'n.ts': 'export const n = 1', 'o.ts': 'export const o = 1' })
    const second = await link({ 'm.ts': user, 'n.ts': 'export const n = 2', 'o.ts': 'export const o = 1' })
    expect(second.get('o.ts')).toBe(first.get('o.ts'))
    expect(second.get('n.ts')).not.toBe(first.get('n.ts'))
    expect(second.get('m.ts')).not.toBe(first.get('m.ts'))
    expect(new Set(revoked)).toEqual(new Set([first.get('n.ts'), first.get('m.ts')]))
  })
})

describe('linkModule', () => {
  it('names packages and files by URL, and leaves to Node what it is to find itself', async () => {
    const { modules } = await loadModules(
      files({
        'topology.ts':
          "import { Topology } from '@lanescope/core'\nimport pg from 'pg'\nimport { n } from './deep/n'\nexport const t = [Topology, pg, n]\n",
        'deep/n.ts': 'export const n = 1\n',
      }),
      { packages: new Map([['@lanescope/core', undefined]]), foreign: 'leave' },
    )
    const code = linkModule(modules[1]!, (target) => {
      if (target.kind === 'module') return `file:///run/${preparedPath(target.path)}`
      return target.specifier === '@lanescope/core' ? 'file:///agent/core.js' : target.specifier
    })
    expect(code).toBe(
      'import { Topology } from "file:///agent/core.js"\nimport pg from "pg"\nimport { n } from "file:///run/deep/n.mjs"\nexport const t = [Topology, pg, n]\n',
    )
  })
})
