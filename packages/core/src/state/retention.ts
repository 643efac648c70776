const leastIntervalMs = 60_000

/** How wide a store's segments are: half the retention, at least a minute (S1). All in ms. */
export function segmentIntervalOf(retentionMs: number): number {
  return Math.max(Math.floor(retentionMs / 2), leastIntervalMs)
}

/**
 * The segment of a time: truncated toward zero, as Java divides (S1). So times just below zero are in segment 0,
 * which is live from the start.
 */
export function segmentIdOf(timestamp: number, intervalMs: number): number {
  const id = Math.trunc(timestamp / intervalMs)
  return id === 0 ? 0 : id
}

/** The least segment that is live at an observed time (S1). */
export function leastLiveSegment(observed: number, retentionMs: number, intervalMs: number): number {
  return segmentIdOf(observed - retentionMs, intervalMs)
}

/** How wide a versioned store's segments are unless it says so: a part of the history, smaller the longer that is. */
export function versionedIntervalOf(historyMs: number): number {
  if (historyMs <= 60_000) return Math.max(Math.floor(historyMs / 3), 2_000)
  if (historyMs <= 300_000) return Math.max(Math.floor(historyMs / 5), 20_000)
  if (historyMs <= 3_600_000) return Math.max(Math.floor(historyMs / 12), 60_000)
  return Math.max(Math.floor(historyMs / 24), 300_000)
}
