import type { LoadProblem } from './LoadedModule.js'
import { linkModule } from './linkModule.js'
import { loadModules } from './loadModules.js'
import type { TypeScriptTools } from './TypeScriptTools.js'

export interface PrepareOptions {
  /** URL of each package that the host provides, such as its own copy of `@lanescope/core`. Others stay as written. */
  readonly packages: ReadonlyMap<string, { readonly url: string; readonly exports?: readonly string[] }>
  /** URL that a prepared text will have, by the path it is written to. */
  urlOf(path: string): string
  readonly tools?: TypeScriptTools
}

export interface PreparedModules {
  /** In the order of evaluation. `path` is where to write it: `topology.mjs` for `topology.ts`. */
  readonly texts: readonly { readonly path: string; readonly source: string; readonly code: string }[]
  readonly problems: readonly LoadProblem[]
}

/**
 * Makes a project's modules ready to be written to a folder and imported by Node: JavaScript, with `@lanescope/*`
 * and the project's own files named by URL. Imports of other packages stay bare, so Node resolves them from the folder
 * the texts are written to: keep it below the project's.
 */
export async function prepareModules(
  files: ReadonlyMap<string, string>,
  options: PrepareOptions,
): Promise<PreparedModules> {
  const names = [...options.packages].map(([specifier, { exports }]) => [specifier, exports] as const)
  const { modules, problems } = await loadModules(files, {
    packages: new Map(names),
    foreign: 'leave',
    ...(options.tools === undefined ? {} : { tools: options.tools }),
  })
  const texts = modules.map((module) => ({
    path: preparedPath(module.path),
    source: module.path,
    code: linkModule(module, (target) => {
      if (target.kind === 'module') return options.urlOf(preparedPath(target.path))
      return options.packages.get(target.specifier)?.url ?? target.specifier
    }),
  }))
  return { texts, problems }
}

/** `.mjs`, so that Node takes it for a module whatever the nearest package.json says. */
export function preparedPath(path: string): string {
  return path.replace(/\.[jt]s$/, '.mjs')
}
