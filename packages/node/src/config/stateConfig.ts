import { join } from 'node:path'
import { configProblem, numberOf } from './configProblem.js'

const DEFAULT_CACHE_BYTES = 64 * 1024 * 1024

/** Where state is kept on disk, and what of it in memory. */
export interface StateConfig {
  /** The application's own, inside of `state.dir`. */
  readonly folder: string
  readonly cacheBytes: number
}

/**
 * Reads `state.dir` and `state.cache.max.bytes`.
 *
 * @returns undefined where state is kept in memory
 * @throws StreamError CONFIG_INVALID naming the key
 */
export function readStateConfig(
  config: Readonly<Record<string, unknown>>,
  applicationId: string,
): StateConfig | undefined {
  const dir = config['state.dir']
  const cacheBytes = numberOf(config['state.cache.max.bytes']) ?? DEFAULT_CACHE_BYTES
  if (typeof cacheBytes !== 'number' || !Number.isSafeInteger(cacheBytes) || cacheBytes < 0) {
    throw configProblem('state.cache.max.bytes', cacheBytes, 'give a whole number of bytes, such as 67108864')
  }
  if (dir === undefined) return undefined
  if (typeof dir !== 'string' || dir === '') throw configProblem('state.dir', dir, 'give a folder, or leave it out')
  return { folder: join(dir, applicationId), cacheBytes }
}
