import type { LoadedModule, LoadResult } from '../LoadedModule.js'
import { type LoadOptions, loadModules } from '../loadModules.js'
import { loadTypeScript } from '../TypeScriptTools.js'
import { compileForSimulation, HELPERS } from './compileForSimulation.js'

/** A module as a simulation runs it. */
export interface SimulatedModule extends LoadedModule {
  /** A source map (version 3) of `code`. */
  readonly map: string
}

export interface SimulatedLoadResult extends LoadResult {
  readonly modules: readonly SimulatedModule[]
}

/**
 * As `loadModules`, compiled so that a simulation holds every `await` (D2). What is wrong with a file is told at its
 * place in the source, a top-level await among it. The host links `tslib` to `simulatedHelpers`.
 *
 * A package that is not at hand is always a problem: what it awaits, nobody would hold.
 */
export async function loadSimulatedModules(
  files: ReadonlyMap<string, string>,
  options: Pick<LoadOptions, 'packages' | 'entries' | 'tools'>,
): Promise<SimulatedLoadResult> {
  const tools = options.tools ?? (await loadTypeScript())
  const source = await loadModules(files, { ...options, tools, foreign: 'problem' })
  const maps = new Map<string, string>()
  const compiled = await loadModules(files, {
    ...options,
    foreign: 'problem',
    packages: new Map([...options.packages, [HELPERS, undefined]]),
    tools: {
      ts: tools.ts,
      blankSourceFile: ({ fileName, text }) => {
        const { code, map } = compileForSimulation(fileName, text, tools)
        maps.set(fileName, map)
        return code
      },
    },
  })
  const modules = compiled.modules
    .filter(({ path }) => !source.broken.has(path))
    .map((module) => ({ ...module, positions: 'moved' as const, map: maps.get(module.path) ?? '' }))
  return { ...source, modules }
}
