import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareTimers } from './PendingTimer.js'
import { NOT_STORED, TimerEntry } from './TimerEntry.js'
import { TimerHeap } from './TimerHeap.js'

const entry = (at: number, key = 0) => new TimerEntry(Uint8Array.of(key), at, undefined, -1, 0, NOT_STORED)

function drain(heap: TimerHeap): TimerEntry[] {
  const drained: TimerEntry[] = []
  for (let top = heap.peek(); top !== undefined; top = heap.peek()) {
    heap.pop(top)
    drained.push(top)
  }
  return drained
}

describe('the heap of timers', () => {
  it('[T5] gives what is left in firing order, however many are dropped, and counts it', () => {
    const timers = fc.array(
      fc.record({ at: fc.oneof(fc.nat(60), fc.nat(1_000)), key: fc.nat(255), dropped: fc.boolean() }),
      { minLength: 60, maxLength: 260 },
    )
    fc.assert(
      fc.property(timers, fc.boolean(), (made, nearlyAll) => {
        const heap = new TimerHeap()
        const entries = made.map(({ at, key }) => entry(at, key))
        for (const one of entries) heap.push(one)
        const isDropped = (at: number) => made[at]?.dropped === true || (nearlyAll && at % 8 !== 0)
        const left = entries.filter((_, at) => !isDropped(at)).sort(compareTimers)
        for (const [at, one] of entries.entries()) if (isDropped(at)) heap.drop(one)
        expect(heap.size).toBe(left.length)
        expect(heap.countDue(30)).toBe(left.filter(({ at }) => at <= 30).length)
        const text = ({ at, keyBytes }: TimerEntry) => `${at}:${keyBytes[0]}`
        expect(heap.earliest(3).map(text)).toEqual(left.slice(0, 3).map(text))
        expect(drain(heap).map(text)).toEqual(left.map(text))
        expect(heap.size).toBe(0)
      }),
    )
  })

  it.each([1, 2, 5, 6, 9, 10, 33, 34])('[T5] sweeps husks and stands in order with %i left', (count) => {
    const heap = new TimerHeap()
    const husks = Array.from({ length: 200 }, (_, at) => entry(at))
    const living = Array.from({ length: count }, (_, at) => entry(1_000 - at))
    for (const one of [...husks.slice(0, 100), ...living, ...husks.slice(100)]) heap.push(one)
    for (const one of husks) heap.drop(one)
    expect(heap.size).toBe(count)
    expect(drain(heap).map(({ at }) => at)).toEqual(living.map(({ at }) => at).reverse())
  })

  it('[T5] stands in order to its last entries after a sweep', () => {
    // The husks are the parents: what is swept together stands in no order at all.
    for (let count = 36; count < 60; count++) {
      const heap = new TimerHeap()
      const husks = Array.from({ length: count + 1 }, (_, at) => entry(at))
      const living = Array.from({ length: count }, (_, at) => entry(1_000 + ((at * 37) % count)))
      for (const one of [...husks, ...living]) heap.push(one)
      for (const one of husks) heap.drop(one)
      expect(drain(heap).map(({ at }) => at)).toEqual(living.map(({ at }) => at).sort((a, b) => a - b))
    }
  })

  it('counts on after a sweep', () => {
    const heap = new TimerHeap()
    const entries = Array.from({ length: 100 }, (_, at) => entry(at))
    for (const one of entries) heap.push(one)
    for (const one of entries.slice(20)) heap.drop(one)
    heap.push(entry(-1))
    expect([heap.size, heap.peek()?.at]).toEqual([21, -1])
    heap.pop(heap.peek() as TimerEntry)
    expect([heap.size, heap.peek()?.at]).toEqual([20, 0])
  })
})
