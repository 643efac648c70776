import ts from 'typescript'

/** Where the compiler finds things: the user's files below `/src`, packages and the standard library beside it. */
export const SOURCE_ROOT = '/src/'

/** As the exported project is compiled, so that what is right here is right there. */
export const COMPILER_OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.NodeNext,
  lib: ['lib.es2023.d.ts'],
  strict: true,
  skipLibCheck: true,
  noEmit: true,
  isolatedModules: true,
  types: [],
}

/** What makes the project's files modules to `NodeNext`. */
const PACKAGE_JSON = ['/package.json', '{ "type": "module" }'] as const

/** The files of one project and the libraries it is compiled against, as the compiler's host. */
export class LanguageFiles implements ts.LanguageServiceHost {
  readonly #libraries: ReadonlyMap<string, string>
  readonly #folders: ReadonlySet<string>
  readonly #files = new Map<string, { readonly text: string; readonly version: number }>()
  #version = 0

  /** @param libraries text by absolute path: `/lib/lib.es5.d.ts`, `/node_modules/@lanescope/core/…` */
  constructor(libraries: ReadonlyMap<string, string>) {
    this.#libraries = new Map([...libraries, PACKAGE_JSON])
    this.#folders = new Set(['', ...[...libraries.keys(), SOURCE_ROOT].flatMap(foldersOf)])
  }

  /** Replaces the project's files. A file whose text is unchanged keeps its version. */
  sync(files: { readonly [path: string]: string }): void {
    for (const path of this.#files.keys()) if (files[path] === undefined) this.#files.delete(path)
    for (const [path, text] of Object.entries(files)) {
      if (this.#files.get(path)?.text === text) continue
      this.#version += 1
      this.#files.set(path, { text, version: this.#version })
    }
  }

  getCompilationSettings = () => COMPILER_OPTIONS
  getScriptFileNames = () => [
    ...[...this.#files.keys()].map((path) => SOURCE_ROOT + path),
    ...[...this.#libraries.keys()].filter((path) => path.startsWith('/host/')),
  ]
  getScriptVersion = (name: string) => String(this.#files.get(sourcePath(name))?.version ?? 0)
  getScriptSnapshot = (name: string) => {
    const text = this.readFile(name)
    return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text)
  }
  getCurrentDirectory = () => '/'
  getDefaultLibFileName = () => '/lib/lib.es2023.d.ts'
  fileExists = (name: string) => this.readFile(name) !== undefined
  readFile = (name: string) => this.#files.get(sourcePath(name))?.text ?? this.#libraries.get(name)
  directoryExists = (name: string) =>
    this.#folders.has(name.replace(/\/$/, '')) ||
    [...this.#files.keys()].some((path) => `${SOURCE_ROOT}${path}`.startsWith(`${name}/`))
}

/** Absolute to relative; a path outside the sources becomes one that no file has. */
function sourcePath(name: string): string {
  return name.startsWith(SOURCE_ROOT) ? name.slice(SOURCE_ROOT.length) : ''
}

function foldersOf(path: string): string[] {
  const parts = path.split('/').slice(1, -1)
  return parts.map((_, index) => `/${parts.slice(0, index + 1).join('/')}`)
}
