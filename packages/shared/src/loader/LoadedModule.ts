/** A place in a file as people count: lines and columns from 1. */
export interface FilePosition {
  readonly line: number
  readonly column: number
}

export type LoadProblemCode =
  | 'syntax'
  | 'top-level-await'
  | 'cycle'
  | 'missing-module'
  | 'missing-export'
  | 'foreign-import'
  | 'dynamic-import'

/** Something that keeps a module from being loaded, with its place. Loading never throws for what a user wrote. */
export interface LoadProblem extends FilePosition {
  readonly code: LoadProblemCode
  /** Path under `src/`. */
  readonly file: string
  readonly message: string
  /** For a cycle: the files on it, from the one that carries the problem back to itself. */
  readonly files?: readonly string[]
}

/** Where an import leads. */
export type ImportTarget =
  | { readonly kind: 'module'; readonly path: string }
  | { readonly kind: 'package'; readonly specifier: string }

/** One import or re-export that remains after types are gone. */
export interface ModuleImport extends FilePosition {
  readonly specifier: string
  readonly kind: 'static' | 're-export' | 'dynamic'
  /** Span of the specifier's literal in `code`, quotes included. */
  readonly start: number
  readonly end: number
  readonly target: ImportTarget
}

/** A module as JavaScript: types blanked, specifiers still as written. `linkModule` rewrites them. */
export interface LoadedModule {
  /** Path under `src/`, with its `.ts`. */
  readonly path: string
  /** Lines and columns are the source's, unless `positions` says otherwise. */
  readonly code: string
  readonly imports: readonly ModuleImport[]
  /** `moved` when the file needed a real transpile (enums, parameter properties, namespaces). */
  readonly positions: 'kept' | 'moved'
}

export interface LoadResult {
  /** Those that can be run, each after all that it imports. */
  readonly modules: readonly LoadedModule[]
  readonly problems: readonly LoadProblem[]
  /** Files that cannot be run: what is wrong with them, or with what they import. */
  readonly broken: ReadonlyMap<string, string>
  /** Names that each file exports as values; a file is absent when some come from where they are not known. */
  readonly exports: ReadonlyMap<string, ReadonlySet<string>>
}
