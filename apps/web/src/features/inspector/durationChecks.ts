import { formatDuration, parseDuration } from '../../model/duration.js'

/** Why a text is no duration; undefined when it is one, or nothing. */
export const durationProblem = (text: string): string | undefined =>
  text.trim() === '' || parseDuration(text) !== undefined
    ? undefined
    : 'A duration is a number and a unit: 500 ms, 5 min, 30 d.'

/** Why a text is no duration of at least `leastMs`; undefined when it is one. */
export function needed(text: string, leastMs: number): string | undefined {
  const ms = parseDuration(text)
  if (ms === undefined) return 'A duration is a number and a unit: 500 ms, 5 min, 30 d.'
  return ms < leastMs ? `At least ${formatDuration(leastMs)}.` : undefined
}
