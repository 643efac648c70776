import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareTimers, type PendingTimer, TimerQueue } from './TimerQueue.js'

const bytes = (...values: number[]) => Uint8Array.from(values)

function drain(queue: TimerQueue, clock: number): string[] {
  const fired: string[] = []
  for (let timer = queue.takeDue(clock); timer !== undefined; timer = queue.takeDue(clock)) {
    fired.push(`${timer.at}:${[...timer.keyBytes].join(',')}${timer.name === undefined ? '' : `#${timer.name}`}`)
  }
  return fired
}

describe('TimerQueue', () => {
  it('[T5] gives a timer at its time and not one millisecond before', () => {
    const queue = new TimerQueue()
    queue.register(bytes(1), 100, undefined, 0)
    expect(queue.takeDue(99)).toBeUndefined()
    expect(queue.takeDue(100)?.at).toBe(100)
    expect(queue.size).toBe(0)
  })

  it('[T5] orders by time, then key bytes as unsigned, then name with an unnamed one first', () => {
    const queue = new TimerQueue()
    queue.register(bytes(0x80), 5, undefined, 0)
    queue.register(bytes(0x7f), 5, 'b', 1)
    queue.register(bytes(0x7f), 5, 'a', 2)
    queue.register(bytes(0x7f), 5, undefined, 3)
    queue.register(bytes(0x7f, 0), 5, undefined, 4)
    queue.register(bytes(0xff), 4, undefined, 5)
    expect(drain(queue, 5)).toEqual(['4:255', '5:127', '5:127#a', '5:127#b', '5:127,0', '5:128'])
  })

  it('[T2] keeps one unnamed timer per key and time, and several times per key', () => {
    const queue = new TimerQueue()
    expect(queue.register(bytes(1), 5, undefined, 0)).toEqual({ outcome: 'added' })
    expect(queue.register(bytes(1), 5, undefined, 1)).toEqual({ outcome: 'unchanged' })
    expect(queue.register(bytes(1), 6, undefined, 2)).toEqual({ outcome: 'added' })
    expect(drain(queue, 10)).toEqual(['5:1', '6:1'])
  })

  it('[T2] moves a named timer, later or earlier, and tells where it was', () => {
    const queue = new TimerQueue()
    queue.register(bytes(1), 5, 'x', 0)
    expect(queue.register(bytes(1), 9, 'x', 1)).toEqual({ outcome: 'replaced', previousAt: 5 })
    expect(queue.size).toBe(1)
    expect(queue.takeDue(8)).toBeUndefined()
    expect(queue.register(bytes(1), 3, 'x', 2)).toEqual({ outcome: 'replaced', previousAt: 9 })
    expect(drain(queue, 100)).toEqual(['3:1#x'])
  })

  it('[T2] tells names, times and keys apart', () => {
    const queue = new TimerQueue()
    queue.register(bytes(1), 5, 'x', 0)
    queue.register(bytes(1), 5, 'y', 1)
    queue.register(bytes(2), 5, 'x', 2)
    queue.register(bytes(1), 5, undefined, 3)
    expect(queue.size).toBe(4)
  })

  it('[T6] does not fire a timer that was deleted or moved away before its turn', () => {
    const queue = new TimerQueue()
    queue.register(bytes(1), 5, undefined, 0)
    queue.register(bytes(2), 5, 'x', 1)
    expect(queue.delete(bytes(1), 5, undefined)?.at).toBe(5)
    queue.register(bytes(2), 50, 'x', 2)
    expect(queue.peek()?.at).toBe(50)
    expect(drain(queue, 10)).toEqual([])
    expect(queue.size).toBe(1)
  })

  it('deletes a named timer without knowing its time, and nothing when there is none', () => {
    const queue = new TimerQueue()
    queue.register(bytes(1), 5, 'x', 0)
    expect(queue.delete(bytes(1), 0, 'y')).toBeUndefined()
    expect(queue.delete(bytes(1), 5, undefined)).toBeUndefined()
    expect(queue.delete(bytes(1), 0, 'x')?.at).toBe(5)
    expect(queue.size).toBe(0)
  })

  it('counts what would be due, inclusive of the clock', () => {
    const queue = new TimerQueue()
    for (const at of [1, 2, 3]) queue.register(bytes(at), at, undefined, at)
    expect([0, 1, 2, 3, 9].map((clock) => queue.countDue(clock))).toEqual([0, 1, 2, 3, 3])
  })

  it('lists the earliest in firing order', () => {
    const queue = new TimerQueue()
    for (const at of [7, 3, 5]) queue.register(bytes(at), at, undefined, at)
    expect(queue.earliest(2).map((timer) => timer.at)).toEqual([3, 5])
    expect(queue.earliest(0)).toEqual([])
  })

  it('agrees with a sorted list under any mix of register, replace, delete and fire', () => {
    const step = fc.record({
      what: fc.constantFrom('register', 'delete', 'fire'),
      key: fc.integer({ min: 0, max: 5 }),
      at: fc.integer({ min: 0, max: 20 }),
      name: fc.constantFrom(undefined, 'a', 'b'),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
        const queue = new TimerQueue()
        let model: PendingTimer[] = []
        const same = (timer: PendingTimer, key: number, at: number, name: string | undefined) =>
          timer.keyBytes[0] === key && timer.name === name && (name !== undefined || timer.at === at)
        steps.forEach(({ what, key, at, name }, sequence) => {
          if (what === 'register') {
            model = model.filter((timer) => !same(timer, key, at, name))
            model.push({ keyBytes: bytes(key), at, name, sequence })
            queue.register(bytes(key), at, name, sequence)
          } else if (what === 'delete') {
            model = model.filter((timer) => !same(timer, key, at, name))
            queue.delete(bytes(key), at, name)
          } else {
            model.sort(compareTimers)
            const due = model[0] !== undefined && model[0].at <= at ? model.shift() : undefined
            const taken = queue.takeDue(at)
            expect(taken && [taken.at, taken.keyBytes[0], taken.name]).toEqual(
              due && [due.at, due.keyBytes[0], due.name],
            )
          }
          expect(queue.size).toBe(model.length)
        })
      }),
    )
  })

  it('shows the earliest of many in firing order, and counts those that are due, past what is gone', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({ key: fc.integer({ min: 0, max: 9 }), at: fc.integer({ min: 0, max: 99 }), gone: fc.boolean() }),
          {
            minLength: 1,
            maxLength: 80,
          },
        ),
        fc.integer({ min: 0, max: 9 }),
        fc.integer({ min: -1, max: 100 }),
        (timers, limit, clock) => {
          const queue = new TimerQueue()
          for (const { key, at } of timers) queue.register(Uint8Array.of(key), at, undefined, -1)
          for (const { key, at, gone } of timers) if (gone) queue.delete(Uint8Array.of(key), at, undefined)
          const gone = new Set(timers.filter((timer) => timer.gone).map(({ key, at }) => `${key}@${at}`))
          const left = [...new Map(timers.map((timer) => [`${timer.key}@${timer.at}`, timer])).entries()]
            .filter(([id]) => !gone.has(id))
            .map(([, timer]) => timer)
            .sort((a, b) => a.at - b.at || a.key - b.key)
          expect(queue.earliest(limit).map(({ keyBytes, at }) => [keyBytes[0], at])).toEqual(
            left.slice(0, limit).map(({ key, at }) => [key, at]),
          )
          expect(queue.earliest(1000)).toHaveLength(left.length)
          expect(queue.countDue(clock)).toBe(left.filter(({ at }) => at <= clock).length)
        },
      ),
    )
  })

  it('[T2] tells a name from a time, whatever the name and the key', () => {
    const queue = new TimerQueue()
    const key = (text: string) => new TextEncoder().encode(text)
    queue.register(key('a'), 5, undefined, -1)
    queue.register(key('5:a'), 5, '', -1)
    queue.register(key('a'), 5, '5:', -1)
    queue.register(key('aa'), 5, 'b', -1)
    queue.register(key('a'), 5, 'ba', -1)
    expect(queue.size).toBe(5)
  })
})
