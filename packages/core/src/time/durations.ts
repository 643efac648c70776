/** `n` milliseconds, in milliseconds: for symmetry with the others. */
export function milliseconds(n: number): number {
  return n
}

/** `n` seconds in milliseconds. */
export function seconds(n: number): number {
  return n * 1000
}

/** `n` minutes in milliseconds. */
export function minutes(n: number): number {
  return n * 60_000
}

/** `n` hours in milliseconds. */
export function hours(n: number): number {
  return n * 3_600_000
}

/** `n` days of 24 hours in milliseconds. */
export function days(n: number): number {
  return n * 86_400_000
}
