import type { AnalysisInput, AnalysisPhase, AnalysisResult } from '@lanescope/shared'

/** From the page to the analysis worker. One at a time: the next is sent when the result of the last has come. */
export interface AnalysisCall {
  readonly seq: number
  readonly input: AnalysisInput
}

/** From the worker to the page. */
export type AnalysisNote =
  /** The compiler is loaded: from now on an analysis is quick. */
  | { readonly type: 'ready' }
  /** Code of the user's is about to run. */
  | { readonly type: 'phase'; readonly seq: number; readonly phase: AnalysisPhase }
  | { readonly type: 'result'; readonly seq: number; readonly result: AnalysisResult }
  /** The analysis itself failed: a fault of ours. */
  | { readonly type: 'failed'; readonly seq: number; readonly message: string }
