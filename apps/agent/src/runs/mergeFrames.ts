import type { RunFrame } from '@lanescope/shared'

/** Two frames as one, for a viewer that gets only one of them: the newer one, every rare event, and a count of the rest. */
export function mergeFrames(older: RunFrame, newer: RunFrame): RunFrame {
  return {
    ...newer,
    rare: [...older.rare, ...newer.rare],
    leftOut: {
      frames: older.leftOut.frames + newer.leftOut.frames + 1,
      samples: older.leftOut.samples + newer.leftOut.samples + older.samples.length,
      timerEvents: older.leftOut.timerEvents + newer.leftOut.timerEvents + older.timerEvents.length,
      // What is pending now is all in the newer frame.
      pendingTimers: newer.leftOut.pendingTimers,
    },
  }
}
