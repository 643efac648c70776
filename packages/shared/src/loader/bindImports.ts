import type { ImportTarget, LoadedModule, LoadProblem, ModuleImport } from './LoadedModule.js'
import type { ParsedModule } from './parseModule.js'
import type { RawImport } from './readShape.js'
import { candidatePaths } from './specifiers.js'

/** Specifier → the names that the package exports as values; undefined: not known, every name is taken as it is. */
export type PackageNames = ReadonlyMap<string, readonly string[] | undefined>

export interface BoundModule {
  readonly loaded: LoadedModule
  readonly exports: ReadonlySet<string> | undefined
  readonly problems: readonly LoadProblem[]
}

/**
 * Finds where each import of a module leads, and takes out what was only a type.
 *
 * A type imported without the word `type` has no value to link to; `tsc` drops it, so it is dropped here too.
 */
export function bindImports(
  module: ParsedModule,
  all: ReadonlyMap<string, ParsedModule>,
  packages: PackageNames,
  foreign: 'problem' | 'leave',
): BoundModule {
  const imports: ModuleImport[] = []
  const problems: LoadProblem[] = module.shape.unknownDynamic.map((offset) => ({
    code: 'dynamic-import',
    file: module.path,
    ...positionOf(module.code, offset),
    message: 'import() needs the module’s name as a plain string, so that it can be found before the run.',
  }))
  const blanks: (readonly [start: number, end: number])[] = []
  const report = (raw: RawImport, code: LoadProblem['code'], message: string) =>
    problems.push({ code, file: module.path, message, ...placeOf(module, raw) })

  for (const raw of module.shape.imports) {
    const target = targetOf(raw.specifier, module.path, all, packages, foreign)
    if (target === 'missing') {
      report(raw, 'missing-module', `There is no file '${raw.specifier}' beside ${module.path}.`)
      continue
    }
    if (target === 'foreign') {
      report(raw, 'foreign-import', foreignMessage(raw.specifier, [...packages.keys()]))
      continue
    }
    const known = exportsOf(target, all, packages)
    const gone = raw.names.filter(({ name, used }) => !used || known?.values.has(name) === false)
    const missing = gone.find(({ name, used }) => used && known?.types?.has(name) === false)
    if (missing !== undefined) {
      report(raw, 'missing-export', `'${raw.specifier}' has no export named ${missing.name}.`)
    }
    if (gone.length === raw.names.length && !raw.needed) blanks.push([raw.statementStart, raw.statementEnd])
    else {
      blanks.push(...gone.map(({ start, end }) => [start, end] as const))
      const { specifier, kind, start, end } = raw
      imports.push({ specifier, kind, start, end, target, ...placeOf(module, raw) })
    }
  }
  const { path, positions } = module
  const exports = moduleExports(path, all, new Set())?.values
  return { loaded: { path, positions, code: blank(module.code, blanks), imports }, exports, problems }
}

function targetOf(
  specifier: string,
  from: string,
  all: ReadonlyMap<string, ParsedModule>,
  packages: PackageNames,
  foreign: 'problem' | 'leave',
): ImportTarget | 'missing' | 'foreign' {
  if (specifier.startsWith('.')) {
    const path = candidatePaths(specifier, from).find((candidate) => all.has(candidate))
    return path === undefined ? 'missing' : { kind: 'module', path }
  }
  if (packages.has(specifier) || foreign === 'leave') return { kind: 'package', specifier }
  return 'foreign'
}

interface KnownExports {
  readonly values: ReadonlySet<string>
  /** Undefined for a package: its types are not known here, the type checker judges them. */
  readonly types: ReadonlySet<string> | undefined
}

function exportsOf(
  target: ImportTarget,
  all: ReadonlyMap<string, ParsedModule>,
  packages: PackageNames,
): KnownExports | undefined {
  if (target.kind === 'module') return moduleExports(target.path, all, new Set())
  const names = packages.get(target.specifier)
  return names === undefined ? undefined : { values: new Set(names), types: undefined }
}

/** Undefined when a name may come from somewhere that is not known, or when the file did not parse. */
function moduleExports(
  path: string,
  all: ReadonlyMap<string, ParsedModule>,
  visited: Set<string>,
): { values: Set<string>; types: Set<string> } | undefined {
  const module = all.get(path)
  if (module === undefined || module.problems.length > 0) return undefined
  const values = new Set(module.shape.exports)
  const types = new Set(module.types.exports)
  if (visited.has(path)) return { values, types }
  visited.add(path)
  for (const specifier of [...module.shape.stars, ...module.types.stars]) {
    if (!specifier.startsWith('.')) return undefined
    const next = candidatePaths(specifier, path).find((candidate) => all.has(candidate))
    const reached = next === undefined ? undefined : moduleExports(next, all, visited)
    if (reached === undefined) return undefined
    for (const name of reached.values) if (name !== 'default') values.add(name)
    for (const name of reached.types) types.add(name)
  }
  return { values, types }
}

function foreignMessage(specifier: string, known: readonly string[]): string {
  return `'${specifier}' is not at hand here: only the project’s own files and ${known.join(', ')} are.`
}

function placeOf(module: ParsedModule, raw: RawImport) {
  return module.places.get(raw.specifier) ?? positionOf(module.code, raw.start)
}

function positionOf(code: string, offset: number) {
  const before = code.slice(0, offset).split('\n')
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}

/** Blanks spans in place: offsets and lines stay. */
function blank(code: string, spans: readonly (readonly [start: number, end: number])[]): string {
  let result = code
  for (const [start, end] of spans) {
    result = result.slice(0, start) + result.slice(start, end).replaceAll(/[^\r\n]/g, ' ') + result.slice(end)
  }
  return result
}
