import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const PACKAGES = fileURLToPath(new URL('../packages', import.meta.url))

/**
 * What our packages can be imported by, each with its source: `@lanescope/core/testing` and
 * `packages/core/src/testing/index.ts`. Read from the packages' own `exports`.
 */
export function packageEntries() {
  return readdirSync(PACKAGES).flatMap((folder) => {
    const { name, exports } = JSON.parse(readFileSync(join(PACKAGES, folder, 'package.json'), 'utf8'))
    return Object.entries(exports).flatMap(([entry, target]) => {
      if (typeof target === 'string') return []
      const source = target.default.replace('./dist/', 'src/').replace(/\.js$/, '.ts')
      return [{ specifier: join(name, entry), source: join('packages', folder, source) }]
    })
  })
}
