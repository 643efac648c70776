import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { GENERATED_HEADER, generateSources, parseDocument } from '@lanescope/shared'
import { readGenerated } from './readFolder.js'
import { writeAtomically } from './writeAtomically.js'

/**
 * Writes what is generated from a project's document, so that an editor sees what runs, and removes what no longer
 * is. A document that does not parse leaves everything as it is: opening the project says what is wrong with it.
 */
export async function writeGenerated(folder: string, topology: string): Promise<void> {
  const parsed = parseDocument(topology)
  if (!parsed.ok) return
  const wanted = new Map(
    (await generateSources(parsed.document)).map(({ path, text }) => [path.replace(/^src\//, ''), text]),
  )
  const there = await readGenerated(folder)
  for (const [path, text] of wanted)
    if (there[path] !== text) await writeAtomically(folder, join(folder, 'src', path), text)
  for (const [path, text] of Object.entries(there)) {
    const isOurs = text.startsWith(GENERATED_HEADER) && !OF_EXPORTS.has(path)
    if (isOurs && !wanted.has(path)) await rm(join(folder, 'src', path), { force: true })
  }
}

/** An exported project that is opened here keeps what it runs by. */
const OF_EXPORTS: ReadonlySet<string> = new Set(['main.ts', 'traffic-main.ts', 'send-main.ts'])
