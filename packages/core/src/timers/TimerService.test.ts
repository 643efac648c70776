import { describe, expect, it } from 'vitest'
import { EpochByteStore } from '../state/epoch/EpochByteStore.js'
import { MemoryByteStore } from '../state/MemoryByteStore.js'
import { createTimerQueue, type TimerBackend } from './createTimerQueue.js'
import { StoredTimers } from './StoredTimers.js'
import { TimerSequence, TimerService } from './TimerService.js'

const key = (value: number) => Uint8Array.of(value)

function attached(backend: TimerBackend) {
  const store = new EpochByteStore('timers', new MemoryByteStore(), () => 1)
  const stored = new StoredTimers(store, 1)
  const service = new TimerService(['event-time', 'processing-time'], 3, new TimerSequence())
  service.attach((domain, lane) => createTimerQueue(backend, stored.lane(domain, lane)))
  return { store, stored, service }
}

describe('stored timers', () => {
  it.each(['heap', 'persistent', 'hybrid'] as const)('[T8] %s: are found again by another service', (backend) => {
    const { stored, service } = attached(backend)
    service.register('event-time', 0, key(1), 10, undefined, false)
    service.register('event-time', 2, key(2), 20, 'x', false)
    service.register('processing-time', 2, key(2), 5, 'x', true)
    const next = new TimerService(['event-time', 'processing-time'], 3, new TimerSequence())
    next.attach((domain, lane) => createTimerQueue(backend, stored.lane(domain, lane)))
    expect([next.pending, next.earliest('event-time'), next.earliest('processing-time')]).toEqual([3, 10, 5])
    expect(next.countDue('event-time', 20)).toBe(2)
    expect(next.takeDue('event-time', 2, 20)?.name).toBe('x')
    expect([next.pending, next.counts.fired]).toEqual([2, 1])
  })

  it.each(['heap', 'persistent', 'hybrid'] as const)(
    '[T8] %s: an abort takes back what was done, in numbers too',
    (backend) => {
      const { store, service } = attached(backend)
      service.register('event-time', 1, key(1), 10, undefined, false)
      expect(service.pending).toBe(1)
      store.abort()
      service.reload()
      expect([service.pending, service.peek('event-time', 1), service.earliest('event-time')]).toEqual([
        0,
        undefined,
        undefined,
      ])
    },
  )

  it('[T5] numbers only what is due when it is registered', () => {
    const { service } = attached('hybrid')
    service.register('event-time', 0, key(1), 10, undefined, false)
    service.register('event-time', 0, key(2), 5, undefined, true)
    service.register('event-time', 0, key(3), 6, undefined, true)
    expect(service.inspect('event-time', 0, 9).map((timer) => timer.sequence)).toEqual([0, 1, -1])
  })
})

describe('a service without a store', () => {
  it('[T10] keeps its timers on the heap, and reloading changes nothing', () => {
    const service = new TimerService(['event-time'], 2, new TimerSequence())
    service.register('event-time', 1, key(1), 10, undefined, false)
    service.reload()
    expect([service.pending, service.peek('event-time', 1)?.at]).toEqual([1, 10])
    expect(() => service.peek('event-time', 2)).toThrow('No timer queue for domain event-time on lane 2')
    expect(() => service.peek('processing-time', 0)).toThrow('processing-time')
  })

  it('counts what is pending, moved, deleted and fired', () => {
    const service = new TimerService(['event-time'], 1, new TimerSequence())
    service.register('event-time', 0, key(1), 10, 'x', false)
    service.register('event-time', 0, key(1), 10, 'x', false)
    service.register('event-time', 0, key(1), 11, 'x', false)
    service.register('event-time', 0, key(2), 12, undefined, false)
    service.register('event-time', 0, key(3), 13, undefined, false)
    expect(service.delete('event-time', 0, key(9), 1, undefined)).toBeUndefined()
    service.delete('event-time', 0, key(3), 13, undefined)
    expect(service.takeDue('event-time', 0, 10)).toBeUndefined()
    expect(service.takeDue('event-time', 0, 11)?.name).toBe('x')
    expect([service.pending, service.counts]).toEqual([1, { fired: 1, replaced: 1, deleted: 1, splits: 0 }])
  })
})
