import type { LogSession, Position } from '../RecordLog.js'
import { isByPattern, offsetResets } from '../reading/offsetResets.js'
import type { Lasting } from './Incarnation.js'

/** Starts reading: committed positions, and where those without one begin (E5, P2, P3). */
export function openSession({ options }: Lasting, sources: readonly string[]): Promise<LogSession> {
  const { topology, config, log, offsetReset = 'earliest' } = options
  const found = new Set(sources.filter((topic) => isByPattern(topology, topic)))
  return log.open(config['application.id'], sources, offsetReset, offsetResets(topology, sources), found)
}

/**
 * Commits where a session begins, where that may be an end: what comes behind it would be lost if the first epoch did not
 * count, and the restart looked for the end again.
 */
export async function keepStart(lasting: Lasting, session: LogSession, positions: readonly Position[]): Promise<void> {
  const { topology, offsetReset } = lasting.options
  if (offsetReset !== 'latest' && !topology.nodes.some(({ source }) => source?.offsetReset === 'latest')) return
  await session.commit({ epoch: lasting.epochs.number, outputs: [], positions })
}
