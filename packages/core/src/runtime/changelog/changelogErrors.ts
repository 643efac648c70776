import { StreamError } from '../../errors/StreamError.js'
import type { SavedChangelogs } from '../epoch/EpochRecord.js'
import type { TopicTraits } from '../RecordLog.js'
import type { LoggedStore } from './loggedStores.js'

/** The stores' bytes were written in another format than they would be read in (E13). */
export function otherFormat(owner: string, topic: string, written: string, format: string): StreamError {
  return mismatch(
    `The state of "${owner}" in "${topic}" was written as ${written}, and this topology reads ${format}. To go on would ` +
      'read its bytes as something else. Declare what wrote it, rename the store, reset the application to begin anew, or ' +
      'let such stores begin empty with state.format-change: reset.',
    { store: owner, topic },
  )
}

/**
 * Holds a changelog against what the last epoch says of it (E11, E13): it is what state is rebuilt from, so that state
 * would be lost without a word where it is another one.
 *
 * @throws StreamError STATE_MISMATCH
 */
export function checkChangelog(
  { owner, topic }: LoggedStore,
  bounds: readonly { readonly start: number; readonly end: number }[],
  { id }: TopicTraits,
  saved: SavedChangelogs[string] | undefined,
): void {
  if (saved === undefined) return
  const partitions = bounds.length
  if (saved.from.length !== partitions) {
    throw mismatch(
      `The changelog "${topic}" had ${saved.from.length} partitions when the last epoch ended, and has ${partitions} now, so its keys ` +
        'would lie in two places. Bring the topic back as it was, or reset the application to begin anew.',
      { topic },
    )
  }
  if (saved.id !== undefined && id !== undefined && saved.id !== id) {
    throw mismatch(
      `The changelog "${topic}" was made anew since the last epoch (it was topic ${saved.id}, and is ${id} now): what was ` +
        `kept in "${owner}" is gone from it. Bring the topic back, or reset the application to begin anew.`,
      { store: owner, topic },
    )
  }
  for (const [partition, end] of (saved.ends ?? []).entries()) {
    const lost = end - (bounds[partition]?.end ?? 0)
    if (lost <= 0) continue
    throw mismatch(
      `The changelog "${topic}" has lost ${lost} records or more: partition ${partition} reached ${end} when the last epoch ended, ` +
        `and ends at ${end - lost} now. Bring the records back, or reset the application to begin anew.`,
      { store: owner, topic },
    )
  }
}

function mismatch(message: string, context: { readonly store?: string; readonly topic: string }): StreamError {
  return new StreamError(message, { code: 'STATE_MISMATCH', kind: 'operational', retriable: false, context })
}
