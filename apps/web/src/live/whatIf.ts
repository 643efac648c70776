import type { Replies, WireError } from '@lanescope/shared'

export type Preview = Replies['preview-future']

/** A record that was not sent: its source and time, and what the engine says it would do. */
export interface WhatIf {
  readonly source: string
  readonly timestamp: number
  readonly answer:
    | { readonly state: 'asking' }
    | { readonly state: 'answered'; readonly timestamp: number; readonly preview: Preview }
    | { readonly state: 'refused'; readonly error: WireError }
}

export interface AheadPreset {
  readonly id: string
  readonly label: string
  /** The time that is so far ahead of this one. */
  readonly from: (wall: number) => number
}

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** Ahead of the wall clock. */
export const AHEAD_PRESETS: readonly AheadPreset[] = [
  { id: 'now', label: 'now', from: (wall) => wall },
  { id: 'hour', label: '1 h ahead', from: (wall) => wall + HOUR },
  { id: 'day', label: '1 d ahead', from: (wall) => wall + DAY },
  { id: 'month', label: '31 d ahead', from: (wall) => wall + 31 * DAY },
  { id: 'decade', label: '10 years ahead', from: (wall) => yearsAfter(wall, 10) },
]

/** The same day and time so many calendar years later; of 29 February in a year without one, 1 March. */
export function yearsAfter(at: number, years: number): number {
  const date = new Date(at)
  return date.setUTCFullYear(date.getUTCFullYear() + years)
}

export type Danger = 'harmless' | 'takes' | 'refuses'

/** How bad the answer is: what it takes now, else what it refuses later, else nothing. */
export function dangerOf({ blast }: Preview): Danger {
  const takes = blast.segments.length + blast.windows.length + blast.timers.length > 0
  if (takes) return 'takes'
  return blast.refuses.length > 0 ? 'refuses' : 'harmless'
}

export function entriesTaken({ blast }: Pick<Preview, 'blast'>): number {
  return blast.segments.reduce((sum, segment) => sum + segment.entries, 0)
}

export function windowsTaken({ blast }: Pick<Preview, 'blast'>): number {
  return blast.windows.reduce((sum, entry) => sum + entry.count, 0)
}

export function timersTaken({ blast }: Pick<Preview, 'blast'>): number {
  return blast.timers.reduce((sum, entry) => sum + entry.count, 0)
}

/** What the guard would do with it, in words. */
export const VERDICT_WORDS: { readonly [verdict in Preview['wouldBe']]: string } = {
  passed: 'The record would pass.',
  warned: 'The record would enter, with a warning.',
  rejected: 'The record would not enter. It is rejected, and listed with what it would have taken.',
  fatal: 'The record would stop the run.',
}
