import type { ImportTarget, LoadedModule, ModuleImport } from './LoadedModule.js'

/** Gives the specifier that a target has where the module will run: a URL. */
export type SpecifierResolver = (target: ImportTarget, imported: ModuleImport) => string

/** The module's code with every import specifier rewritten. Only columns after a specifier on its line move. */
export function linkModule(module: LoadedModule, resolve: SpecifierResolver): string {
  let code = ''
  let from = 0
  for (const imported of module.imports.toSorted((a, b) => a.start - b.start)) {
    code += module.code.slice(from, imported.start) + JSON.stringify(resolve(imported.target, imported))
    from = imported.end
  }
  return code + module.code.slice(from)
}
