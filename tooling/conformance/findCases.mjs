import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'

/**
 * All case files below a folder, in the order of their paths in it.
 *
 * @param repaired a folder with results of the engine's own, under the same paths, for the cases that have some
 */
export async function findCases(top, repaired) {
  const entries = await readdir(top, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ name: relative(top, path).split(sep).join('/'), path }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map((found) => ({ ...found, ...ownResults(found.name, repaired) }))
}

function ownResults(name, repaired) {
  if (repaired === undefined || !existsSync(join(repaired, name))) return {}
  return { repaired: join(repaired, name) }
}
