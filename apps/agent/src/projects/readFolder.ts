import { createHash } from 'node:crypto'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { GENERATED_MODULES } from '@lanescope/shared'
import { AgentError } from '../AgentError.js'
import { isModulePath } from './paths.js'

/** What people wrote in a project's folder, as text. */
export interface FolderContent {
  readonly topology: string
  /** Undefined when there is no `app.config.json`. */
  readonly config: string | undefined
  /** By path under `src/`. */
  readonly files: { readonly [path: string]: string }
  /** When the newest of them changed, in ms. */
  readonly changedAt: number
  /** Equal for equal content. */
  readonly fingerprint: string
}

const MAX_DEPTH = 8
/** Far more than a topology or a module has: the host could not even hold some larger ones as a text. */
const MAX_FILE_BYTES = 16 * 1024 * 1024

/**
 * Reads a project's folder. Links are passed over: a project out of somebody else's repository must not
 * show a file from elsewhere on this machine.
 *
 * @returns undefined when there is no `topology.json`
 */
export async function readFolder(folder: string): Promise<FolderContent | undefined> {
  const topology = await readText(join(folder, 'topology.json'))
  if (topology === undefined) return undefined
  const config = await readText(join(folder, 'app.config.json'))
  const paths = (await listModules(join(folder, 'src'), '', 0)).sort()
  const files: { [path: string]: string } = {}
  let changedAt = topology.changedAt
  if (config) changedAt = Math.max(changedAt, config.changedAt)
  for (const path of paths) {
    const file = await readText(join(folder, 'src', path))
    if (file === undefined) continue
    files[path] = file.text
    changedAt = Math.max(changedAt, file.changedAt)
  }
  const content = { topology: topology.text, config: config?.text, files }
  return { ...content, changedAt, fingerprint: fingerprintOf(content) }
}

/** The generated modules that are there, by path under `src/`. */
export async function readGenerated(folder: string): Promise<{ readonly [path: string]: string }> {
  const found: { [path: string]: string } = {}
  for (const module of GENERATED_MODULES) {
    const path = `${module.slice(2)}.ts`
    const file = await readText(join(folder, 'src', path))
    if (file) found[path] = file.text
  }
  return found
}

/** Tells one content from another. */
export function fingerprintOf(content: Pick<FolderContent, 'topology' | 'config' | 'files'>): string {
  const parts = [
    content.topology,
    content.config ?? null,
    Object.entries(content.files).sort(([a], [b]) => (a < b ? -1 : 1)),
  ]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}

async function listModules(folder: string, under: string, depth: number): Promise<string[]> {
  if (depth > MAX_DEPTH) return []
  const found: string[] = []
  for (const entry of await entriesOf(folder)) {
    const path = under === '' ? entry.name : `${under}/${entry.name}`
    if (entry.isDirectory()) found.push(...(await listModules(join(folder, entry.name), path, depth + 1)))
    else if (entry.isFile() && isModulePath(path)) found.push(path)
  }
  return found
}

async function entriesOf(folder: string) {
  try {
    return await readdir(folder, { withFileTypes: true })
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

async function readText(path: string): Promise<{ text: string; changedAt: number } | undefined> {
  try {
    const { size, mtimeMs } = await stat(path)
    if (size > MAX_FILE_BYTES) throw tooLarge(path, size)
    return { text: await readFile(path, 'utf8'), changedAt: Math.floor(mtimeMs) }
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

function tooLarge(path: string, size: number): AgentError {
  return new AgentError(
    `${path} has ${size} bytes; a file of a project has at most ${MAX_FILE_BYTES}. Make it smaller.`,
    {
      code: 'DOCUMENT_INVALID',
      kind: 'user',
      retriable: false,
      context: { path },
    },
  )
}

/** Whether a file or folder is not there, or is no longer there, or is of the other sort. */
export function isMissing(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code
  return code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR'
}
