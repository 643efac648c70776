import { formatDuration, LONGEST_MS, parseDuration, readDuration } from '../../model/duration.js'

/** Why a text is no duration; undefined when it is one, or nothing. */
export const durationProblem = (text: string): string | undefined => (text.trim() === '' ? undefined : needed(text, 0))

/** Why a text is no duration of at least `leastMs`; undefined when it is one. */
export function needed(text: string, leastMs: number): string | undefined {
  const ms = parseDuration(text)
  if (ms === undefined)
    return readDuration(text) === undefined
      ? 'A duration is a number and a unit: 500 ms, 5 min, 2 h 30 min, 30 d.'
      : `At most ${Math.floor(LONGEST_MS / DAY_MS)} d: the engine counts whole milliseconds, and no further.`
  return ms < leastMs ? `At least ${formatDuration(leastMs)}.` : undefined
}

const DAY_MS = 86_400_000

/** Why a text is no count of lanes or the like; undefined when it is one, or nothing. */
export function countProblem(text: string): string | undefined {
  const trimmed = text.trim()
  if (trimmed === '') return undefined
  if (!/^[1-9]\d*$/.test(trimmed)) return 'A whole number above 0.'
  return Number.isSafeInteger(Number(trimmed))
    ? undefined
    : `At most ${Number.MAX_SAFE_INTEGER}: the engine counts no further.`
}
