import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Makes a folder and all above it that are missing; one that is there is fine.
 *
 * Node's `recursive` asks again for ever where a folder is there and says of a new one in it that it does not exist, as
 * /proc does: the call never comes back, and keeps the process alive.
 *
 * @throws Error of the file system: EEXIST where something else is in its way
 */
export async function makeFolder(folder: string): Promise<void> {
  if ((await makeOne(folder)) === 'made') return
  await makeFolder(dirname(folder))
  // What is above it is there now.
  await makeOne(folder, true)
}

async function makeOne(folder: string, isLast = dirname(folder) === folder): Promise<'made' | 'nothing above'> {
  try {
    await mkdir(folder)
    return 'made'
  } catch (error) {
    // A file system that is read only says so even of a folder that is there.
    if (await isFolder(folder)) return 'made'
    if (!isLast && (error as NodeJS.ErrnoException).code === 'ENOENT') return 'nothing above'
    throw error
  }
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory()
  } catch {
    // Why it cannot be made says more than why it cannot be looked at.
    return false
  }
}
