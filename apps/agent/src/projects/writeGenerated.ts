import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import {
  GENERATED_HEADER,
  generateSources,
  incompleteness,
  parseDocument,
  type TopologyDocument,
} from '@lanescope/shared'
import { AgentError } from '../AgentError.js'
import { readGenerated } from './readFolder.js'
import { writeAtomically } from './writeAtomically.js'

/** The modules that a document generates, by path under `src/`. */
export type GeneratedModules = ReadonlyMap<string, string>

/** @throws AgentError PROJECT_CODE when no TypeScript can be made of the document */
export async function generateModules(document: TopologyDocument): Promise<GeneratedModules> {
  try {
    return new Map((await generateSources(document)).map(({ path, text }) => [path.replace(/^src\//, ''), text]))
  } catch (error) {
    throw unwritable(document, error)
  }
}

/**
 * Writes what is generated from a project's document, so that an editor sees what runs, and removes what no longer
 * is. A document that does not parse leaves everything as it is: opening the project says what is wrong with it.
 *
 * @throws AgentError PROJECT_CODE when no TypeScript can be made of the document; nothing is written then
 */
export async function writeGenerated(folder: string, topology: string): Promise<void> {
  const parsed = parseDocument(topology)
  if (parsed.ok) await writeModules(folder, await generateModules(parsed.document))
}

/** Writes generated modules, and removes those that are there and no longer among them. */
export async function writeModules(folder: string, wanted: GeneratedModules): Promise<void> {
  const there = await readGenerated(folder)
  for (const [path, text] of wanted)
    if (there[path] !== text) await writeAtomically(folder, join(folder, 'src', path), text)
  for (const [path, text] of Object.entries(there)) {
    const isOurs = text.startsWith(GENERATED_HEADER) && !OF_EXPORTS.has(path)
    if (isOurs && !wanted.has(path)) await rm(join(folder, 'src', path), { force: true })
  }
}

/** What is missing is known by node and field; else the formatter's first line says where it stopped. */
function unwritable(document: TopologyDocument, error: unknown): AgentError {
  const missing = incompleteness(document)
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
  const why = missing.length > 0 ? missing.map(({ message }) => message).join(' ') : line
  return new AgentError(`The code of "${document.name}" cannot be written. ${why}`, {
    code: 'PROJECT_CODE',
    kind: 'user',
    retriable: false,
    context: { missing },
    cause: error,
  })
}

/** An exported project that is opened here keeps what it runs by. */
const OF_EXPORTS: ReadonlySet<string> = new Set(['main.ts', 'traffic-main.ts', 'send-main.ts'])
