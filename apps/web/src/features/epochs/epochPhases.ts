import type { RareOf } from '../../live/journal.js'

export type EpochEvent = RareOf<'epoch'>

/** Phases of one epoch as heights of a bar: shares of the longest one drawn, so that bars compare. */
export interface EpochBar {
  readonly epoch: EpochEvent
  readonly run: number
  readonly cut: number
  readonly commit: number
}

/** A phase that took any time is drawn at least this tall. */
const LEAST = 0.02

export function toEpochBars(epochs: readonly EpochEvent[]): readonly EpochBar[] {
  const longest = Math.max(1, ...epochs.map(totalMs))
  const share = (ms: number) => (ms <= 0 ? 0 : Math.max(LEAST, ms / longest))
  return epochs.map((epoch) => ({
    epoch,
    run: share(epoch.runMs),
    cut: share(epoch.cutMs),
    commit: share(epoch.commitMs),
  }))
}

export function totalMs(epoch: EpochEvent): number {
  return epoch.runMs + epoch.cutMs + epoch.commitMs
}

/** How long nothing was committed; null while the last commit is as fresh as commits usually are. */
export function idleFor(epochs: readonly EpochEvent[], now: number): number | null {
  const last = epochs.at(-1)
  if (!last) return null
  const waited = now - last.at
  return waited > Math.max(1_000, 4 * totalMs(last)) ? waited : null
}
