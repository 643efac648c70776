import { type Blast, type EngineEvent, type EngineEventOf, type TimerFacts, toHex } from '@lanescope/core'
import type { RareEvent, WireBlast, WireSample, WireTimer, WireTimerEvent } from './runs.js'

/** A rare event before whoever sends it has given it its number. */
export type UnnumberedRareEvent<T extends RareEvent = RareEvent> = T extends RareEvent ? Omit<T, 'n'> : never

/** Longest text of a sampled key or value, in characters. */
const MAX_TEXT = 200

/**
 * An engine's event as the page gets it; undefined for those that come at the rate of records, and for those that
 * frames show otherwise. `at` is the wall clock in ms.
 */
export function toRareEvent(event: EngineEvent, at: number): UnnumberedRareEvent | undefined {
  switch (event.type) {
    case 'lane-split-proven':
    case 'lane-split-sampled':
      return splitEvent(event, at)
    case 'segment-created':
    case 'segment-expired':
      return { ...event, at }
    case 'future-timestamp':
      return { ...event, at, blast: toWireBlast(event.blast) }
    case 'record-dropped':
    case 'silent-loss':
      return droppedEvent(event, at)
    case 'epoch-committed':
    case 'epoch-aborted':
      return epochEvent(event)
    case 'partition-idle':
    case 'partition-returned': {
      const { source, topic, partition, behindMs } = event
      return { type: 'idle', at, source, topic, partition, idle: event.type === 'partition-idle', behindMs }
    }
    case 'state-changed':
      return { type: 'state', at, from: event.from, to: event.to }
    case 'log': {
      const { lane, coordinates, ...told } = event
      return told
    }
    case 'error':
      return errorEvent(event, at)
    default:
      return undefined
  }
}

function splitEvent(event: EngineEventOf<'lane-split-proven' | 'lane-split-sampled'>, at: number): UnnumberedRareEvent {
  const { type, recordBytes, timerBytes, ...rest } = event
  const bytes = { recordBytes: toHex(recordBytes), timerBytes: toHex(timerBytes) }
  return { ...rest, ...bytes, type: 'split', at, proven: type === 'lane-split-proven' }
}

/** A silent loss is one whose record Kafka Streams would not count; for the page it is a drop like any other. */
function droppedEvent(event: EngineEventOf<'record-dropped' | 'silent-loss'>, at: number): UnnumberedRareEvent {
  const { reason, node, coordinates, detail } = event
  const base = { type: 'dropped', at, reason, node, coordinates, detail, count: 1 } as const
  if (event.type === 'silent-loss') return base
  return {
    ...base,
    ...(event.store === undefined ? {} : { store: event.store }),
    ...(event.movedBy === undefined ? {} : { movedBy: event.movedBy }),
  }
}

function epochEvent(event: EngineEventOf<'epoch-committed' | 'epoch-aborted'>): UnnumberedRareEvent {
  if (event.type === 'epoch-committed') return { ...event, type: 'epoch', outcome: 'committed' }
  return { ...event, type: 'epoch', outcome: 'aborted', cutMs: 0, commitMs: 0 }
}

function errorEvent(event: EngineEventOf<'error'>, at: number): UnnumberedRareEvent {
  const { code, kind, message, context, fatal } = event
  const known = kind === 'user' || kind === 'operational' ? kind : 'bug'
  return { type: 'error', at, error: { code, kind: known, message, context: { ...context } }, fatal }
}

/** A record on an edge, as a sample. */
export function toSample(event: EngineEventOf<'record-forwarded'>, at: number): WireSample {
  const { from, to, lane, key, value, timestamp, keyBytes, coordinates } = event
  return {
    at,
    from,
    to,
    lane,
    key: key === null || key === undefined ? null : valueText(key),
    keyBytes: keyBytes === null ? null : toHex(keyBytes),
    value: value === null || value === undefined ? null : valueText(value),
    timestamp,
    coordinates,
  }
}

export type TimerEvent = EngineEventOf<'timer-registered' | 'timer-replaced' | 'timer-deleted' | 'timer-fired'>

/** A moment of a timer's life. */
export function toTimerEvent(event: TimerEvent, at: number): WireTimerEvent {
  const base = { at, timer: toWireTimer(event) }
  switch (event.type) {
    case 'timer-registered':
      return { ...base, what: 'registered' }
    case 'timer-replaced':
      return { ...base, what: 'replaced', previousAt: event.previousAt }
    case 'timer-deleted':
      return { ...base, what: 'deleted' }
    case 'timer-fired':
      return { ...base, what: 'fired', forwarded: event.forwarded }
  }
}

export function toWireTimer({ node, lane, domain, at, name, key, keyBytes }: TimerFacts): WireTimer {
  return { node, lane, domain, at, ...(name === undefined ? {} : { name }), key, keyBytes: toHex(keyBytes) }
}

export function toWireBlast(blast: Blast): WireBlast {
  return blast
}

/**
 * A key or value as text for people: text as it is, bytes in hex, the rest as JSON, cut at 200 characters.
 * Never throws: what JSON cannot say is said in words.
 */
export function valueText(value: unknown, maxLength: number = MAX_TEXT): string {
  const text =
    typeof value === 'string' ? value : value instanceof Uint8Array ? bytesText(value, maxLength) : jsonText(value)
  return text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text
}

function bytesText(bytes: Uint8Array, maxLength: number): string {
  // No more bytes than are shown: a value may have megabytes.
  return toHex(bytes.subarray(0, Math.ceil(maxLength / 3) + 1), ' ')
}

function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value, jsonField) ?? String(value)
  } catch (error) {
    return `(no text: ${error instanceof Error ? error.message : String(error)})`
  }
}

function jsonField(_name: string, field: unknown): unknown {
  if (typeof field === 'bigint') return field.toString()
  if (field instanceof Map) return Object.fromEntries(field)
  if (field instanceof Set) return [...field]
  if (field instanceof Uint8Array) return toHex(field.subarray(0, MAX_TEXT))
  return field
}
