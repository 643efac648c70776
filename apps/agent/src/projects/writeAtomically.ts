import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/**
 * Writes a file so that a reader, or a crash, finds the old text or the new one and never half of it.
 * The temporary file lies in `.lanescope`, where no editor and no watcher looks.
 *
 * @param projectFolder the folder of the project that the file belongs to
 */
export async function writeAtomically(projectFolder: string, path: string, text: string): Promise<void> {
  const scratch = join(projectFolder, '.lanescope', 'tmp')
  await mkdir(scratch, { recursive: true })
  await mkdir(dirname(path), { recursive: true })
  const temporary = join(scratch, `${basename(path)}.${process.pid}`)
  try {
    await writeFile(temporary, text, { flush: true })
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}
