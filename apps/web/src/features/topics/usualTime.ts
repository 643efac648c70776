import type { WireSnapshot } from '@lanescope/shared'
import { formatSpan } from '../../live/formatTime.js'

/** The time that a test record gets while nobody has typed one. */
export interface UsualTime {
  /** Null: whatever the wall clock shows as it is sent. */
  readonly at: number | null
  readonly why: 'now' | 'newest' | 'event-clock'
}

export interface TimesKnown {
  readonly wall: number
  /** Greatest timestamp of the topic; −1 when none is known. */
  readonly newest: number
  /** The furthest event clock of the run; −1 when none is known. */
  readonly eventClock: number
}

/** Traffic that is at most so far behind the wall clock is fed at the wall clock's time, in ms. */
export const NEAR_MS = 5 * 60_000

/**
 * A record of now among traffic that runs in the past would move every clock to now, and leave all that comes after
 * it late: there the record goes where the topic has come to, else where the run has. Times ahead of the wall clock
 * are no place to go to.
 */
export function usualTime({ wall, newest, eventClock }: TimesKnown): UsualTime {
  const why = newest >= 0 ? 'newest' : 'event-clock'
  const at = newest >= 0 ? newest : eventClock
  return at >= 0 && wall - at > NEAR_MS ? { at, why } : { at: null, why: 'now' }
}

/** What a run's clocks say of a topic: its greatest timestamp read, and how far the topology has come. */
export function timesOf(snapshot: WireSnapshot | undefined, topic: string): Pick<TimesKnown, 'newest' | 'eventClock'> {
  const own = (snapshot?.clocks.partitions ?? []).filter((partition) => partition.topic === topic)
  return {
    newest: own.reduce((most, { maxTimestamp }) => Math.max(most, maxTimestamp), -1),
    eventClock: (snapshot?.nodes ?? []).reduce((most, node) => Math.max(most, node.eventClock ?? -1), -1),
  }
}

/** What a record so far ahead of traffic of the past does to it; the engine's own preview looks from the wall clock on. */
export function jumpWords(at: number, usual: UsualTime): string | null {
  if (usual.at === null || at - usual.at <= NEAR_MS) return null
  return `It moves the clocks on by ${formatSpan(at - usual.at)}; traffic that goes on before it comes late.`
}
