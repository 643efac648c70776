import { newChangeView } from '@lanescope/core'
import { type Change, entryLength, writeEntry } from '../src/state/entry.js'
import { ListedChanges } from '../src/state/ListedChanges.js'

/** Entries side by side, behind so many bytes, and where each begins. */
export function packEntries(changes: readonly Change[], behind = 0) {
  const listed = new ListedChanges(changes)
  const view = newChangeView()
  let length = behind
  for (let i = 0; i < listed.size; i++) {
    listed.look(i, view)
    length += entryLength(view)
  }
  const bytes = new Uint8Array(length)
  const starts: number[] = []
  let at = behind
  for (let i = 0; i < listed.size; i++) {
    listed.look(i, view)
    starts.push(at)
    at = writeEntry(bytes, at, view)
  }
  if (at !== length) throw new Error(`${at} of ${length} bytes are written`)
  return { bytes, starts }
}
