import { type EntryLayout, KeyFirstLayout, type Tail } from './entryLayout.js'
import { segmentIdOf } from './retention.js'
import type { ChangelogForm } from './StoreBuilder.js'

/**
 * Windows stand in a changelog by key, then time, whatever order their store keeps them in (`kafka-streams.md` F.2):
 * key ∥ start ∥ sequence, or key ∥ end ∥ start for sessions.
 *
 * @param layout of the store's segments
 * @param tail what ends a key in the changelog
 * @param intervalMs how wide the store's segments are
 */
export function windowedChangelog(layout: EntryLayout, tail: Tail, intervalMs: number): ChangelogForm {
  const logged = new KeyFirstLayout(tail)
  return {
    keyOf(part, stored) {
      // What is no segment has no times.
      if (!part.startsWith('/')) return undefined
      if (!layout.isEntry(stored)) return null
      return logged.stored(layout.keyOf(stored), layout.timeOf(stored), layout.tailOf(stored))
    },
    rowsOf(key, value) {
      const time = logged.timeOf(key)
      const stored = layout.stored(logged.keyOf(key), time, logged.tailOf(key))
      const part = `/${segmentIdOf(time, intervalMs) * intervalMs}`
      return { part, rows: layout.rowsOf(stored, value) }
    },
  }
}
