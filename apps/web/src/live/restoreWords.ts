import type { RunSummary, WireRestore, WireRestoreAmount } from '@lanescope/shared'
import { formatCount, formatOf, formatShare } from './formatNumber.js'
import { formatSpan } from './formatTime.js'

/** The restore that a run's start waits for; null while it does not, or nothing is known of it yet. */
export function restoreUnderWay(run: RunSummary | null): WireRestore | null {
  if (run === null || run.endedAt !== null || run.restore === undefined) return null
  return run.restore.storesLeft > 0 ? run.restore : null
}

/** How much of it has been read, 0 … 1. Offsets, not records: those that a compaction took are through as well. */
export function restoredShare({ offsets, left }: WireRestoreAmount): number {
  return offsets === 0 ? 1 : (offsets - left) / offsets
}

/** `about 6 s left`; what is not known is not guessed. */
export function timeLeftWords({ left, leftMs }: WireRestoreAmount): string {
  if (left === 0) return 'whole'
  return leftMs === undefined ? 'time left not known yet' : `about ${formatSpan(leftMs)} left`
}

/** `1,200 records, 48 kB`. */
export function amountWords({ records, bytes }: WireRestoreAmount): string {
  return `${formatOf(records, 'record')}, ${formatBytes(bytes)}`
}

/** `3 stores in 12 ms`. */
export function restoredIntoWords({ stores, elapsedMs }: WireRestore): string {
  return `${formatOf(stores, 'store')} in ${formatSpan(elapsedMs)}`
}

/**
 * What the run does, in the fewest words that are true: they stand large. Null while it just runs, or nothing does.
 *
 * @param isAsked whether a run was asked for, of which nothing is known yet
 */
export function stateHeadline(run: RunSummary | null, isAsked = false): string | null {
  if (run === null || run.endedAt !== null) return isAsked ? 'Starting' : null
  const restore = restoreUnderWay(run)
  if (restore !== null) return `Restoring state, ${formatShare(restoredShare(restore))}`
  if (run.state === 'starting' || run.state === 'created') return 'Starting'
  return run.state === 'stopping' ? 'Stopping' : null
}

/** In thousands: `812 bytes`, `48 kB`, `1.2 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1_000) return formatOf(bytes, 'byte')
  for (const [unit, size] of UNITS) {
    const value = bytes / size
    if (value >= 1) return `${value < 10 ? value.toFixed(1).replace(/\.0$/, '') : formatCount(value)} ${unit}`
  }
  return formatOf(bytes, 'byte')
}

const UNITS = [
  ['GB', 1e9],
  ['MB', 1e6],
  ['kB', 1e3],
] as const
