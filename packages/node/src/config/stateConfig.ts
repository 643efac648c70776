import { join } from 'node:path'
import { StreamError } from '@lanescope/core'

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
  const cacheBytes = config['state.cache.max.bytes'] ?? DEFAULT_CACHE_BYTES
  if (typeof cacheBytes !== 'number' || !Number.isSafeInteger(cacheBytes) || cacheBytes < 0) {
    throw wrong('state.cache.max.bytes', cacheBytes, 'give a whole number of bytes, such as 67108864')
  }
  if (dir === undefined) return undefined
  if (typeof dir !== 'string' || dir === '') throw wrong('state.dir', dir, 'give a folder, or leave it out')
  return { folder: join(dir, applicationId), cacheBytes }
}

function wrong(key: string, value: unknown, fix: string): StreamError {
  return new StreamError(`"${key}" is ${JSON.stringify(value)}: ${fix}`, {
    code: 'CONFIG_INVALID',
    kind: 'user',
    retriable: false,
  })
}
