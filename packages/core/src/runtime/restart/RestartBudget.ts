import type { StreamErrorContext } from '../../errors/StreamError.js'
import type { Position } from '../RecordLog.js'

/** Attempts in a row before a fault ends the run (E4). */
export const ATTEMPTS = 5
const FIRST_DELAY_MS = 100
const LONGEST_DELAY_MS = 30_000

/** The record or timer that a fault goes back to; undefined when it goes back to none. */
export interface FaultCoordinates extends Pick<StreamErrorContext, 'topic' | 'partition' | 'offset' | 'node' | 'key'> {
  /** It is the timer of this node and key. */
  readonly isTimer?: true
}

export type RestartPlan =
  | {
      readonly kind: 'restart'
      readonly delayMs: number
      readonly attempt: number
      /** Cut the epoch just before these, so that what lies before them commits (E4). */
      readonly cutBefore: FaultCoordinates | undefined
    }
  | { readonly kind: 'give-up'; readonly attempts: number }

/**
 * Decides what follows a fault (E4): restart in place after a growing pause, at most five times in a row.
 * Only a commit that passes the failed record or timer refills the budget; the second abort at the same
 * coordinates asks for a cut just before them.
 */
export class RestartBudget {
  #attempts = 0
  #failedAt: FaultCoordinates | undefined

  /** A fault has ended an incarnation. */
  onFault(at: FaultCoordinates | undefined): RestartPlan {
    if (this.#attempts >= ATTEMPTS) return { kind: 'give-up', attempts: this.#attempts }
    const delayMs = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 4 ** this.#attempts)
    this.#attempts++
    const again = at !== undefined && this.#failedAt !== undefined && isSame(at, this.#failedAt)
    this.#failedAt = at
    return { kind: 'restart', delayMs, attempt: this.#attempts, cutBefore: again ? at : undefined }
  }

  /** The timer that the last fault goes back to, until a commit has passed it; undefined when it goes back to none. */
  get failedTimer(): FaultCoordinates | undefined {
    return this.#failedAt?.isTimer ? this.#failedAt : undefined
  }

  /**
   * An epoch is committed.
   *
   * @param passed whether a record or timer is behind the committed positions now
   */
  onCommit(passed: (at: FaultCoordinates) => boolean): void {
    if (this.#failedAt !== undefined && !passed(this.#failedAt)) return
    this.#attempts = 0
    this.#failedAt = undefined
  }
}

/** A restart as it is told. Of a cut before a timer, which is blamed by node and key alone, the log tells. */
export function restartFacts({ attempt, delayMs, cutBefore }: Extract<RestartPlan, { readonly kind: 'restart' }>) {
  const { topic, partition, offset } = cutBefore ?? {}
  const isRecord = topic !== undefined && partition !== undefined && offset !== undefined
  return { attempt, of: ATTEMPTS, delayMs, ...(isRecord ? { cutsBefore: { topic, partition, offset } } : {}) }
}

/** The record or timer that an error names, if it names one. */
export function faultCoordinates(context: StreamErrorContext): FaultCoordinates | undefined {
  const { topic, partition, offset, node, key } = context
  if (topic === undefined && node === undefined) return undefined
  return {
    ...(topic === undefined ? {} : { topic }),
    ...(partition === undefined ? {} : { partition }),
    ...(offset === undefined ? {} : { offset }),
    ...(node === undefined ? {} : { node }),
    ...(key === undefined ? {} : { key }),
  }
}

/**
 * Whether an epoch that is committed has passed what failed: a record by its positions, a timer by its firing in it.
 * A fault that neither is to blame for is passed by any commit.
 */
export function hasPassed(
  failed: FaultCoordinates,
  positions: readonly Position[],
  failedTimerFired: boolean,
): boolean {
  if (failed.isTimer) return failedTimerFired
  const { topic, partition, offset } = failed
  if (topic === undefined || offset === undefined) return true
  const position = positions.find((candidate) => candidate.topic === topic && candidate.partition === partition)
  return position !== undefined && (position.offset > offset || position.done.includes(offset))
}

/** A record is the same wherever it fails; a timer is known by its node and key. */
function isSame(a: FaultCoordinates, b: FaultCoordinates): boolean {
  if (a.topic !== b.topic || a.partition !== b.partition || a.offset !== b.offset) return false
  return a.offset !== undefined || (a.node === b.node && a.key === b.key)
}
