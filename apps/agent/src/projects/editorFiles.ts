import { dirname, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Where the types of a package of ours lie, by the name that code imports it by. */
export type PackageTypes = Readonly<Record<string, string>>

/** The types of the packages that a run hands to a project's code. */
export function ourPackageTypes(resolve: (specifier: string) => string): PackageTypes {
  const names = ['@lanescope/core', '@lanescope/core/testing', '@lanescope/node']
  return Object.fromEntries(names.map((name) => [name, fileURLToPath(resolve(name)).replace(/\.js$/, '.d.ts')]))
}

/**
 * What a project's folder holds for tools other than Lanescope: version control leaves out what runs leave behind,
 * and an editor reads the code as modules and finds the engine's types. None of it is needed to run.
 */
export function editorFiles(folder: string, name: string, types: PackageTypes): { readonly [path: string]: string } {
  const paths = Object.entries(types).map(([specifier, file]) => [specifier, [pathBetween(folder, file)]])
  const tsconfig = {
    compilerOptions: {
      target: 'ES2023',
      module: 'NodeNext',
      lib: ['ES2023'],
      strict: true,
      skipLibCheck: true,
      noEmit: true,
      paths: Object.fromEntries(paths),
    },
    include: ['src'],
  }
  return {
    // The paths in tsconfig.json hold on this machine alone.
    '.gitignore': 'node_modules/\n.lanescope/\ntsconfig.json\n',
    'package.json': text({ name: name.toLowerCase(), private: true, type: 'module' }),
    'tsconfig.json': text(tsconfig),
  }
}

/** Relative where it can be, so that a folder moved with its Lanescope keeps working. */
function pathBetween(folder: string, file: string): string {
  const path = relative(folder, file).split(sep).join('/')
  return path.startsWith('.') || dirname(path) === path || /^[A-Za-z]:/.test(path) ? path : `./${path}`
}

function text(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}
