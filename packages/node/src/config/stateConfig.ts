import { join } from 'node:path'
import { configProblem, folderText, numberOf } from './configProblem.js'
import { isOnKafka } from './logConfig.js'

const MIB = 1024 * 1024
/** Beside the project and not among temporary files: a reboot must not cost a rebuild of all. */
const DEFAULT_DIR = '.lanescope/state'
/** In the place of a folder. */
const IN_MEMORY = ':memory:'

/** Where state is kept on disk, and what of it in memory. */
export interface StateConfig {
  /** The application's own, inside of `state.dir`. */
  readonly folder: string
  /** What pages in memory may take. */
  readonly cacheBytes: number
  /** So many bytes of changes are held in memory before they are written to a run. */
  readonly bufferBytes: number
}

/**
 * Reads `state.dir`, `state.cache.max.bytes` and `state.buffer.max.bytes`. On Kafka there is a folder also where none is
 * named: what an application runs for in earnest would else read all its changelogs at each start. On the embedded log
 * state is kept in memory.
 *
 * @returns undefined where state is kept in memory
 * @throws StreamError CONFIG_INVALID naming the key
 */
export function readStateConfig(
  config: Readonly<Record<string, unknown>>,
  applicationId: string,
): StateConfig | undefined {
  const dir = config['state.dir'] ?? (isOnKafka(config) ? DEFAULT_DIR : IN_MEMORY)
  const cacheBytes = bytesAt(config, 'state.cache.max.bytes', 64 * MIB, 0)
  const bufferBytes = bytesAt(config, 'state.buffer.max.bytes', 32 * MIB, 1)
  if (dir === IN_MEMORY) return undefined
  const folder = folderText('state.dir', dir, `, ${IN_MEMORY} to keep state in memory, or leave it out`)
  return { folder: join(folder, applicationId), cacheBytes, bufferBytes }
}

function bytesAt(config: Readonly<Record<string, unknown>>, key: string, usual: number, least: number): number {
  const bytes = numberOf(config[key]) ?? usual
  if (typeof bytes === 'number' && Number.isSafeInteger(bytes) && bytes >= least) return bytes
  throw configProblem(key, bytes, `give a whole number of bytes of at least ${least}, such as ${usual}`)
}
