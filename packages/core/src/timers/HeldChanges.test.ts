import { describe, expect, it } from 'vitest'
import { HeldChanges } from './HeldChanges.js'
import { TimerForm } from './TimerForm.js'
import { NOT_STORED, TimerRows } from './TimerRows.js'

const form = new TimerForm()

function start() {
  const rows = new TimerRows()
  const changes = new HeldChanges(rows)
  return {
    changes,
    entry: (at: number) => rows.add(form.set(Uint8Array.of(at), at, undefined), -1, NOT_STORED),
    times: () => changes.take().map((row) => rows.at(row)),
  }
}

describe('changes held back', () => {
  it('[E8] hold each timer once', () => {
    const { changes, entry, times } = start()
    const first = entry(1)
    changes.add(first)
    changes.add(entry(2))
    changes.add(first)
    expect(times()).toEqual([1, 2])
    expect(times()).toEqual([])
    changes.add(first)
    expect(times()).toEqual([1])
  })

  it.each([
    [1, [2, 3]],
    [2, [1, 3]],
    [3, [1, 2]],
  ])('let go of timer %i and keep the others, which can still be removed', (gone, left) => {
    const { changes, entry, times } = start()
    const entries = [entry(1), entry(2), entry(3)]
    for (const one of entries) changes.add(one)
    const removed = entries[gone - 1] as number
    changes.remove(removed)
    changes.remove(removed)
    for (const one of entries) if (one !== removed) changes.add(one)
    expect(times().sort()).toEqual(left)
    for (const one of entries) changes.add(one)
    for (const one of entries) changes.remove(one)
    expect(times()).toEqual([])
  })
})
