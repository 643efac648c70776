import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cruise } from 'dependency-cruiser'
import { packageEntries } from '../packageEntries.mjs'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const SOURCES = ['packages/core/src', 'packages/node/src', 'packages/shared/src', 'apps/agent/src', 'apps/web/src']

/** Every import in the sources below `baseDir` that a rule forbids. */
export async function findViolations({ forbidden, options }, baseDir = ROOT) {
  const sources = SOURCES.filter((path) => existsSync(join(baseDir, path)))
  const { output } = await cruise(
    sources,
    { ...options, baseDir, validate: true, ruleSet: { forbidden } },
    { alias: packageAliases(baseDir), extensionAlias: { '.js': ['.js', '.ts', '.tsx'] } },
  )
  const violations = output.summary.violations.map(({ rule, from, to }) => ({ rule: rule.name, from, to }))
  return { violations, files: output.modules.filter((module) => sources.some((path) => inside(module, path))).length }
}

/** Our packages as sources: the arrows hold before anything is built. */
function packageAliases(baseDir) {
  const entries = packageEntries().map(({ specifier, source }) => [`${specifier}$`, join(baseDir, source)])
  const folders = ['core', 'node', 'shared'].map((name) => [`@lanescope/${name}`, join(baseDir, 'packages', name)])
  return Object.fromEntries([...entries, ...folders])
}

function inside(module, path) {
  return module.source.startsWith(`${path}/`)
}
