import type { DropReason } from '../../events/EngineEvent.js'
import { partitionOf } from '../../lanes/murmur2.js'
import type { Header } from '../../model/Headers.js'
import type { Record, RecordCoordinates } from '../../model/Record.js'
import type { EngineConfig } from '../../topology/EngineConfig.js'
import type { OutputRecord, TopicInfo } from '../RecordLog.js'
import { SourceRecord } from '../reading/SourceRecord.js'

export interface DeadLetterHost {
  readonly config: EngineConfig
  readonly topics: ReadonlyMap<string, TopicInfo>
  emitOutput(output: OutputRecord): void
  /** Wall-clock ms. */
  now(): number
  /** How far ahead of the clock the source that reads a topic lets records in, in ms (F2); infinite where it does not say. */
  maxAheadMs(topic: string): number
}

/** Where and why a record was refused. */
export interface Refusal {
  readonly node: string
  readonly lane?: number | undefined
  readonly reason: DropReason
  /** The time of a dead letter without a source record, in ms. Default: 0. */
  readonly at?: number
  /** What failed, where that is not the source record itself: a letter has its time and headers (`kafka-streams.md` C.8). */
  readonly input?: Pick<Record<unknown, unknown>, 'timestamp' | 'headers'> | undefined
}

const encoder = new TextEncoder()

/** The raw records that did not get through, in a topic of their own (G1), at times that the log takes (F6). */
export class DeadLetters {
  #roundRobin = 0

  constructor(private readonly host: DeadLetterHost) {}

  /** Sends one in this epoch, if there is a topic for it. */
  send(source: RecordCoordinates | null, headers: readonly Header[], refusal: Refusal): void {
    const { config, topics, emitOutput } = this.host
    const name = config['errors.dead.letter.queue.topic.name']
    // In the driver every topic is there, one without a name too.
    const info = name === undefined ? undefined : topics.get(name)
    if (info === undefined) return
    const raw = source instanceof SourceRecord ? source.raw : undefined
    const key = raw?.key ?? null
    const { partitions, topic } = info
    const { input } = refusal
    const time = (raw === undefined ? undefined : (input?.timestamp ?? raw.timestamp)) ?? refusal.at ?? 0
    const timestamp = this.#isTaken(time, info, source) ? time : this.host.now()
    emitOutput({
      topic,
      partition: key === null ? this.#roundRobin++ % partitions : partitionOf(key, partitions),
      key,
      value: raw?.value ?? null,
      timestamp,
      headers: [
        ...((raw && input?.headers.toArray()) ?? raw?.headers ?? []),
        ...headers,
        ...(timestamp === time ? [] : [text('__lanescope.errors.timestamp', String(time))]),
        ...(config['errors.dead.letter.extra-headers'] ? extraHeaders(refusal) : []),
      ],
    })
  }

  /** Whether a letter may keep its time: the topic takes it, and whoever reads it then is not led into the far future. */
  #isTaken(time: number, { maxTimestampAheadMs, maxTimestampBehindMs }: TopicInfo, source: RecordCoordinates | null) {
    const { config, now, maxAheadMs } = this.host
    const bound =
      source === null || config.compat === 'kafka-streams' ? Number.POSITIVE_INFINITY : maxAheadMs(source.topic)
    const ahead = time - now()
    return (
      ahead <= bound &&
      ahead <= (maxTimestampAheadMs ?? Number.POSITIVE_INFINITY) &&
      -ahead <= (maxTimestampBehindMs ?? Number.POSITIVE_INFINITY)
    )
  }
}

function extraHeaders({ node, lane, reason }: Refusal): Header[] {
  return [
    text('__lanescope.errors.node', node),
    ...(lane === undefined ? [] : [text('__lanescope.errors.lane', String(lane))]),
    text('__lanescope.errors.reason', reason),
  ]
}

/** Kafka's headers of a dead letter, in Kafka's order (`kafka-streams.md` C.8). */
export function deadLetterHeaders(error: unknown, source: RecordCoordinates | null): Header[] {
  const cause = error instanceof Error ? error : new Error(String(error))
  return [
    text('__streams.errors.exception', cause.name),
    text('__streams.errors.message', cause.message),
    text('__streams.errors.stacktrace', cause.stack ?? ''),
    { key: '__streams.errors.topic', value: source === null ? null : encoder.encode(source.topic) },
    text('__streams.errors.partition', String(source?.partition ?? -1)),
    text('__streams.errors.offset', String(source?.offset ?? -1)),
  ]
}

export function text(key: string, value: string): Header {
  return { key, value: encoder.encode(value) }
}
