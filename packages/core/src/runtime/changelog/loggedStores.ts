import type { ChangelogForm } from '../../state/StoreBuilder.js'
import type { CompiledTopology } from '../../topology/CompiledTopology.js'
import type { EngineConfig } from '../../topology/EngineConfig.js'
import { emulates } from '../../topology/emulates.js'
import type { InternalTopicSettings, TopicInfo } from '../RecordLog.js'
import { changelogSettings, deletes, timerTopicSettings } from './topicSettings.js'

/** What owns byte stores and has a changelog of its own: a store, or a processor's timers (T8). */
export interface LoggedStore {
  /** The store's name, or `timers/<node>`. */
  readonly owner: string
  readonly topic: string
  readonly partitions: number
  /** Absent where keys stand as they are. */
  readonly form: ChangelogForm | undefined
  /** What the bytes depend on: two that differ cannot read each other's (E13). */
  readonly format: string
  /** Of the topic. */
  readonly settings: InternalTopicSettings
  /** It lives in segments that expire, and the engine may delete what only those needed (E12). */
  readonly isTrimmed: boolean
  /**
   * It lives in segments that expire, beside rows that never do, so that its beginning cannot be deleted: each row of a
   * segment that goes is deleted by name.
   */
  readonly buriesRows: boolean
}

const timers = 'timers/'

/** Whose byte store this is: `counts/60000` and `counts:marks` belong to the store `counts`. */
export function ownerOf(byteStore: string): string {
  if (byteStore.startsWith(timers)) return byteStore
  const end = byteStore.search(/[/:]/)
  return end < 0 ? byteStore : byteStore.slice(0, end)
}

/** Kafka Streams' name for a store's changelog (`kafka-streams.md` A.7). */
export function changelogTopicOf(applicationId: string, owner: string): string {
  const name = owner.startsWith(timers) ? `${owner.slice(timers.length)}-timers` : owner
  return `${applicationId}-${name}-changelog`
}

/**
 * The stores that need a changelog, and the timers. A global or read-only store is read from its topic from the
 * beginning, so it needs none; a store may be told to go without.
 */
export function loggedStores(
  compiled: CompiledTopology,
  config: EngineConfig,
  topics: ReadonlyMap<string, TopicInfo>,
): readonly LoggedStore[] {
  const applicationId = config['application.id']
  const partitionsOf = (nodes: readonly string[]) => changelogPartitions(compiled, nodes, topics)
  const stores = compiled.stores
    .filter((store) => store.global !== true && store.builder.logging !== false)
    .map((store) => {
      const { name, builder, key, value, nodes } = store
      const { kind, retentionMs, windowSizeMs } = builder
      const format = [kind, key.label, value.label, retentionMs, windowSizeMs].filter((part) => part !== undefined)
      const topic = changelogTopicOf(applicationId, name)
      const form = builder.changelog?.((repair) => emulates(config, repair))
      const settings = changelogSettings(builder)
      const isTrimmed = (kind === 'window' || kind === 'session') && deletes(settings)
      return {
        owner: name,
        topic,
        partitions: partitionsOf(nodes),
        form,
        format: format.join(' '),
        settings,
        isTrimmed,
        buriesRows: kind === 'versioned',
      }
    })
  const timed = compiled.nodes
    .filter((node) => node.timers.length > 0)
    .map((node) => {
      const owner = `${timers}${node.name}`
      const topic = changelogTopicOf(applicationId, owner)
      // Timers hold themselves to their key's serde (T9).
      const partitions = partitionsOf([node.name])
      const settings = timerTopicSettings
      return {
        owner,
        topic,
        partitions,
        form: undefined,
        format: 'timers',
        settings,
        isTrimmed: false,
        buriesRows: false,
      }
    })
  return [...stores, ...timed]
}

/** As many as the source topics above have at most: Kafka Streams' count of tasks. */
function changelogPartitions(
  compiled: CompiledTopology,
  nodes: readonly string[],
  topics: ReadonlyMap<string, TopicInfo>,
): number {
  const sources = new Set(nodes.flatMap((node) => compiled.node(node).sources))
  let most = 1
  for (const source of sources) {
    const { pattern, topics: named = [] } = compiled.node(source).source ?? {}
    const matching = pattern === undefined ? [] : [...topics.keys()].filter((topic) => pattern.test(topic))
    for (const topic of [...named, ...matching]) most = Math.max(most, topics.get(topic)?.partitions ?? 1)
  }
  return most
}
