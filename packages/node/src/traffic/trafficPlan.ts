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

/** The event time, in ms, of a record that is due `dueMs` after the start. One that catches up with the clock keeps to it. */
export function eventTimeAt(
  startedAt: number,
  dueMs: number,
  { startOffsetMs, speed }: NonNullable<TrafficGenerator['time']> = { startOffsetMs: 0, speed: 1 },
): number {
  const planned = startedAt + startOffsetMs + dueMs * speed
  return Math.floor(startOffsetMs < 0 ? Math.min(planned, startedAt + dueMs) : planned)
}
