import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PendingTimerQueue } from '../src/timers/PendingTimerQueue.js'
import { compareTimers, type PendingTimer } from '../src/timers/TimerQueue.js'

export interface QueueUnderTest {
  readonly queue: PendingTimerQueue
  /** Does to the queue what must make no difference to it: a commit, a reload. */
  disturb?(): void
}

const bytes = (...values: number[]) => Uint8Array.from(values)
const text = ({ at, keyBytes, name }: PendingTimer) =>
  `${at}:${[...keyBytes].join(',')}${name === undefined ? '' : `#${name}`}`

function drain(queue: PendingTimerQueue, clock: number): string[] {
  const fired: string[] = []
  for (let timer = queue.takeDue(clock); timer !== undefined; timer = queue.takeDue(clock)) fired.push(text(timer))
  return fired
}

/** What every queue of pending timers must do, whatever it holds in memory (T10). */
export function timerQueueContract(title: string, create: () => QueueUnderTest): void {
  const start = () => create().queue

  describe(`${title}: firing`, () => {
    it('[T5] gives a timer at its time and not one millisecond before', () => {
      const queue = start()
      queue.register(bytes(1), 100, undefined, 7)
      expect(queue.takeDue(99)).toBeUndefined()
      expect(queue.size).toBe(1)
      expect(queue.takeDue(100)).toMatchObject({ at: 100, keyBytes: bytes(1), name: undefined, sequence: 7 })
      expect([queue.size, queue.takeDue(100), queue.peek()]).toEqual([0, undefined, undefined])
    })

    it('[T5] orders by time, then key bytes as unsigned, then name with an unnamed one first', () => {
      const queue = start()
      queue.register(bytes(0x80), 5, undefined, 0)
      queue.register(bytes(0x7f), 5, 'b', 1)
      queue.register(bytes(0x7f), 5, 'a', 2)
      queue.register(bytes(0x7f), 5, 'a\u0000', 2)
      queue.register(bytes(0x7f), 5, '', 2)
      queue.register(bytes(0x7f), 5, undefined, 3)
      queue.register(bytes(0x7f, 0), 5, undefined, 4)
      queue.register(bytes(0x7f, 1), 5, undefined, 4)
      queue.register(bytes(), 5, 'z', 4)
      queue.register(bytes(0xff), 4, undefined, 5)
      const order = ['4:255', '5:#z', '5:127', '5:127#', '5:127#a', '5:127#a\u0000', '5:127#b', '5:127,0', '5:127,1']
      expect(drain(queue, 5)).toEqual([...order, '5:128'])
    })

    it('[T5] keeps the times 0 and 2^53−1', () => {
      const queue = start()
      queue.register(bytes(1), Number.MAX_SAFE_INTEGER, undefined, 0)
      queue.register(bytes(1), 0, 'x', 1)
      expect(queue.countDue(Number.MAX_SAFE_INTEGER)).toBe(2)
      expect(queue.takeDue(-1)).toBeUndefined()
      expect(queue.takeDue(0)?.at).toBe(0)
      expect(queue.takeDue(Number.MAX_SAFE_INTEGER - 1)).toBeUndefined()
      expect(queue.takeDue(Number.MAX_SAFE_INTEGER)?.at).toBe(Number.MAX_SAFE_INTEGER)
    })

    it('[T5] fires what is registered for a time already past before what comes later', () => {
      const queue = start()
      queue.register(bytes(1), 500_000, undefined, -1)
      queue.register(bytes(2), 600_000, undefined, -1)
      expect(queue.takeDue(550_000)?.at).toBe(500_000)
      queue.register(bytes(3), 10, undefined, 0)
      expect(queue.peek()?.at).toBe(10)
      expect(drain(queue, 600_000)).toEqual(['10:3', '600000:2'])
    })

    it('[T5] looks at the next timer far ahead without taking it', () => {
      const queue = start()
      queue.register(bytes(1), 1e12, undefined, 0)
      queue.register(bytes(2), 2e12, undefined, 1)
      expect(queue.takeDue(5)).toBeUndefined()
      expect(queue.peek()?.at).toBe(1e12)
      expect(queue.delete(bytes(1), 1e12, undefined)).toBeDefined()
      expect(queue.peek()?.at).toBe(2e12)
      expect(drain(queue, 2e12)).toEqual(['2000000000000:2'])
    })
  })

  describe(`${title}: identity`, () => {
    it('[T2] keeps one unnamed timer per key and time, and several times per key', () => {
      const queue = start()
      expect(queue.register(bytes(1), 5, undefined, 0)).toEqual({ outcome: 'added' })
      expect(queue.register(bytes(1), 5, undefined, 1)).toEqual({ outcome: 'unchanged' })
      expect(queue.register(bytes(1), 6, undefined, 2)).toEqual({ outcome: 'added' })
      expect(queue.size).toBe(2)
      expect(queue.takeDue(5)?.sequence).toBe(0)
      expect(drain(queue, 10)).toEqual(['6:1'])
    })

    it('[T2] moves a named timer, later or earlier, near or far, and tells where it was', () => {
      const queue = start()
      queue.register(bytes(1), 5, 'x', 0)
      queue.takeDue(0)
      expect(queue.register(bytes(1), 1e9, 'x', 1)).toEqual({ outcome: 'replaced', previousAt: 5 })
      expect(queue.register(bytes(1), 1e9, 'x', 1)).toEqual({ outcome: 'unchanged' })
      expect([queue.size, queue.takeDue(8)]).toEqual([1, undefined])
      expect(queue.register(bytes(1), 3, 'x', 2)).toEqual({ outcome: 'replaced', previousAt: 1e9 })
      expect([queue.size, queue.peek()?.sequence]).toEqual([1, 2])
      expect(drain(queue, 2e9)).toEqual(['3:1#x'])
    })

    it('[T2] tells names, times and keys apart', () => {
      const queue = start()
      queue.register(bytes(1), 5, 'x', 0)
      queue.register(bytes(1), 5, 'y', 1)
      queue.register(bytes(2), 5, 'x', 2)
      queue.register(bytes(1), 5, undefined, 3)
      queue.register(bytes(1), 5, '', 4)
      expect(queue.size).toBe(5)
    })

    it('[T6] does not fire a timer that was deleted or moved away before its turn', () => {
      const queue = start()
      queue.register(bytes(1), 5, undefined, 0)
      queue.register(bytes(2), 5, 'x', 1)
      queue.register(bytes(3), 5, undefined, 1)
      expect(queue.takeDue(4)).toBeUndefined()
      expect(queue.delete(bytes(1), 5, undefined)?.at).toBe(5)
      queue.register(bytes(2), 1e9, 'x', 2)
      expect(drain(queue, 10)).toEqual(['5:3'])
      expect([queue.size, queue.peek()?.at]).toEqual([1, 1e9])
    })

    it('[T2] deletes a named timer without knowing its time, and nothing when there is none', () => {
      const queue = start()
      queue.register(bytes(1), 5, 'x', 3)
      expect(queue.delete(bytes(1), 0, 'y')).toBeUndefined()
      expect(queue.delete(bytes(1), 5, undefined)).toBeUndefined()
      expect(queue.delete(bytes(1), 6, undefined)).toBeUndefined()
      expect(queue.delete(bytes(2), 5, 'x')).toBeUndefined()
      expect(queue.delete(bytes(1), 0, 'x')).toMatchObject({ at: 5, name: 'x', keyBytes: bytes(1), sequence: 3 })
      expect([queue.size, queue.delete(bytes(1), 0, 'x'), queue.takeDue(9)]).toEqual([0, undefined, undefined])
    })
  })

  describe(`${title}: looking`, () => {
    it('counts what would be due, inclusive of the clock', () => {
      const queue = start()
      for (const at of [1, 2, 3, 1e9]) queue.register(bytes(at & 0xff), at, undefined, at)
      expect([-1, 0, 1, 1.5, 2, 3, 9, 1e9].map((clock) => queue.countDue(clock))).toEqual([0, 0, 1, 1, 2, 3, 3, 4])
      queue.takeDue(1)
      expect([1, 2].map((clock) => queue.countDue(clock))).toEqual([0, 1])
    })

    it('lists the earliest in firing order', () => {
      const queue = start()
      expect(queue.earliest(3)).toEqual([])
      for (const at of [7, 3, 1e9, 5]) queue.register(bytes(at & 0xff), at, undefined, at)
      queue.takeDue(2)
      expect(queue.earliest(2).map((timer) => timer.at)).toEqual([3, 5])
      expect(queue.earliest(9).map((timer) => timer.at)).toEqual([3, 5, 7, 1e9])
      expect(queue.earliest(0)).toEqual([])
    })
  })

  const step = fc.record({
    what: fc.constantFrom('register', 'register', 'delete', 'fire', 'disturb'),
    key: fc.constantFrom(bytes(), bytes(0), bytes(0, 0), bytes(0, 1), bytes(1), bytes(0xff), bytes(1, 0xff)),
    // Times on both sides of every horizon.
    at: fc.oneof(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 300_000 })),
    name: fc.constantFrom(undefined, undefined, 'a', 'b'),
    elapsed: fc.constantFrom(0, 1, 5, 1_000, 30_000, 100_000),
  })

  it(`[T2] [T5] [T10] ${title}: agrees with a sorted list under any mix of calls, while the clock moves`, () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
        const { queue, ...under } = create()
        let model: PendingTimer[] = []
        let clock = 0
        const same = (timer: PendingTimer, key: Uint8Array, at: number, name: string | undefined) =>
          timer.keyBytes.join() === key.join() && timer.name === name && (name !== undefined || timer.at === at)
        steps.forEach(({ what, key, at, name, elapsed }, sequence) => {
          if (what === 'disturb') under.disturb?.()
          const known = model.find((timer) => same(timer, key, at, name))
          if (what === 'register') {
            const expected = known === undefined ? 'added' : known.at === at ? 'unchanged' : 'replaced'
            expect(queue.register(key, at, name, sequence).outcome).toBe(expected)
            if (expected !== 'unchanged') {
              model = [...model.filter((timer) => timer !== known), { keyBytes: key, at, name, sequence }]
              model.sort(compareTimers)
            }
          } else if (what === 'delete') {
            model = model.filter((timer) => timer !== known)
            expect(plain(queue.delete(key, at, name))).toEqual(plain(known))
          } else if (what === 'fire') {
            clock += elapsed
            const due = model[0] !== undefined && model[0].at <= clock ? model.shift() : undefined
            expect(plain(queue.takeDue(clock))).toEqual(plain(due))
          }
          expect(queue.size).toBe(model.length)
          expect(plain(queue.peek())).toEqual(plain(model[0]))
        })
        expect(queue.countDue(clock)).toBe(model.filter((timer) => timer.at <= clock).length)
        expect(queue.earliest(5).map(plain)).toEqual(model.slice(0, 5).map(plain))
        expect(drain(queue, 1e6)).toEqual(model.map(text))
      }),
    )
  })

  it(`[T10] ${title}: fires thousands in order, those for the past registered in between`, () => {
    const { queue } = create()
    for (let i = 0; i < 3_000; i++) queue.register(bytes(i >> 8, i & 0xff), (i * 7919) % 200_000, undefined, -1)
    let fired = 0
    let last: PendingTimer | undefined
    for (let clock = 0; clock <= 200_000; clock += 1_000) {
      for (let timer = queue.takeDue(clock); timer !== undefined; timer = queue.takeDue(clock)) {
        expect(last === undefined || compareTimers(last, timer) <= 0, `${clock}`).toBe(true)
        last = timer
        if (++fired % 10 === 0) queue.register(timer.keyBytes, clock, 'again', fired)
      }
    }
    expect(queue.size).toBe(0)
    expect(fired).toBeGreaterThan(3_200)
  })
}

/** Queues may hang facts of their own on a timer. */
function plain(timer: PendingTimer | undefined): unknown {
  return timer && { at: timer.at, key: timer.keyBytes.join(), name: timer.name, sequence: timer.sequence }
}
