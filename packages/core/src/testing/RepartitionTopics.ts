import { StreamError } from '../errors/index.js'
import { Headers } from '../model/Headers.js'
import type { Record } from '../model/Record.js'
import type { WorkItem } from '../runtime/nodes/WorkItem.js'
import type { OutputRecord } from '../runtime/RecordLog.js'
import { SourceRecord } from '../runtime/reading/SourceRecord.js'
import type { Serde } from '../serde/Serde.js'
import type { CompiledBoundary } from '../topology/CompiledTopology.js'
import { changeSerde, isChange } from './changeSerde.js'

/**
 * The repartition topics of Kafka's test driver (D1). Where the engine crosses in memory, a record is written to its
 * topic and read again, so that a serde that does not fit fails as it does there, and what comes behind sees the
 * topic's coordinates.
 */
export class RepartitionTopics {
  readonly #offsets = new Map<string, number>()

  constructor(
    private readonly applicationId: string,
    private readonly emit: (output: OutputRecord) => void,
  ) {}

  /**
   * Writes what crosses a boundary and lets the item go on with what is read.
   *
   * @throws StreamError SERIALIZATION_FAILED when a serde of the boundary cannot write it
   */
  pass(item: WorkItem, boundary: CompiledBoundary): void {
    const { record } = item
    if (boundary.topic === undefined || record === undefined) return
    const topic = `${this.applicationId}-${boundary.topic}`
    const key = side('key', boundary.key.serde, topic, record)
    // What only the engine understands is handed on as it is, and is nobody's record.
    const value = boundary.private
      ? { bytes: null, read: record.value }
      : side('value', boundary.value.serde, topic, record)
    const { timestamp, headers } = record
    const raw = { key: key.bytes, value: value.bytes, timestamp, headers: headers.toArray() }
    if (!boundary.private) this.emit({ topic, partition: 0, ...raw })
    const offset = this.#offsets.get(topic) ?? 0
    this.#offsets.set(topic, offset + 1)
    item.record = { key: key.read, value: value.read, timestamp, headers }
    item.coordinates = new SourceRecord(topic, 0, offset, timestamp, { offset, ...raw })
  }
}

interface Side {
  readonly bytes: Uint8Array | null
  readonly read: unknown
}

function side(
  name: 'key' | 'value',
  declared: Serde<any> | undefined,
  topic: string,
  record: Record<unknown, unknown>,
): Side {
  const value = record[name]
  if (value === null || value === undefined) return { bytes: null, read: value }
  if (declared === undefined)
    throw failed(topic, name, `no serde is declared for it, and there is no default.${name}.serde`)
  const serde = isChange(value) ? changeSerde(declared) : declared
  try {
    const bytes = serde.serialize(topic, record.headers ?? Headers.empty, value)
    return { bytes, read: serde.deserialize(topic, record.headers ?? Headers.empty, bytes) }
  } catch (cause) {
    throw failed(topic, name, cause instanceof Error ? cause.message : String(cause), cause)
  }
}

function failed(topic: string, name: string, why: string, cause?: unknown): StreamError {
  return new StreamError(
    `The ${name} cannot be written to the repartition topic "${topic}": ${why}. Declare its serde.`,
    {
      code: 'SERIALIZATION_FAILED',
      kind: 'user',
      retriable: false,
      context: { topic },
      cause,
    },
  )
}
