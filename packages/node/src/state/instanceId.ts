import { randomUUID } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { makeFolder } from '../makeFolder.js'
import { openError } from './diskErrors.js'

const FORM = /^[0-9a-f]{8}$/

/**
 * What tells the owner of a state folder from every other instance of the application (E5): kept beside the folder, and
 * made when it is not there. Whoever has the folder locked may say of a member with this id that it is dead.
 *
 * @throws StreamError STATE_UNAVAILABLE
 */
export async function instanceId(folder: string): Promise<string> {
  const file = `${folder}.instance`
  try {
    const known = await read(file)
    if (known !== undefined && FORM.test(known)) return known
    const made = randomUUID().slice(0, 8)
    await makeFolder(dirname(file))
    await writeFile(file, made)
    return made
  } catch (error) {
    throw await openError(folder, error)
  }
}

async function read(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
