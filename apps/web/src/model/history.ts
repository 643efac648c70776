/** One undoable step: what stood before it and what a menu calls it. */
interface Step<T> {
  readonly label: string
  readonly before: T
}

interface Batch {
  readonly key: string
  readonly at: number
}

/** The present and the ways back and forth from it. Immutable. */
export interface History<T> {
  readonly past: readonly Step<T>[]
  readonly present: T
  readonly future: readonly { readonly label: string; readonly after: T }[]
  /** The step that still accepts more of its kind: a drag, a burst of typing. */
  readonly batch: Batch | undefined
}

export interface StepOptions {
  readonly label: string
  /** Consecutive steps with one key, each within `BATCH_MS` of the last, become one. */
  readonly batch?: string
  /** Now, in ms. */
  readonly at: number
}

/** A pause longer than this ends a burst of typing. */
export const BATCH_MS = 1_000
/** Older steps are forgotten. */
export const MAX_STEPS = 200

export function startHistory<T>(present: T): History<T> {
  return { past: [], present, future: [], batch: undefined }
}

/** Makes `next` the present. A step that changes nothing is none: the same history comes back. */
export function record<T>(history: History<T>, next: T, options: StepOptions): History<T> {
  if (next === history.present) return history
  const batch = options.batch === undefined ? undefined : { key: options.batch, at: options.at }
  if (continues(history, batch)) return { ...history, present: next, future: [], batch }
  const past = [...history.past, { label: options.label, before: history.present }].slice(-MAX_STEPS)
  return { past, present: next, future: [], batch }
}

function continues<T>(history: History<T>, batch: Batch | undefined): boolean {
  const open = history.batch
  if (batch === undefined || open === undefined || history.past.length === 0) return false
  return open.key === batch.key && batch.at - open.at <= BATCH_MS
}

/** Replaces the present without a step: what came from disk is nobody's edit. */
export function replacePresent<T>(history: History<T>, present: T): History<T> {
  return { ...history, present, batch: undefined }
}

export function undo<T>(history: History<T>): History<T> {
  const step = history.past.at(-1)
  if (!step) return history
  return {
    past: history.past.slice(0, -1),
    present: step.before,
    future: [{ label: step.label, after: history.present }, ...history.future],
    batch: undefined,
  }
}

export function redo<T>(history: History<T>): History<T> {
  const [step, ...future] = history.future
  if (!step) return history
  return {
    past: [...history.past, { label: step.label, before: history.present }],
    present: step.after,
    future,
    batch: undefined,
  }
}

/** What undo would take back, for its tooltip. */
export const undoLabel = <T>(history: History<T>): string | undefined => history.past.at(-1)?.label
export const redoLabel = <T>(history: History<T>): string | undefined => history.future[0]?.label
