import { z } from 'zod'
import { coordinates, count, engineState, segmentFields, whole } from './wire.js'

const partition = z.strictObject({
  source: z.string(),
  topic: z.string(),
  partition: count,
  maxTimestamp: whole,
  watermark: whole,
  idle: z.boolean(),
  position: whole,
  lag: z.number(),
})

const node = z.strictObject({
  node: z.string(),
  subTopology: count.exactOptional(),
  in: count,
  out: count,
  busyMs: z.number(),
  eventClock: whole,
  timers: z
    .strictObject({ pending: count, fired: count, replaced: count, deleted: count, splits: count })
    .exactOptional(),
  punctuations: z
    .strictObject({ planned: count, nextStreamTime: whole.nullable(), nextWallClock: whole.nullable() })
    .exactOptional(),
})

const lane = z.strictObject({
  subTopology: count,
  lane: count,
  queued: count,
  capacity: count,
  processed: count,
  timersFired: count,
  busyMs: z.number(),
  current: z.string().nullable(),
  awaitingMs: z.number(),
})

const store = z.strictObject({
  name: z.string(),
  kind: z.enum(['key-value', 'window', 'session', 'versioned']),
  entries: count,
  bytes: count,
  windowed: z
    .strictObject({
      retentionMs: count,
      segmentIntervalMs: count,
      observed: whole,
      movedBy: coordinates.nullable(),
      readableAbove: whole,
      segments: z.array(z.strictObject(segmentFields)),
    })
    .exactOptional(),
})

/** The engine's `EngineSnapshot`. */
export const snapshot = z.strictObject({
  at: whole,
  state: engineState,
  uptimeMs: z.number(),
  epoch: z.strictObject({ number: whole, committed: count, lastCommitMs: z.number().nullable() }),
  clocks: z.strictObject({
    mode: z.enum(['watermark', 'stream-time']),
    wall: z.number(),
    reference: z.number(),
    partitions: z.array(partition),
  }),
  nodes: z.array(node),
  schedules: z.array(z.strictObject({ source: z.string(), position: whole, nextAt: whole.nullable() })).exactOptional(),
  edges: z.array(z.strictObject({ from: z.string(), to: z.string(), count })),
  lanes: z.array(lane),
  stores: z.array(store),
  counters: z.record(z.string(), z.number()),
})
