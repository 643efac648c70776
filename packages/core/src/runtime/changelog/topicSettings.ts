import { StreamError } from '../../errors/StreamError.js'
import type { StoreBuilder, TopicConfig } from '../../state/StoreBuilder.js'
import type { InternalTopicSettings } from '../RecordLog.js'

const POLICY = 'cleanup.policy'
const UNLIMITED = '9223372036854775807'
const DAY_MS = 86_400_000
/** What is deleted goes from the disk a file at a time, and never from the one that is written. */
const FILE_BYTES = String(50 * 1024 * 1024)

/** Any time that the input had is taken, and kept as it is (F6). */
const anyTime: TopicConfig = {
  'message.timestamp.type': 'CreateTime',
  'message.timestamp.after.max.ms': UNLIMITED,
  'message.timestamp.before.max.ms': UNLIMITED,
}

/**
 * Nothing goes by the time of its record: that of a backfill is gone within minutes (E12). The engine itself deletes
 * what no segment needs.
 */
const deletedByEngine: TopicConfig = { 'retention.ms': '-1', 'retention.bytes': '-1' }

/** Whether the log lets the engine delete the beginning of a topic. */
export function deletes({ needed }: InternalTopicSettings): boolean {
  return needed[POLICY]?.split(',').includes('delete') === true
}

/** Last values for ever. */
const compacted: TopicConfig = { [POLICY]: 'compact' }
const compactedAndDeleted: TopicConfig = { [POLICY]: 'compact,delete', ...deletedByEngine }
/** Of a join buffer no key comes twice, so that to compact it would be in vain. */
const deleted: TopicConfig = { [POLICY]: 'delete', ...deletedByEngine }

/** Of the epoch records the last one counts. */
export const epochTopicSettings: InternalTopicSettings = {
  needed: { ...anyTime, ...compactedAndDeleted },
  initial: { 'segment.bytes': FILE_BYTES },
}

/** Of the timers of a processor. */
export const timerTopicSettings: InternalTopicSettings = { needed: { ...anyTime, ...compacted }, initial: {} }

/**
 * Of a store, with what its builder was told (E12).
 *
 * @throws StreamError STORE_INVALID for settings with which the log would refuse or change the store's records (F6)
 */
export function changelogSettings(builder: StoreBuilder<any, any>): InternalTopicSettings {
  const { name, kind, retainDuplicates, retentionMs, topicConfig = {} } = builder
  for (const [key, value] of Object.entries(anyTime)) {
    const told = topicConfig[key]
    if (told !== undefined && told !== value) throw noTime(name, key, told, value)
  }
  const isWindowed = kind === 'window' || kind === 'session'
  const own = !isWindowed ? compacted : retainDuplicates === true ? deleted : compactedAndDeleted
  const needed = Object.fromEntries(Object.entries(own).map(([key, value]) => [key, topicConfig[key] ?? value]))
  return {
    needed: { ...anyTime, ...needed },
    initial: {
      ...(isWindowed ? { 'segment.bytes': FILE_BYTES } : {}),
      ...(kind === 'versioned' ? compactionLag(retentionMs ?? 0) : {}),
      ...topicConfig,
    },
  }
}

/**
 * For so long no version is compacted away, as Kafka Streams has it: the history, and a day more than that.
 *
 * @param historyMs of a versioned store
 */
function compactionLag(historyMs: number): TopicConfig {
  const ms = historyMs + DAY_MS
  return { 'min.compaction.lag.ms': Number.isSafeInteger(ms) ? String(ms) : UNLIMITED }
}

function noTime(store: string, key: string, told: string, needed: string): StreamError {
  return new StreamError(
    `The changelog of store "${store}" is to have ${key}=${told}, with which the log could refuse or change the times of ` +
      `its records. Leave it out of the store's topic settings: the engine sets ${needed}.`,
    { code: 'STORE_INVALID', kind: 'user', retriable: false, context: { store } },
  )
}
