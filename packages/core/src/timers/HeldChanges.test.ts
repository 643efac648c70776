import { describe, expect, it } from 'vitest'
import { HeldChanges } from './HeldChanges.js'
import { NOT_STORED, TimerEntry } from './TimerEntry.js'

const entry = (at: number) => new TimerEntry(Uint8Array.of(at), at, undefined, -1, at, NOT_STORED)
const times = (changes: HeldChanges) => changes.take().map(({ at }) => at)

describe('changes held back', () => {
  it('[E8] hold each timer once', () => {
    const changes = new HeldChanges()
    const first = entry(1)
    changes.add(first)
    changes.add(entry(2))
    changes.add(first)
    expect(times(changes)).toEqual([1, 2])
    expect(times(changes)).toEqual([])
    changes.add(first)
    expect(times(changes)).toEqual([1])
  })

  it.each([
    [1, [2, 3]],
    [2, [1, 3]],
    [3, [1, 2]],
  ])('let go of timer %i and keep the others, which can still be removed', (gone, left) => {
    const changes = new HeldChanges()
    const entries = [entry(1), entry(2), entry(3)]
    for (const one of entries) changes.add(one)
    const removed = entries[gone - 1] as TimerEntry
    changes.remove(removed)
    changes.remove(removed)
    for (const one of entries) if (one !== removed) changes.add(one)
    expect(times(changes).sort()).toEqual(left)
    for (const one of entries) changes.add(one)
    for (const one of entries) changes.remove(one)
    expect(times(changes)).toEqual([])
  })
})
