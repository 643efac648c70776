import type { Clock, LogAdmin, RecordLog } from '@lanescope/core'
import { readLogConfig } from './config/logConfig.js'
import { readStateConfig } from './config/stateConfig.js'
import { openEmbeddedLog } from './embedded/openEmbeddedLog.js'
import { KafkaLog } from './kafka/KafkaLog.js'
import type { LogReport } from './LogReport.js'
import { instanceId } from './state/instanceId.js'

export interface OpenLogOptions {
  readonly clock: Clock
  /** Where the adapter says what an operator should know. Default: nowhere. */
  readonly report?: LogReport
}

/**
 * Opens the log that a configuration names: Kafka when `bootstrap.servers` is set, else the embedded log in
 * `embedded.log.dir` (default `.lanescope/log`), of which this process is then the one writer.
 *
 * @throws StreamError CONFIG_INVALID, LOG_UNAVAILABLE when no broker answers, LOG_LOCKED or LOG_CORRUPT of the embedded log
 */
export async function openLog(
  config: Readonly<Record<string, unknown>>,
  options: OpenLogOptions,
): Promise<RecordLog & LogAdmin> {
  const { clock, report = () => {} } = options
  const where = readLogConfig(config)
  if (where.kind === 'embedded') return openEmbeddedLog(where.dir, clock, report)
  const { clientId } = where
  const id = config['application.id']
  const state = typeof id === 'string' && id !== '' ? readStateConfig(config, id) : undefined
  const acceptsGaps = config['source.offset-gap'] === 'accept'
  if (state === undefined) return KafkaLog.open({ ...where, acceptsGaps }, clock, report)
  const own = `${clientId}-${await instanceId(state.folder)}`
  return KafkaLog.open({ ...where, acceptsGaps, clientId: own, isOwn: true }, clock, report)
}
