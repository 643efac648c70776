import { describe, expect, it } from 'vitest'
import { TimerSequence, TimerService } from './TimerService.js'

const key = (text: string) => new TextEncoder().encode(text)
const service = (sequence = new TimerSequence()) => new TimerService(['event-time', 'processing-time'], 2, sequence)

describe('the counts of a timer service', () => {
  it('[T2] keeps domains and lanes apart', () => {
    const timers = service()
    timers.register('event-time', 0, key('a'), 5, undefined, false)
    timers.register('event-time', 1, key('a'), 5, undefined, false)
    timers.register('processing-time', 0, key('a'), 5, undefined, false)
    expect(timers.pending).toBe(3)
    expect(timers.takeDue('event-time', 0, 5)).toMatchObject({ at: 5 })
    expect(timers.takeDue('event-time', 0, 5)).toBeUndefined()
    expect(timers.peek('event-time', 1)).toMatchObject({ at: 5 })
    expect(timers.pending).toBe(2)
  })

  it('counts what is pending, fired, replaced and deleted, and nothing that changed nothing', () => {
    const timers = service()
    timers.register('event-time', 0, key('a'), 5, 'x', false)
    timers.register('event-time', 0, key('a'), 5, 'x', false)
    timers.register('event-time', 0, key('a'), 6, 'x', false)
    timers.register('event-time', 0, key('b'), 7, undefined, false)
    expect([timers.pending, timers.counts.replaced]).toEqual([2, 1])
    expect(timers.delete('event-time', 0, key('b'), 8, undefined)).toBeUndefined()
    expect(timers.takeDue('event-time', 0, 5)).toBeUndefined()
    expect(timers.pending).toBe(2)
    timers.delete('event-time', 0, key('b'), 7, undefined)
    timers.takeDue('event-time', 0, 6)
    expect(timers.pending).toBe(0)
    expect(timers.counts).toEqual({ fired: 1, replaced: 1, deleted: 1, splits: 0 })
  })

  it('[T5] numbers those that are due already, and only those', () => {
    const sequence = new TimerSequence()
    const timers = service(sequence)
    timers.register('event-time', 0, key('a'), 1, undefined, false)
    expect(sequence.upcoming).toBe(0)
    timers.register('event-time', 0, key('b'), 0, undefined, true)
    timers.register('event-time', 1, key('c'), 0, undefined, true)
    expect(sequence.upcoming).toBe(2)
    expect(timers.peek('event-time', 0)?.sequence).toBe(0)
    expect(timers.peek('event-time', 1)?.sequence).toBe(1)
    timers.takeDue('event-time', 0, 1)
    expect(timers.peek('event-time', 0)?.sequence).toBe(-1)
  })

  it('tells the earliest of a domain over all lanes, and how many are due, equality included', () => {
    const timers = service()
    expect(timers.earliest('event-time')).toBeUndefined()
    timers.register('event-time', 1, key('a'), 7, undefined, false)
    timers.register('event-time', 0, key('a'), 9, undefined, false)
    timers.register('processing-time', 0, key('a'), 1, undefined, false)
    expect(timers.earliest('event-time')).toBe(7)
    expect([6, 7, 8, 9].map((clock) => timers.countDue('event-time', clock))).toEqual([0, 1, 1, 2])
    expect(timers.inspect('event-time', 1, 5).map(({ at }) => at)).toEqual([7])
  })

  it('has no queue for a domain that is not declared, nor for a lane beyond', () => {
    const timers = new TimerService(['event-time'], 2, new TimerSequence())
    expect(() => timers.peek('processing-time', 0)).toThrow(/processing-time/)
    expect(() => timers.peek('event-time', 2)).toThrow(/lane 2/)
    expect(timers.earliest('processing-time')).toBeUndefined()
    expect(timers.countDue('processing-time', 9)).toBe(0)
  })
})
