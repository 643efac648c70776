import { cp, readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { ExampleSummary } from '@lanescope/shared'
import { isProjectId } from './paths.js'
import { isMissing } from './readFolder.js'

/** What an example's folder may hold that a project made from it shall not have. */
const LEFT_BEHIND = new Set(['.lanescope', 'node_modules', 'dist'])

/**
 * The examples: every folder with a `topology.json`. They come in the order in which the README above them links
 * them, then by name. An example's own README says what it shows.
 */
export async function listExamples(folder: string): Promise<readonly ExampleSummary[]> {
  const examples: ExampleSummary[] = []
  const linked = linkedFolders(await textOf(join(folder, 'README.md')))
  const place = (id: string) => (linked.includes(id) ? linked.indexOf(id) : linked.length)
  for (const id of (await namesIn(folder)).sort().sort((a, b) => place(a) - place(b))) {
    if (!isProjectId(id) || (await textOf(join(folder, id, 'topology.json'))) === undefined) continue
    examples.push({ id, ...describeExample(id, await textOf(join(folder, id, 'README.md'))) })
  }
  return examples
}

/** The folders that a README in Markdown links, in its order. */
export function linkedFolders(readme: string | undefined): readonly string[] {
  return [...(readme ?? '').matchAll(/\]\((?:\.\/)?([\w.-]+)\/?\)/g)].map((match) => match[1] as string)
}

/** Title and first paragraph of a README in Markdown. */
export function describeExample(id: string, readme: string | undefined): { title: string; description: string } {
  const blocks = (readme ?? '').split(/\r?\n\s*\r?\n/).map((block) => block.trim())
  const heading = blocks.map((block) => /^#\s+(.+)$/m.exec(block)?.[1]).find((title) => title !== undefined)
  const paragraph = blocks
    .map((block) => block.replace(/^#.*$/gm, '').trim())
    .find((block) => block !== '' && /^[\p{L}\p{N}*_`"']/u.test(block))
  return { title: heading ?? id, description: (paragraph ?? '').replace(/\s+/g, ' ').replace(/[*`]/g, '') }
}

/** Copies an example to where a project shall be. The example itself is never opened. */
export async function copyExample(example: string, target: string): Promise<void> {
  await cp(example, target, {
    recursive: true,
    errorOnExist: true,
    force: false,
    filter: (path) => path === example || !LEFT_BEHIND.has(basename(path)),
  })
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

async function textOf(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}
