import type { Header, LogRecord } from '@lanescope/core'
import type { IHeaders, KafkaMessage } from 'kafkajs'

/** A message as the engine reads it. Headers come by name from kafkajs: those of one name keep their order. */
export function toLogRecord({ offset, timestamp, key, value, headers }: KafkaMessage): LogRecord {
  return { offset: Number(offset), timestamp: Number(timestamp), key, value, headers: toHeaders(headers) }
}

function toHeaders(headers: IHeaders | undefined): Header[] {
  const list: Header[] = []
  for (const [key, content] of Object.entries(headers ?? {})) {
    const values = Array.isArray(content) ? content : [content]
    for (const value of values) list.push({ key, value: toBytes(value) })
  }
  return list
}

function toBytes(value: Buffer | string | null | undefined): Uint8Array | null {
  if (value === null || value === undefined) return null
  return typeof value === 'string' ? Buffer.from(value) : value
}
