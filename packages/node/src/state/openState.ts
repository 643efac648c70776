import type { Clock } from '@lanescope/core'
import { readStateConfig } from '../config/stateConfig.js'
import type { LogReport } from '../LogReport.js'
import { makeFolder } from '../makeFolder.js'
import { DiskStateBackend } from './DiskStateBackend.js'
import { openError } from './diskErrors.js'
import { namingHolder, tellHolder } from './holder.js'

/**
 * Opens the state that a configuration names: in the application's folder inside of `state.dir`.
 *
 * @returns undefined where none is named: then state is kept in memory
 * @throws StreamError CONFIG_INVALID, STATE_LOCKED, STATE_UNAVAILABLE
 */
export async function openState(
  config: Readonly<Record<string, unknown>>,
  applicationId: string,
  { clock, report }: { readonly clock: Clock; readonly report: LogReport },
): Promise<DiskStateBackend | undefined> {
  const where = readStateConfig(config, applicationId)
  if (where === undefined) return undefined
  try {
    await makeFolder(where.folder)
  } catch (error) {
    throw await openError(where.folder, error)
  }
  try {
    const backend = await DiskStateBackend.open({ ...where, clock }, (damaged) => report('warn', damaged.message))
    await tellHolder(where.folder)
    return backend
  } catch (error) {
    throw await namingHolder(error, where.folder)
  }
}
