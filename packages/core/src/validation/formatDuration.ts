const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
] as const

/** A duration in the largest unit that says it exactly: 30 d, 90 min, 1500 ms. */
export function formatDuration(ms: number): string {
  const unit = units.find(([, size]) => ms >= size && ms % size === 0)
  return unit === undefined ? `${ms} ms` : `${ms / unit[1]} ${unit[0]}`
}
