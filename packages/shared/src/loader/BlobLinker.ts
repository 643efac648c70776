import type { LoadedModule } from './LoadedModule.js'
import { linkModule } from './linkModule.js'

/** What a browser's worker (or a test) offers to make modules out of text. */
export interface ModuleHost {
  /** A URL under which the text can be imported as a module. */
  createUrl(code: string): string
  revokeUrl(url: string): void
  importUrl(url: string): Promise<unknown>
}

/** The global that shims read. A blob module cannot name the worker's own hashed chunk, but both share one global. */
const REGISTRY = 'lanescope.packages'

/** Makes packages that are already loaded importable from blob modules. Call it once, where the modules will run. */
export function providePackages(scope: object, packages: ReadonlyMap<string, object>): void {
  Object.defineProperty(scope, Symbol.for(REGISTRY), {
    value: Object.fromEntries(packages),
    configurable: true,
    enumerable: false,
  })
}

/**
 * Links loaded modules through URLs of their own. A module whose text and imports are unchanged keeps its URL, so it is
 * neither evaluated again nor a new identity for what it exports.
 */
export class BlobLinker {
  readonly #host: ModuleHost
  readonly #shims: ReadonlyMap<string, string>
  #linked = new Map<string, { readonly code: string; readonly url: string }>()

  constructor(host: ModuleHost, packages: ReadonlyMap<string, object>) {
    this.#host = host
    const urls = [...packages].map(([specifier, namespace]) => {
      return [specifier, host.createUrl(shimOf(specifier, Object.keys(namespace)))] as const
    })
    this.#shims = new Map(urls)
  }

  /** Links modules given in order of evaluation. URLs of texts that are no longer used are revoked. */
  link(modules: readonly LoadedModule[]): ReadonlyMap<string, string> {
    const next = new Map<string, { readonly code: string; readonly url: string }>()
    for (const module of modules) {
      const code = linkModule(module, (target) => {
        const url = target.kind === 'module' ? next.get(target.path)?.url : this.#shims.get(target.specifier)
        return url ?? target.kind
      })
      const known = this.#linked.get(module.path)
      if (known?.code === code) next.set(module.path, known)
      else next.set(module.path, { code, url: this.#host.createUrl(`${code}\n//# sourceURL=src/${module.path}\n`) })
    }
    for (const [path, { url }] of this.#linked) if (next.get(path)?.url !== url) this.#host.revokeUrl(url)
    this.#linked = next
    return new Map([...next].map(([path, { url }]) => [path, url]))
  }

  /** Evaluates a linked module. @throws whatever its top level throws */
  async import(url: string): Promise<{ readonly [name: string]: unknown }> {
    return (await this.#host.importUrl(url)) as { readonly [name: string]: unknown }
  }

  dispose(): void {
    for (const { url } of this.#linked.values()) this.#host.revokeUrl(url)
    for (const url of this.#shims.values()) this.#host.revokeUrl(url)
    this.#linked.clear()
  }
}

/** A module that re-exports what the registry holds. `export { x as name }`, since a name may be a reserved word. */
function shimOf(specifier: string, names: readonly string[]): string {
  const lines = names
    .filter((name) => name !== 'default')
    .map((name, index) => `const e${index} = m[${JSON.stringify(name)}];\nexport { e${index} as ${name} };`)
  return `const m = globalThis[Symbol.for('${REGISTRY}')][${JSON.stringify(specifier)}];\n${lines.join('\n')}\n`
}
