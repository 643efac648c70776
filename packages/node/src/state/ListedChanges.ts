import { type ChangeView, NOT_LOOKED_UP, type PackedChanges } from '@lanescope/core'
import type { Change } from './entry.js'

/** Changes that are objects, as a restore gives them, to be looked at as those of an epoch are. */
export class ListedChanges implements PackedChanges {
  constructor(private readonly changes: readonly Change[]) {}

  get size(): number {
    return this.changes.length
  }

  look(index: number, view: ChangeView): void {
    const [key, value] = this.changes[index] as Change
    view.key = key
    view.keyFrom = 0
    view.keyTo = key.length
    view.value = value
    view.valueFrom = 0
    view.valueTo = value?.length ?? 0
    view.before = NOT_LOOKED_UP
    view.place = 0
  }

  [Symbol.iterator](): Iterator<Change> {
    return this.changes[Symbol.iterator]()
  }
}
