import { z } from 'zod'

/** Schemas of what several messages carry. Strict: a field that nobody named is a mistake, and refused. */

export const hex = z.string().regex(/^([0-9a-f]{2})*$/, 'bytes are lower-case hex')
export const count = z.number().int().nonnegative()
/** Times and offsets: whole numbers, where −1 stands for unknown. */
export const whole = z.number().int()
export const fields = z.record(z.string(), z.unknown())
export const engineState = z.enum(['created', 'starting', 'running', 'stopping', 'stopped', 'failed'])
export const timerDomain = z.enum(['event-time', 'processing-time'])
export const logKind = z.enum(['embedded', 'kafka'])

export const coordinates = z.strictObject({ topic: z.string(), partition: whole, offset: whole, timestamp: whole })

export const splitFields = {
  node: z.string(),
  key: z.string(),
  recordBytes: hex,
  timerBytes: hex,
  recordLane: count,
  timerLane: count,
  laneCount: count,
}

export const wireError = z.strictObject({
  code: z.string(),
  kind: z.enum(['user', 'operational', 'bug']),
  message: z.string(),
  context: fields,
  split: z.strictObject(splitFields).exactOptional(),
  where: z.strictObject({ file: z.string(), line: count, column: count }).exactOptional(),
  stack: z.string().exactOptional(),
})

export const segmentFields = {
  store: z.string(),
  segment: whole,
  from: whole,
  to: whole,
  entries: count,
  bytes: count,
}

const counted = z.strictObject({ node: z.string(), count })

export const blast = z.strictObject({
  segments: z.array(z.strictObject(segmentFields)),
  windows: z.array(counted),
  timers: z.array(counted),
  refuses: z.array(
    z.strictObject({
      where: z.string(),
      reason: z.enum(['late_window', 'expired_segment']),
      from: z.number(),
      to: z.number(),
    }),
  ),
})

export const timer = z.strictObject({
  node: z.string(),
  lane: count,
  domain: timerDomain,
  at: whole,
  name: z.string().exactOptional(),
  key: z.string(),
  keyBytes: hex,
})

const restoreAmount = {
  records: count,
  bytes: count,
  offsets: count,
  left: count,
  leftMs: z.number().nonnegative().exactOptional(),
}

const restore = z.strictObject({
  ...restoreAmount,
  at: whole,
  elapsedMs: z.number(),
  stores: count,
  storesLeft: count,
  parts: z.array(z.strictObject({ ...restoreAmount, store: z.string() })),
})

export const runSummary = z.strictObject({
  runId: z.string(),
  projectId: z.string(),
  state: engineState,
  log: logKind,
  startedAt: whole,
  endedAt: whole.nullable(),
  error: wireError.nullable(),
  overrides: fields.exactOptional(),
  fingerprint: z.string().exactOptional(),
  restore: restore.exactOptional(),
})

export const topic = z.strictObject({ topic: z.string(), partitions: count })
