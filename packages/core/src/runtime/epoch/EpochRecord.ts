import { StreamError } from '../../errors/StreamError.js'
import type { Position } from '../RecordLog.js'

const FORMAT = 1

/**
 * What every epoch leaves behind in its own commit (E9): enough to know whether it was committed, and to go on from it.
 * Times in ms.
 */
export interface EpochRecord {
  readonly epoch: number
  /** Wall clock at the cut. */
  readonly wall: number
  readonly positions: readonly Position[]
  /** W6. */
  readonly clocks: SavedClocks
  /** Last committed scheduled time, by scheduled source (P1). */
  readonly ticks: { readonly [source: string]: number }
  /** What the state of each store and of each processor's timers can be rebuilt from (E6), by changelog topic. */
  readonly changelogs: SavedChangelogs
  /** The ids of the topics that were read, where the log has such: one made anew is no longer what the positions are of. */
  readonly topicIds: { readonly [topic: string]: string }
}

export interface SavedChangelogs {
  readonly [topic: string]: {
    /** The offset in each partition that the store's history begins at: what lies before is of one that was reset. */
    readonly from: readonly number[]
    /** Where each partition ends with this epoch, at least: one that ends before has lost records. */
    readonly ends?: readonly number[]
    /** Which topic it was, where the log can tell. */
    readonly id?: string
    /** What its bytes depend on. */
    readonly format: string
    /** No store of the topology went by that name any more; should it come back, its history goes on. */
    readonly unused?: true
  }
}

/** The clocks as of a cut (W6). −1 is unknown. */
export interface SavedClocks {
  /** The highest timestamp below each partition's committed offset. */
  readonly partitions: readonly { readonly topic: string; readonly partition: number; readonly maxTimestamp: number }[]
  /** The source clock of each node. */
  readonly nodes: { readonly [node: string]: number }
  /** The greatest time that reached each node in `stream-time` mode. */
  readonly observed: { readonly [node: string]: number }
  /** Observed time of each windowed store. */
  readonly stores: { readonly [store: string]: number }
}

const CHANGELOG = '-changelog'
const EPOCH_TOPIC = `-lanescope-epoch${CHANGELOG}`

/** The topic that an application's epoch records go to: one partition, compacted. */
export function epochTopicOf(applicationId: string): string {
  return `${applicationId}${EPOCH_TOPIC}`
}

/** Whether a topic is the engine's own: nothing for people to read or to write. */
export function isInternalTopic(topic: string): boolean {
  return topic.endsWith(CHANGELOG)
}

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true })

export function encodeEpochRecord(record: EpochRecord): Uint8Array {
  return encoder.encode(JSON.stringify({ format: FORMAT, ...record }))
}

/** @throws StreamError LOG_CORRUPT when the bytes are no epoch record, or one of a newer version */
export function decodeEpochRecord(bytes: Uint8Array, topic: string): EpochRecord {
  let parsed: { format?: unknown } & EpochRecord
  try {
    parsed = JSON.parse(decoder.decode(bytes))
  } catch (cause) {
    throw corrupt(`The epoch record in "${topic}" cannot be read.`, topic, cause)
  }
  if (typeof parsed !== 'object' || parsed === null || typeof parsed.epoch !== 'number') {
    throw corrupt(`The last record of "${topic}" is no epoch record.`, topic, undefined)
  }
  if (parsed.format !== FORMAT) {
    throw corrupt(
      `The epoch record in "${topic}" has format ${String(parsed.format)}; this version reads ${FORMAT}. Run the version that wrote it, or a newer one.`,
      topic,
      undefined,
    )
  }
  const { epoch, wall, positions, clocks, ticks, changelogs = {}, topicIds = {} } = parsed
  return { epoch, wall, positions, clocks, ticks, changelogs, topicIds }
}

function corrupt(message: string, topic: string, cause: unknown): StreamError {
  return new StreamError(message, {
    code: 'LOG_CORRUPT',
    kind: 'operational',
    retriable: false,
    context: { topic },
    cause,
  })
}
