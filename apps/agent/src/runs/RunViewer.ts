import type { RunFrame } from '@lanescope/shared'

/** Takes the frames of a run. Quick, and never throws: it stands between a run and all its viewers. */
export type RunViewer = (frame: RunFrame) => void
