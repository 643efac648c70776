import type { TrafficGenerator, TrafficPhase } from './TrafficGenerator.js'

/** One record of the plan: which number it has in its phase, and when it is due, in ms since the start. */
export interface PlannedRecord {
  readonly phase: TrafficPhase
  readonly indexInPhase: number
  readonly dueMs: number
}

/** Records of a phase: those due before its end. A phase without end has infinitely many. */
function sizeOf({ forMs, ratePerSecond }: TrafficPhase): number {
  return forMs === 0 ? Number.POSITIVE_INFINITY : Math.ceil((forMs * ratePerSecond) / 1000)
}

/** The n-th record of the traffic, from 0; undefined behind the last. The first of each phase is due at its beginning. */
export function plannedRecord(phases: readonly TrafficPhase[], n: number): PlannedRecord | undefined {
  let before = 0
  let startMs = 0
  for (const phase of phases) {
    const size = sizeOf(phase)
    if (n < before + size) {
      const indexInPhase = n - before
      return { phase, indexInPhase, dueMs: startMs + (indexInPhase * 1000) / phase.ratePerSecond }
    }
    before += size
    startMs += phase.forMs
  }
  return undefined
}

/** The key of the n-th record of a phase, from 0: each in turn, each for a burst. */
export function keyTextAt({ keys, burst = 1 }: TrafficPhase, indexInPhase: number): string {
  return keys[Math.floor(indexInPhase / burst) % keys.length] as string
}

/**
 * The newest time in its topic that traffic can go on from. What catches up with the clock never went beyond it:
 * later times there are not its own.
 */
export function newestToGoOnFrom(startedAt: number, { startOffsetMs }: NonNullable<TrafficGenerator['time']>): number {
  return startOffsetMs < 0 ? startedAt : Number.POSITIVE_INFINITY
}

/**
 * The event time, in ms, of a record that is due `dueMs` after the start. One that catches up with the clock keeps to it.
 *
 * @param newest the newest time in its topic: traffic that is started again goes on from there, and not back
 */
export function eventTimeAt(
  startedAt: number,
  dueMs: number,
  time?: TrafficGenerator['time'],
  newest: number = Number.NEGATIVE_INFINITY,
): number {
  if (time === undefined) return Math.floor(startedAt + dueMs)
  const planned = Math.max(startedAt + time.startOffsetMs, newest) + dueMs * time.speed
  return Math.floor(time.startOffsetMs < 0 ? Math.min(planned, startedAt + dueMs) : planned)
}
