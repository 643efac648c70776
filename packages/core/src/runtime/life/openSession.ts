import type { EpochRecord } from '../epoch/EpochRecord.js'
import type { LastRead, LogSession, Position } from '../RecordLog.js'
import { isByPattern, offsetResets } from '../reading/offsetResets.js'
import type { EpochRecords } from './EpochRecords.js'
import type { Lasting } from './Lasting.js'

/** Starts reading: committed positions, and where those without one begin (E5, P2, P3). */
export function openSession(
  { options }: Lasting,
  sources: readonly string[],
  records: EpochRecords,
): Promise<LogSession> {
  const { topology, config, log, offsetReset = 'earliest' } = options
  const found = new Set(sources.filter((topic) => isByPattern(topology, topic)))
  const resets = offsetResets(topology, sources)
  return log.open(config['application.id'], sources, offsetReset, resets, found, async () =>
    lastReadOf(await records.last()),
  )
}

/** Topics by the ids that they had when the last epoch ended, and how far they were read (E13). */
function lastReadOf(last: EpochRecord | undefined): ReadonlyMap<string, LastRead> {
  const read = new Map<string, LastRead>()
  for (const [topic, topicId] of Object.entries(last?.topicIds ?? {})) {
    const offsets: (number | undefined)[] = []
    for (const position of last?.positions ?? []) {
      if (position.topic === topic) offsets[position.partition] = position.offset
    }
    read.set(topic, { topicId, offsets })
  }
  return read
}

/** The ids of the topics that a session reads, where the log has such. */
export function topicIdsOf({ assignment }: LogSession): { readonly [topic: string]: string } {
  const ids: { [topic: string]: string } = {}
  for (const { topic, topicId } of assignment) if (topicId !== undefined) ids[topic] = topicId
  return ids
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
