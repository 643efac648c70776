import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, sep } from 'node:path'
import { compileFunction } from 'node:vm'

type Require = (name: string) => unknown

/**
 * Loads a CommonJS package as a copy of its own, apart from Node's module cache: modules of it can be replaced without
 * anybody else in the process who uses the same package noticing. Also what it requires later, while it runs, comes from
 * the copy.
 *
 * @param packageName a package that has no dependencies with state of their own
 * @param replacements by the module's path within the package; each gets the copy's `require`, for paths within it
 */
export function loadPrivately(
  packageName: string,
  replacements: { readonly [path: string]: (inside: Require) => unknown },
): { readonly exports: unknown; readonly inside: Require } {
  const outer = createRequire(import.meta.url)
  const root = dirname(outer.resolve(`${packageName}/package.json`))
  const modules = new Map<string, { exports: unknown }>()

  const load = (file: string): unknown => {
    const known = modules.get(file)
    if (known !== undefined) return known.exports
    const module = { exports: {} as unknown }
    modules.set(file, module)
    const replacement =
      replacements[
        file
          .slice(root.length + 1)
          .split(sep)
          .join('/')
      ]
    if (replacement !== undefined) module.exports = replacement(inside)
    else if (file.endsWith('.json')) module.exports = JSON.parse(readFileSync(file, 'utf8'))
    else run(file, module)
    return module.exports
  }
  const requireFrom = (file: string): Require => {
    const require = createRequire(file)
    return (name) => {
      const target = require.resolve(name)
      return target.startsWith(root + sep) ? load(target) : require(name)
    }
  }
  const run = (file: string, module: { exports: unknown }) => {
    const body = compileFunction(
      readFileSync(file, 'utf8'),
      ['exports', 'require', 'module', '__filename', '__dirname'],
      { filename: file },
    )
    body.call(module.exports, module.exports, requireFrom(file), module, file, dirname(file))
  }
  const inside: Require = (path) => load(outer.resolve(`${packageName}/${path}`))
  return { exports: load(outer.resolve(packageName)), inside }
}
