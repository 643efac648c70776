import { SystemClock } from '@lanescope/core'
import { openLog } from '@lanescope/node'

export interface TopicRecord {
  readonly key: string
  readonly value: string
}

/** What stands in a topic, keys and values as text. `config` says which log, as an application's does. */
export async function readTopic(
  config: { readonly [key: string]: string },
  topic: string,
): Promise<readonly TopicRecord[]> {
  const log = await openLog(config, { clock: new SystemClock() })
  try {
    const [info] = await log.topics([topic])
    const decoder = new TextDecoder()
    const text = (bytes: Uint8Array | null) => (bytes === null ? '' : decoder.decode(bytes))
    const records: TopicRecord[] = []
    for (let partition = 0; partition < (info?.partitions ?? 0); partition++) {
      const batch = await log.read(topic, partition, 0, 10_000)
      records.push(...batch.records.map(({ key, value }) => ({ key: text(key), value: text(value) })))
    }
    return records
  } finally {
    await log.close()
  }
}

export async function createTopic(bootstrap: string, topic: string, partitions: number): Promise<void> {
  const log = await openLog({ 'bootstrap.servers': bootstrap }, { clock: new SystemClock() })
  try {
    await log.createTopic(topic, partitions)
  } finally {
    await log.close()
  }
}
