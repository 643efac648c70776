import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TimerForm } from './TimerForm.js'
import { TimerHeap } from './TimerHeap.js'
import { NO_ROW, NOT_STORED, TimerRows } from './TimerRows.js'

const form = new TimerForm()

function start() {
  const rows = new TimerRows()
  const heap = new TimerHeap(rows)
  const text = (row: number) => `${rows.at(row)}:${rows.timer(row).keyBytes[0]}`
  return {
    rows,
    heap,
    text,
    entry: (at: number, key = 0) => rows.add(form.set(Uint8Array.of(key), at, undefined), -1, NOT_STORED),
    topAt: () => (heap.peek() === NO_ROW ? undefined : rows.at(heap.peek())),
    /** Times and keys. */
    drain: () => {
      const drained: string[] = []
      for (let top = heap.peek(); top !== NO_ROW; top = heap.peek()) {
        drained.push(text(top))
        heap.pop(top)
      }
      return drained
    },
  }
}

/** As `drain` gives those with the key 0. */
const at = (times: readonly number[]) => times.map((time) => `${time}:0`)

describe('the heap of timers', () => {
  it('[T5] gives what is left in firing order, however many are dropped, and counts it', () => {
    const timers = fc.array(
      fc.record({ at: fc.oneof(fc.nat(60), fc.nat(1_000)), key: fc.nat(255), dropped: fc.boolean() }),
      { minLength: 60, maxLength: 260 },
    )
    fc.assert(
      fc.property(timers, fc.boolean(), (made, nearlyAll) => {
        const { rows, heap, text, entry, drain } = start()
        const entries = made.map(({ at, key }) => entry(at, key))
        for (const one of entries) heap.push(one)
        const isDropped = (at: number) => made[at]?.dropped === true || (nearlyAll && at % 8 !== 0)
        const left = entries.filter((_, at) => !isDropped(at)).sort((a, b) => rows.compare(a, b))
        const texts = left.map(text)
        const due = left.filter((row) => rows.at(row) <= 30).length
        for (const [at, one] of entries.entries()) if (isDropped(at)) heap.drop(one)
        expect(heap.size).toBe(left.length)
        expect(heap.countDue(30)).toBe(due)
        expect(heap.earliest(3).map(text)).toEqual(texts.slice(0, 3))
        expect(drain()).toEqual(texts)
        expect([heap.size, rows.size]).toEqual([0, 0])
      }),
    )
  })

  it.each([1, 2, 5, 6, 9, 10, 33, 34])('[T5] sweeps husks and stands in order with %i left', (count) => {
    const { rows, heap, entry, drain } = start()
    const husks = Array.from({ length: 200 }, (_, at) => entry(at))
    const living = Array.from({ length: count }, (_, at) => entry(1_000 - at))
    for (const one of [...husks.slice(0, 100), ...living, ...husks.slice(100)]) heap.push(one)
    for (const one of husks) heap.drop(one)
    expect(heap.size).toBe(count)
    expect(drain()).toEqual(at(Array.from({ length: count }, (_, index) => 1_001 - count + index)))
    expect(rows.size).toBe(0)
  })

  it('[T5] stands in order to its last entries after a sweep', () => {
    // The husks are the parents: what is swept together stands in no order at all.
    for (let count = 36; count < 60; count++) {
      const { rows, heap, entry, drain } = start()
      const husks = Array.from({ length: count + 1 }, (_, at) => entry(at))
      const living = Array.from({ length: count }, (_, at) => entry(1_000 + ((at * 37) % count)))
      for (const one of [...husks, ...living]) heap.push(one)
      for (const one of husks) heap.drop(one)
      const left = living.map((row) => rows.at(row)).sort((a, b) => a - b)
      expect(drain()).toEqual(at(left))
    }
  })

  it('counts on after a sweep', () => {
    const { heap, entry, topAt } = start()
    const entries = Array.from({ length: 100 }, (_, at) => entry(at))
    for (const one of entries) heap.push(one)
    for (const one of entries.slice(20)) heap.drop(one)
    heap.push(entry(-1))
    expect([heap.size, topAt()]).toEqual([21, -1])
    heap.pop(heap.peek())
    expect([heap.size, topAt()]).toEqual([20, 0])
  })
})
