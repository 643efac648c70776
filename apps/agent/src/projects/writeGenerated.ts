import { join } from 'node:path'
import { generateTopology, parseDocument } from '@lanescope/shared'
import type { FolderContent } from './readFolder.js'
import { writeAtomically } from './writeAtomically.js'

/**
 * Writes what is generated from a project's document, so that an editor sees what runs. A document that does not
 * parse leaves everything as it is: opening the project says what is wrong with it.
 */
export async function writeGenerated(folder: string, content: FolderContent): Promise<void> {
  const parsed = parseDocument(content.topology)
  if (!parsed.ok) return
  for (const { path, text } of generateTopology(parsed.document).files) {
    await writeAtomically(folder, join(folder, path), text)
  }
}
