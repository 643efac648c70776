/** What a case has measured. */
export interface Measurement {
  /** What one of `count` is: a record, a hash. */
  readonly unit: string
  readonly count: number
  readonly ms: number
  /** Time of the processor that this process took, in all its threads: other work on the machine does not count. */
  readonly cpuMs?: number
}

/** One line of the table. */
export interface BenchCase {
  readonly name: string
  /** The size at scale 1: records, timers, hashes. */
  readonly size: number
  /** What the project promises on a machine with two shared cores, in units a second, or at most so many ns a unit. */
  readonly target?: { readonly perSecond: number } | { readonly ns: number }
  readonly run: (size: number) => Promise<Measurement>
}

export function perSecond({ count, ms }: Measurement): number {
  return (count / ms) * 1000
}

export function nsEach({ count, ms }: Measurement): number {
  return (ms * 1e6) / count
}

/** Undefined where the case measures pieces too short for the processor's clock. */
export function cpuNsEach({ count, cpuMs }: Measurement): number | undefined {
  return cpuMs === undefined ? undefined : (cpuMs * 1e6) / count
}
