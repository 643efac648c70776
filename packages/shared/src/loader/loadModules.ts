import { bindImports, type PackageNames } from './bindImports.js'
import type { LoadedModule, LoadProblem, LoadResult } from './LoadedModule.js'
import { orderModules } from './orderModules.js'
import { type ParsedModule, parseModule } from './parseModule.js'
import { loadTypeScript, type TypeScriptTools } from './TypeScriptTools.js'

export interface LoadOptions {
  /** The packages at hand: their specifiers, and the names that each exports as values when that is known. */
  readonly packages: PackageNames
  /** What an import of any other package is: a problem (in the page), or left for the host to resolve. */
  readonly foreign: 'problem' | 'leave'
  /** Entry files. Given: only what they reach is in `modules`; the others are checked all the same. */
  readonly entries?: readonly string[]
  /** Keeps parsed files between calls; an unchanged text is not parsed again. */
  readonly cache?: ModuleCache
  readonly tools?: TypeScriptTools
}

/** Parsed files by path. Made by the caller, who decides how long it lives. */
export class ModuleCache {
  readonly #parsed = new Map<string, { readonly text: string; readonly module: ParsedModule }>()

  parse(path: string, text: string, tools: TypeScriptTools): ParsedModule {
    const known = this.#parsed.get(path)
    if (known?.text === text) return known.module
    const module = parseModule(path, text, tools)
    this.#parsed.set(path, { text, module })
    return module
  }

  /** Forgets files that are gone. */
  retain(paths: ReadonlySet<string>): void {
    for (const path of this.#parsed.keys()) if (!paths.has(path)) this.#parsed.delete(path)
  }
}

/**
 * Turns the modules of a project into JavaScript, in the order in which they can be evaluated.
 *
 * @param files text by path under `src/` (`sessionize.ts`); only `.ts` and `.js` files are modules
 * @returns what can be run, what is wrong and where; it throws for nothing that a user wrote
 */
export async function loadModules(files: ReadonlyMap<string, string>, options: LoadOptions): Promise<LoadResult> {
  const tools = options.tools ?? (await loadTypeScript())
  const cache = options.cache ?? new ModuleCache()
  const parsed = new Map<string, ParsedModule>()
  for (const [path, text] of files) {
    if (/\.[jt]s$/.test(path) && !path.endsWith('.d.ts')) parsed.set(path, cache.parse(path, text, tools))
  }
  cache.retain(new Set(parsed.keys()))

  // After a first syntax error the parser guesses: the rest of what it says about that file is noise.
  const problems: LoadProblem[] = [...parsed.values()].flatMap((module) => module.problems.slice(0, 1))
  const bound = new Map<string, LoadedModule>()
  const exports = new Map<string, ReadonlySet<string>>()
  for (const module of parsed.values()) {
    const one = bindImports(module, parsed, options.packages, options.foreign)
    bound.set(module.path, one.loaded)
    if (one.exports !== undefined) exports.set(module.path, one.exports)
    problems.push(...one.problems)
  }
  const { order, cycles } = orderModules(bound, options.entries)
  problems.push(...cycles)
  const broken = brokenFiles(bound, problems)
  return { modules: order.filter((module) => !broken.has(module.path)), problems, broken, exports }
}

/** A file is broken when it has a problem, or when what it imports is. */
function brokenFiles(bound: ReadonlyMap<string, LoadedModule>, problems: readonly LoadProblem[]): Map<string, string> {
  const broken = new Map<string, string>()
  for (const problem of problems) {
    for (const file of problem.files ?? [problem.file]) if (!broken.has(file)) broken.set(file, problem.message)
  }
  for (let size = -1; size !== broken.size; ) {
    size = broken.size
    for (const { path, imports } of bound.values()) {
      if (broken.has(path)) continue
      const cause = imports.find(({ target }) => target.kind === 'module' && broken.has(target.path))
      if (cause !== undefined) broken.set(path, `It imports '${cause.specifier}', which cannot be loaded.`)
    }
  }
  return broken
}
