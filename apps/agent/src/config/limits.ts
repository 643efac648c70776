/** What one run may take of this machine, and how it is watched. */
export interface RunLimits {
  /** JavaScript heap. */
  readonly heapMb: number
  /** All memory of the process, buffers included: those a heap cap does not count. */
  readonly residentMb: number
  /** An event loop that turns no more for this long is taken for an endless loop. */
  readonly unresponsiveMs: number
  /** The same before it runs: loading code takes its time on a busy machine. */
  readonly startMs: number
  /** How often a run says that it lives, and is measured. */
  readonly heartbeatMs: number
  /** How long a graceful stop may take, on top of what the run's `shutdown.timeout-ms` gives its callbacks. */
  readonly stopMs: number
}

export const RUN_LIMITS: RunLimits = {
  heapMb: 1024,
  residentMb: 2048,
  unresponsiveMs: 10_000,
  startMs: 30_000,
  heartbeatMs: 500,
  stopMs: 30_000,
}

/** Frames of a run: often enough to look alive, seldom enough for a browser to draw each. */
export const FRAME_INTERVAL_MS = 50
