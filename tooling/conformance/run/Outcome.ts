import type { Expectation } from '../CaseFile.js'
import type { Json } from '../strict.js'

/** What happened in one step, in the words of an expectation. */
export interface StepOutcome extends Omit<Expectation, 'error'> {
  readonly error?: unknown
}

/** What became of a case, in the words of its file. An error is what was thrown. */
export interface CaseOutcome {
  readonly steps: readonly StepOutcome[]
  readonly stores?: { readonly [store: string]: Json }
  readonly describe?: string
  readonly branches?: { readonly [id: string]: readonly string[] }
  readonly buildError?: unknown
  readonly describeError?: unknown
  readonly startError?: unknown
}
