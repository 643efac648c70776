import { constants } from 'node:fs'
import { access, mkdir } from 'node:fs/promises'
import { AgentError } from '../AgentError.js'

/** Makes the folder that projects live in, unless it is there. @throws AgentError FOLDER_UNWRITABLE */
export async function ensureFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true })
    await access(folder, constants.W_OK)
  } catch (cause) {
    const why = (cause as NodeJS.ErrnoException).code ?? String(cause)
    throw new AgentError(`Projects cannot be kept in ${folder} (${why}); --dir takes another folder`, {
      code: 'FOLDER_UNWRITABLE',
      kind: 'operational',
      retriable: true,
      context: { folder },
      cause,
    })
  }
}
