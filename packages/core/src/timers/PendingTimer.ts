import { compareBytes } from '../model/bytes.js'

/** A pending timer of one processor, domain and lane. */
export interface PendingTimer {
  readonly keyBytes: Uint8Array
  readonly at: number
  readonly name: string | undefined
  /** Order among those that were due when they were registered; −1 for one that was not (T5). */
  readonly sequence: number
}

export type Registered =
  | { readonly outcome: 'added' }
  | { readonly outcome: 'replaced'; readonly previousAt: number }
  | { readonly outcome: 'unchanged' }

export const ADDED: Registered = { outcome: 'added' }
export const UNCHANGED: Registered = { outcome: 'unchanged' }

/** What tells a timer from the others of its domain and lane, and where it stands among them. */
export type TimerPosition = Pick<PendingTimer, 'keyBytes' | 'at' | 'name'>

/** Firing order within a lane: time, then key bytes (unsigned), then name, an unnamed one first (T5). */
export function compareTimers(a: TimerPosition, b: TimerPosition): number {
  if (a.at !== b.at) return a.at - b.at
  const byKey = compareBytes(a.keyBytes, b.keyBytes)
  if (byKey !== 0) return byKey
  if (a.name === b.name) return 0
  if (a.name === undefined) return -1
  if (b.name === undefined) return 1
  return a.name < b.name ? -1 : 1
}
