import type { LogAdmin } from '@lanescope/core'

/** Records of a partition that are looked at together, from its end. */
const SPAN = 500

/**
 * The newest timestamp in a topic that is not after `notAfter`: of each partition, in the last records that have one.
 * Undefined when there is none, or no such topic.
 */
export async function newestTime(
  log: Pick<LogAdmin, 'listTopics' | 'read'>,
  topic: string,
  notAfter: number,
): Promise<number | undefined> {
  const info = (await log.listTopics()).find((found) => found.topic === topic)
  const partitions = Array.from({ length: info?.partitions ?? 0 }, (_, partition) => partition)
  const times = await Promise.all(partitions.map((partition) => newestIn(log, topic, partition, notAfter)))
  return newestOf(times, notAfter)
}

/** The newest of these times that is not after `notAfter`. */
export function newestOf(times: readonly (number | undefined)[], notAfter: number): number | undefined {
  return times.reduce(
    (newest, time) =>
      time === undefined || time > notAfter || (newest !== undefined && newest >= time) ? newest : time,
    undefined,
  )
}

async function newestIn(
  log: Pick<LogAdmin, 'read'>,
  topic: string,
  partition: number,
  notAfter: number,
): Promise<number | undefined> {
  let { lastStableOffset: to } = await log.read(topic, partition, 0, 0)
  while (to > 0) {
    const from = Math.max(0, to - SPAN)
    const { records } = await log.read(topic, partition, from, to - from)
    const newest = newestOf(
      records.map(({ timestamp }) => timestamp),
      notAfter,
    )
    if (newest !== undefined) return newest
    to = from
  }
  return undefined
}
