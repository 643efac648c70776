import { z } from 'zod'
import { snapshot } from './snapshot.js'
import {
  blast,
  coordinates,
  count,
  engineState,
  hex,
  segmentFields,
  splitFields,
  timer,
  whole,
  wireError,
} from './wire.js'

const base = { n: z.number().int().positive(), at: whole }
const segmentEvent = {
  ...base,
  ...segmentFields,
  clockBefore: whole,
  clockAfter: whole,
  causedBy: coordinates.nullable(),
}

export const rareEvent = z.discriminatedUnion('type', [
  z.strictObject({
    ...base,
    ...splitFields,
    type: z.literal('split'),
    proven: z.boolean(),
    coordinates: coordinates.nullable(),
  }),
  z.strictObject({ ...segmentEvent, type: z.enum(['segment-created', 'segment-expired']) }),
  z.strictObject({
    ...base,
    type: z.literal('future-timestamp'),
    verdict: z.enum(['warned', 'rejected', 'passed']),
    source: z.string(),
    coordinates,
    aheadMs: z.number(),
    boundMs: z.number(),
    referenceClock: z.number(),
    key: z.string().nullable(),
    blast,
  }),
  z.strictObject({
    ...base,
    type: z.literal('dropped'),
    reason: z.string(),
    node: z.string(),
    store: z.string().exactOptional(),
    coordinates: coordinates.nullable(),
    detail: z.string(),
    movedBy: coordinates.nullable().exactOptional(),
    count,
  }),
  z.strictObject({
    ...base,
    type: z.literal('epoch'),
    epoch: whole,
    outcome: z.enum(['committed', 'aborted']),
    records: count,
    outputs: count,
    timersFired: count,
    runMs: z.number(),
    cutMs: z.number(),
    commitMs: z.number(),
    slowest: z
      .strictObject({ node: z.string(), lane: whole, key: z.string().exactOptional(), ms: z.number() })
      .exactOptional(),
    message: z.string().exactOptional(),
    inDoubt: whole.exactOptional(),
    restart: z
      .strictObject({
        attempt: count,
        of: count,
        delayMs: z.number(),
        cutsBefore: z.strictObject({ topic: z.string(), partition: count, offset: whole }).exactOptional(),
      })
      .exactOptional(),
  }),
  z.strictObject({
    ...base,
    type: z.literal('idle'),
    source: z.string(),
    topic: z.string(),
    partition: count,
    idle: z.boolean(),
    behindMs: z.number(),
  }),
  z.strictObject({
    ...base,
    type: z.literal('log'),
    level: z.enum(['info', 'warn', 'error']),
    node: z.string().exactOptional(),
    message: z.string(),
  }),
  z.strictObject({ ...base, type: z.literal('error'), error: wireError, fatal: z.boolean() }),
  z.strictObject({ ...base, type: z.literal('state'), from: engineState, to: engineState }),
])

const sample = z.strictObject({
  at: whole,
  from: z.string(),
  to: z.string().nullable(),
  lane: count,
  key: z.string().nullable(),
  keyBytes: hex.nullable(),
  value: z.string().nullable(),
  timestamp: whole,
  coordinates: coordinates.nullable(),
})

const timerEvent = z.strictObject({
  at: whole,
  what: z.enum(['registered', 'replaced', 'deleted', 'fired']),
  timer,
  previousAt: whole.exactOptional(),
  forwarded: count.exactOptional(),
})

const hotKey = z.strictObject({ subTopology: count, lane: count, key: z.string(), share: z.number().min(0).max(1) })

export const runFrame = z.strictObject({
  runId: z.string(),
  seq: count,
  at: whole,
  snapshot,
  hotKeys: z.array(hotKey),
  samples: z.array(sample),
  timerEvents: z.array(timerEvent),
  pendingTimers: z.array(timer),
  rare: z.array(rareEvent),
  leftOut: z.strictObject({ frames: count, samples: count, timerEvents: count, pendingTimers: count }),
})
