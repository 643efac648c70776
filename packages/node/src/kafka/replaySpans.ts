import type { LogRecord, ReplaySpan } from '@lanescope/core'
import type { FetchedPart } from './fetching/fetchedPart.js'
import { type FetchFeed, PartitionFetcher } from './fetching/PartitionFetcher.js'
import type { KafkaClient } from './KafkaClient.js'
import { fromKafka, rootOf } from './kafkaErrors.js'
import { PASSING } from './withRetries.js'

/** A broker that says nothing for so long is taken for gone. */
const SILENT_MS = 30_000
const FETCH_BYTES = 2 * 1024 * 1024

export type TakeRecords = (partition: number, records: readonly LogRecord[], next: number) => Promise<void>

/**
 * Reads spans of a topic's partitions, committed records only. One part of a partition is taken while the next one comes.
 *
 * @throws what `take` throws, or an error of kafkajs
 */
export async function replaySpans(
  client: KafkaClient,
  topic: string,
  spans: readonly ReplaySpan[],
  take: TakeRecords,
): Promise<void> {
  const left = new Map(
    spans.filter(({ from, to }) => from < to).map(({ partition, from, to }) => [partition, { from, to }]),
  )
  if (left.size === 0) return
  await new Promise<void>((resolve, reject) => {
    let fetcher: PartitionFetcher | undefined
    let isOver = false
    let watchdog = client.clock.after(SILENT_MS, () => undefined)
    const end = (error?: unknown) => {
      if (isOver) return
      isOver = true
      watchdog.cancel()
      const closed = fetcher?.close() ?? Promise.resolve()
      closed.then(() => (error === undefined ? resolve() : reject(error)), reject)
    }
    const alive = () => {
      watchdog.cancel()
      if (isOver) return
      watchdog = client.clock.after(SILENT_MS, () =>
        end(new Error(`nothing came of "${topic}" within ${SILENT_MS / 1000} s`)),
      )
    }
    /** Parts are taken one after the other; of a partition whose part waits nothing more is asked for. */
    const waiting = new Set<number>()
    let taking = Promise.resolve()
    const pass = async (partition: number, part: FetchedPart) => {
      const span = left.get(partition)
      if (span === undefined || isOver) return
      const next = Math.min(span.to, part.next)
      const records = recordsOf(part, span)
      span.from = next
      waiting.delete(partition)
      if (next >= span.to) left.delete(partition)
      fetcher?.ask()
      await take(partition, records, next)
      if (left.size === 0 && waiting.size === 0) end()
    }
    const feed: FetchFeed = {
      wanted: () =>
        isOver
          ? []
          : [...left]
              .filter(([partition]) => !waiting.has(partition))
              .map(([partition, { from }]) => ({ topic, partition, offset: from, bytes: FETCH_BYTES })),
      take: ({ partition }, part) => {
        alive()
        const span = left.get(partition)
        if (span === undefined || waiting.has(partition) || part.next === span.from) return
        waiting.add(partition)
        taking = taking.then(() => pass(partition, part)).catch(end)
      },
      onFailed: async (error) => {
        const mayPass = fromKafka(error, client.servers).retriable || PASSING.has(rootOf(error).type ?? '')
        if (!mayPass) end(error)
        return mayPass
      },
    }
    alive()
    PartitionFetcher.open(client, [topic], feed).then((opened) => {
      fetcher = opened
      if (isOver) return opened.close()
      opened.ask()
      return undefined
    }, end)
  })
}

function recordsOf({ batches }: FetchedPart, { from, to }: { readonly from: number; readonly to: number }) {
  const records: LogRecord[] = []
  for (const batch of batches) batch.take(from, records, Number.POSITIVE_INFINITY)
  const behind = records.findIndex(({ offset }) => offset >= to)
  return behind === -1 ? records : records.slice(0, behind)
}
