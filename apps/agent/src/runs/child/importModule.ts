import { StreamError } from '@lanescope/core'
import { AgentError } from '../../AgentError.js'
import { placeOf } from './placeOf.js'

/**
 * Imports a prepared module. What its code throws on the way is the user's, and told with its place.
 *
 * @param runFolder where the modules of the run were written, as a URL that ends in a slash
 * @throws AgentError PROJECT_CODE
 */
export async function importModule(url: string, runFolder: string): Promise<{ readonly [name: string]: unknown }> {
  return guardUserCode(runFolder, () => import(url) as Promise<{ readonly [name: string]: unknown }>)
}

/** Runs code of the user that is neither a callback nor judged by the engine. @throws StreamError as it is, else AgentError PROJECT_CODE */
export async function guardUserCode<T>(runFolder: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof StreamError || error instanceof AgentError) throw error
    const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
    const { where } = placeOf(error, runFolder)
    throw new AgentError(where === undefined ? message : `src/${where.file}, line ${where.line}: ${message}`, {
      code: 'PROJECT_CODE',
      kind: 'user',
      retriable: false,
      cause: error,
    })
  }
}
