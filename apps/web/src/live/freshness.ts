import type { RunSummary } from '@lanescope/shared'
import { formatClock, formatSpan } from './formatTime.js'

/** How old what is shown is, and why it does not move. Everything but `live` is drawn grey. */
export type Freshness =
  | { readonly state: 'none' }
  | { readonly state: 'live'; readonly ageMs: number }
  | { readonly state: 'stale' | 'paused' | 'ended'; readonly ageMs: number; readonly why: string }

/** Frames come ten times a second; after this long without one the figures are called stale. */
export const STALE_AFTER_MS = 2_000

export interface FreshnessInput {
  readonly run: RunSummary | null
  /** When the page got the newest frame; null before the first. */
  readonly receivedAt: number | null
  readonly now: number
  readonly connected: boolean
  /** When the viewer paused; null while it is not paused. */
  readonly pausedAt: number | null
}

export function toFreshness({ run, receivedAt, now, connected, pausedAt }: FreshnessInput): Freshness {
  if (run === null || receivedAt === null) return { state: 'none' }
  const ageMs = Math.max(0, now - receivedAt)
  if (run.endedAt !== null) {
    const word = run.state === 'failed' ? 'failed' : 'ended'
    return { state: 'ended', ageMs, why: `The run ${word} at ${formatClock(run.endedAt)}` }
  }
  if (pausedAt !== null) return { state: 'paused', ageMs: now - pausedAt, why: 'The view is paused' }
  if (!connected) return { state: 'stale', ageMs, why: `Connection lost, as of ${formatSpan(ageMs)} ago` }
  if (ageMs > STALE_AFTER_MS) return { state: 'stale', ageMs, why: `No frame for ${formatSpan(ageMs)}` }
  return { state: 'live', ageMs }
}
