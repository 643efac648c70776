import { type OutputRecord, StreamError } from '@lanescope/core'

const VERSION = 1

/** Topics to make and records to append, in this order. Partition −1: the log chooses. */
export interface InboxRequest {
  readonly topics: readonly { readonly topic: string; readonly partitions: number }[]
  readonly records: readonly OutputRecord[]
}

interface WireRecord {
  readonly topic: string
  readonly partition: number
  readonly key: string | null
  readonly value: string | null
  readonly timestamp: number
  readonly headers: readonly { readonly key: string; readonly value: string | null }[]
}

export function encodeRequest({ topics, records }: InboxRequest): string {
  return JSON.stringify({ version: VERSION, topics, records: records.map(toWire) })
}

/** @throws StreamError LOG_CORRUPT when the text is no request of this version */
export function decodeRequest(text: string): InboxRequest {
  const value = JSON.parse(text) as { version?: unknown; topics?: InboxRequest['topics']; records?: WireRecord[] }
  if (value.version !== VERSION || !Array.isArray(value.topics) || !Array.isArray(value.records)) {
    throw new StreamError(`it has version ${String(value.version)}, and version ${VERSION} is read`, {
      code: 'LOG_CORRUPT',
      kind: 'operational',
      retriable: false,
    })
  }
  return { topics: value.topics, records: value.records.map(fromWire) }
}

function toWire(record: OutputRecord): WireRecord {
  const headers = record.headers.map(({ key, value }) => ({ key, value: encode(value) }))
  return { ...record, key: encode(record.key), value: encode(record.value), headers }
}

function fromWire(record: WireRecord): OutputRecord {
  const headers = record.headers.map(({ key, value }) => ({ key, value: decode(value) }))
  return { ...record, key: decode(record.key), value: decode(record.value), headers }
}

function encode(bytes: Uint8Array | null): string | null {
  return bytes === null ? null : Buffer.from(bytes).toString('base64')
}

function decode(text: string | null): Uint8Array | null {
  return text === null ? null : new Uint8Array(Buffer.from(text, 'base64'))
}
