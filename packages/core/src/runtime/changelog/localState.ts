import type { StateBackend } from '../../state/StateBackend.js'
import type { TopicTraits } from '../RecordLog.js'
import { type LoggedStore, ownerOf } from './loggedStores.js'

/** What the log says of a changelog, where its store's history begins there, and the epoch that all is brought to. */
export interface ChangelogFacts {
  readonly bounds: readonly { readonly start: number; readonly end: number }[]
  readonly from: readonly number[]
  readonly traits: TopicTraits
  readonly lastEpoch: number
  /** Wall clock in ms. */
  readonly now: number
}

/** Why local state is of no use. */
export interface Unusable {
  readonly why: string
  /** Whether there is anything to lose: a store that is new, or whose folder is gone, has nothing. */
  readonly hasRows: boolean
  /** It is of another log, or of another topic of the same name. */
  readonly isStrange?: true
}

/**
 * Holds what the backend has of a store against its changelog (E11).
 *
 * @returns undefined where it lacks no more than what the changelog holds behind it
 */
export function whyUnusable(backend: StateBackend, store: LoggedStore, facts: ChangelogFacts): Unusable | undefined {
  const { owner, topic } = store
  const hasRows = rowsOf(backend, owner).length > 0
  if (backend.damaged.some((name) => ownerOf(name) === owner)) {
    return { why: 'a checksum of the local state is wrong', hasRows: true }
  }
  const mark = backend.changelogMarks.get(topic)
  // Rows without a mark are of some earlier day, or of a rebuild that did not end.
  if (mark === undefined) return { why: 'there is no whole local state', hasRows }
  const { traits, lastEpoch, now } = facts
  if (mark.topicId !== traits.id) {
    return { why: 'the local state is of another cluster, or of another topic of this name', hasRows, isStrange: true }
  }
  if (mark.epoch > lastEpoch) {
    return { why: `the local state is of epoch ${mark.epoch}, and the log ends with epoch ${lastEpoch}`, hasRows }
  }
  if (!isWithin(mark.ends, facts)) {
    return { why: 'the changelog does not hold what comes behind the local state', hasRows }
  }
  const age = Math.abs(now - mark.at)
  const { deleteRetentionMs = Number.POSITIVE_INFINITY } = traits
  if (age < deleteRetentionMs / 2) return undefined
  return {
    why: `the local state is ${age} ms old, and deletions may be gone from the changelog after half of delete.retention.ms = ${deleteRetentionMs}`,
    hasRows,
  }
}

/** Byte stores of an owner that hold rows. */
export function rowsOf(backend: StateBackend, owner: string): readonly string[] {
  return backend.names(owner).filter((name) => ownerOf(name) === owner)
}

function isWithin(ends: readonly number[], { bounds, from }: ChangelogFacts): boolean {
  return (
    ends.length === bounds.length &&
    ends.every((offset, i) => offset >= (from[i] ?? 0) && offset <= (bounds[i]?.end ?? -1))
  )
}
