import { describe, expect, it } from 'vitest'
import { timerQueueContract } from '../../test/timerQueueContract.js'
import { EpochByteStore } from '../state/epoch/EpochByteStore.js'
import { MemoryByteStore } from '../state/MemoryByteStore.js'
import { createTimerQueue, type TimerBackend } from './createTimerQueue.js'
import type { PendingTimerQueue } from './PendingTimerQueue.js'
import type { StoredLaneTimers } from './StoredLaneTimers.js'
import { StoredTimers } from './StoredTimers.js'
import { TimerQueue } from './TimerQueue.js'

timerQueueContract('heap alone', () => ({ queue: new TimerQueue() }))

for (const backend of ['heap', 'persistent', 'hybrid'] as const) {
  timerQueueContract(`${backend} over a store, reloaded now and then`, () => {
    const stored = new StoredTimers(new MemoryByteStore(), 1)
    const queue = createTimerQueue(backend, stored.lane('event-time', 0))
    const disturb = () => {
      stored.flush()
      queue.reload()
    }
    return { queue, disturb }
  })
}

for (const backend of ['heap', 'persistent', 'hybrid'] as const) {
  timerQueueContract(`${backend} over a store, flushed now and then`, () => {
    const stored = new StoredTimers(new MemoryByteStore(), 1)
    return {
      queue: createTimerQueue(backend, stored.lane('event-time', 0)),
      disturb: () => stored.flush(),
    }
  })
}

timerQueueContract('hybrid that holds very little', () => {
  const queue = new StoredTimers(new MemoryByteStore(), 1).lane('event-time', 3).hold({ aheadMs: 10, limit: 4 })
  return { queue, disturb: () => queue.flush() }
})

for (const backend of ['persistent', 'hybrid'] as const) {
  timerQueueContract(`${backend} over epochs that commit`, () => {
    let epoch = 1
    const base = new MemoryByteStore()
    const store = new EpochByteStore('timers', base, () => epoch)
    const stored = new StoredTimers(store, 1)
    const queue = createTimerQueue(backend, stored.lane('processing-time', 0))
    const disturb = () => {
      stored.flush()
      commit(store, base, epoch++)
    }
    return { queue, disturb }
  })
}

/** What a state backend does when an epoch is known to be committed. */
function commit(store: EpochByteStore, base: MemoryByteStore, epoch: number): void {
  const layer = store.layerOf(epoch)
  if (layer?.cleared === true) base.clear()
  for (const [stored, value] of layer ?? []) {
    if (value === undefined) base.delete(stored)
    else base.put(stored, value)
  }
  store.settle(epoch)
}

const minute = { aheadMs: 60_000, limit: 65_536 }

/** A lane whose store holds so many timers, and of which nothing is in memory. */
function laneWith(count: number, spacingMs = 1): StoredLaneTimers {
  const lane = new StoredTimers(new MemoryByteStore(), 1).lane('event-time', 0)
  for (let i = 0; i < count; i++) lane.register(key(i), i * spacingMs, undefined, -1)
  lane.flush()
  lane.reload()
  return lane
}

const key = (number: number) => Uint8Array.of(number >> 16, (number >> 8) & 0xff, number & 0xff)

describe('memory', () => {
  const fill = (count: number, spacingMs: number, backend: TimerBackend) => {
    const lane = laneWith(count, spacingMs)
    createTimerQueue(backend, lane)
    return lane
  }

  it('[T10] hybrid holds the timers of the next 60 s, and a read-ahead of 64', () => {
    const queue = fill(10_000, 100, 'hybrid')
    for (let clock = 0; clock <= 500_000; clock += 500) {
      while (queue.takeDue(clock) !== undefined);
      queue.flush()
      expect(queue.held).toBeLessThanOrEqual(601 + 64)
    }
    expect(queue.size).toBe(10_000 - 5_001)
    expect(queue.held).toBeGreaterThan(300)
  })

  it('[T10] hybrid keeps what is registered beyond the horizon off the heap', () => {
    const queue = fill(0, 1, 'hybrid')
    queue.takeDue(1_000)
    for (let i = 0; i < 1_000; i++) queue.register(key(i), 61_001 + i, undefined, -1)
    expect(queue.held).toBe(1_000)
    queue.flush()
    expect(queue.held).toBeLessThanOrEqual(128)
    queue.register(key(1), 61_000, undefined, -1)
    queue.register(key(2), 61_000, undefined, -1)
    expect(queue.peek()?.at).toBe(61_000)
    expect(queue.size).toBe(1_002)
  })

  it('[T10] hybrid does not take in everything when the clock leaps', () => {
    const queue = laneWith(2_000).hold({ aheadMs: 60_000, limit: 100 })
    for (let i = 0; i < 2_000; i++) {
      expect(queue.takeDue(1e9)?.at).toBe(i)
      queue.flush()
      expect(queue.held).toBeLessThanOrEqual(100 + 64)
    }
    expect(queue.takeDue(1e9)).toBeUndefined()
  })

  it('[T10] persistent holds a read-ahead and no more beside what is not flushed, whatever is registered', () => {
    const queue = fill(5_000, 1, 'persistent')
    let most = 0
    for (let i = 0; i < 5_000; i++) {
      expect(queue.takeDue(i)?.at).toBe(i)
      queue.register(key(i), i, 'past', 0)
      queue.register(key(i), i + 20_000, undefined, -1)
      expect(queue.takeDue(i)?.name).toBe('past')
      queue.flush()
      most = Math.max(most, queue.held)
    }
    expect(most).toBeLessThanOrEqual(128)
    expect(queue.size).toBe(5_000)
  })

  it('[T10] heap holds all', () => {
    const queue = fill(1_000, 1_000_000, 'heap')
    expect(queue.takeDue(-1)).toBeUndefined()
    expect(queue.held).toBe(1_000)
  })
})

describe('where memory and store meet', () => {
  const drain = (queue: PendingTimerQueue) => {
    const times: number[] = []
    for (let timer = queue.takeDue(1e6); timer !== undefined; timer = queue.takeDue(1e6)) times.push(timer.at)
    return times
  }
  const upTo = (count: number) => Array.from({ length: count }, (_, at) => at)

  it('[T2] knows the last of those in memory when it was deleted and is there again', () => {
    const queue = laneWith(3).hold({ aheadMs: 60_000, limit: 2 })
    expect(queue.takeDue(-1)).toBeUndefined()
    for (const number of [1, 0]) {
      queue.delete(key(number), number, undefined)
      queue.register(key(number), number, undefined, -1)
      queue.flush()
      expect(queue.register(key(number), number, undefined, -1)).toEqual({ outcome: 'unchanged' })
    }
    expect(queue.register(key(2), 2, undefined, -1)).toEqual({ outcome: 'unchanged' })
    expect([queue.size, drain(queue)]).toEqual([3, [0, 1, 2]])
  })

  it.each([62, 63, 64])(
    '[T6] fires one that was deleted and stored again where reading ahead has ended: %i',
    (number) => {
      const queue = laneWith(100).hold({ aheadMs: Number.NEGATIVE_INFINITY, limit: 0 })
      expect(queue.peek()?.at).toBe(0)
      queue.delete(key(number), number, undefined)
      queue.flush()
      queue.register(key(number), number, undefined, -1)
      queue.flush()
      expect([queue.size, drain(queue)]).toEqual([100, upTo(100)])
    },
  )

  it.each([10, 70, 125, 127, 129, 300])(
    '[T5] fires one at %i in its place, after it has let go of what it had read',
    (at) => {
      const queue = laneWith(10, 2).hold({ aheadMs: Number.NEGATIVE_INFINITY, limit: 0 })
      expect(queue.peek()?.at).toBe(0)
      for (let i = 10; i < 210; i++) queue.register(key(i), 2 * i, undefined, -1)
      queue.flush()
      queue.register(key(0), at + 1, undefined, -1)
      queue.flush()
      const expected = [...upTo(210).map((i) => 2 * i), at + 1].sort((a, b) => a - b)
      expect([queue.size, drain(queue)]).toEqual([211, expected])
    },
  )

  it.each([1, 63, 64, 118, 119, 200])('[T5] fires %i that were stored behind all that it had read', (more) => {
    const queue = laneWith(10).hold({ aheadMs: Number.NEGATIVE_INFINITY, limit: 0 })
    expect(queue.peek()?.at).toBe(0)
    for (let i = 10; i < 10 + more; i++) queue.register(key(i), i, undefined, -1)
    queue.flush()
    expect(queue.held).toBeLessThanOrEqual(128)
    expect([queue.size, drain(queue)]).toEqual([10 + more, upTo(10 + more)])
  })

  it.each([60_999, 61_000, 61_001])(
    '[T6] hybrid forgets a timer at the horizon of 61,000 that is deleted: %i',
    (at) => {
      const queue = laneWith(0).hold(minute)
      queue.register(key(1), at, undefined, -1)
      queue.flush()
      queue.takeDue(1_000)
      expect(queue.delete(key(1), at, undefined)?.at).toBe(at)
      queue.flush()
      expect([queue.peek(), queue.held]).toEqual([undefined, 0])
    },
  )

  it('[T6] hybrid forgets the last timer that a limited refill brought', () => {
    const queue = laneWith(3).hold({ aheadMs: 60_000, limit: 1 })
    expect(queue.takeDue(-1)).toBeUndefined()
    queue.delete(key(0), 0, undefined)
    expect(drain(queue)).toEqual([1, 2])
  })

  it.each([62, 63, 64, 65])(
    '[T5] persistent finds a timer again that was deleted and made where its read-ahead ends: %i',
    (at) => {
      const queue = laneWith(200)
      expect(queue.takeDue(0)?.at).toBe(0)
      queue.delete(key(at), at, undefined)
      queue.register(key(at), at, undefined, 0)
      expect(drain(queue)).toEqual(upTo(200).slice(1))
    },
  )

  it.each([128, 129, 130, 500])(
    '[T5] persistent gives each of %i once that are registered after it was found empty',
    (count) => {
      const queue = laneWith(0)
      expect(queue.peek()).toBeUndefined()
      const evenFirst = upTo(count).sort((a, b) => (a % 2) - (b % 2) || b - a)
      for (const at of evenFirst) {
        queue.register(key(at), at, undefined, -1)
        queue.flush()
      }
      expect(queue.held).toBeLessThanOrEqual(128)
      expect(drain(queue)).toEqual(upTo(count))
    },
  )
})

describe('cost', () => {
  /** Counts what is asked of the store; an entry read counts like a call. */
  class CountingStore extends MemoryByteStore {
    calls = 0
    override get(bytes: Uint8Array) {
      this.calls++
      return super.get(bytes)
    }
    override put(bytes: Uint8Array, value: Uint8Array) {
      this.calls++
      return super.put(bytes, value)
    }
    override set(bytes: Uint8Array, value: Uint8Array) {
      this.calls++
      super.set(bytes, value)
    }
    override delete(bytes: Uint8Array) {
      this.calls++
      return super.delete(bytes)
    }
    override remove(bytes: Uint8Array) {
      this.calls++
      super.remove(bytes)
    }
    override *range(range = {}) {
      this.calls++
      for (const entry of super.range(range)) {
        this.calls++
        yield entry
      }
    }
  }

  it.each(['heap', 'persistent', 'hybrid'] as const)(
    '[T10] %s asks the store as often with many timers as with few',
    (backend) => {
      const callsPerTimer = (count: number) => {
        const store = new CountingStore()
        const queue = createTimerQueue(backend, new StoredTimers(store, 1).lane('event-time', 0))
        for (let i = 0; i < count; i++) queue.register(key(i), 1_000 + ((i * 7919) % 100_000), undefined, -1)
        for (let clock = 0; clock <= 101_000; clock += 500) while (queue.takeDue(clock) !== undefined);
        expect(queue.size).toBe(0)
        return store.calls / count
      }
      expect(callsPerTimer(20_000)).toBeLessThan(callsPerTimer(500) + 1)
      expect(callsPerTimer(20_000)).toBeLessThan(4)
    },
  )

  it.each(['persistent', 'hybrid'] as const)(
    '[E2] %s does not pass over what an epoch has fired again and again',
    (backend) => {
      const base = new CountingStore()
      const store = new EpochByteStore('timers', base, () => 1)
      const queue = createTimerQueue(backend, new StoredTimers(store, 1).lane('event-time', 0))
      for (let i = 0; i < 5_000; i++) queue.register(key(i), i, undefined, -1)
      commit(store, base, 1)
      base.calls = 0
      while (queue.takeDue(5_000) !== undefined) queue.peek()
      expect(queue.size).toBe(0)
      expect(base.calls / 5_000).toBeLessThan(4.5)
    },
  )
})

describe('epochs', () => {
  const open = (backend: TimerBackend) => {
    const at = { epoch: 1 }
    const base = new MemoryByteStore()
    const store = new EpochByteStore('timers', base, () => at.epoch)
    const stored = new StoredTimers(store, 1)
    const queue = createTimerQueue(backend, stored.lane('event-time', 0))
    const cut = () => {
      stored.flush()
      return at.epoch++
    }
    return { at, base, store, stored, queue, cut }
  }

  it.each(['heap', 'persistent', 'hybrid'] as const)(
    '[T8] %s: an abort brings back what fired, moved and was deleted',
    (backend) => {
      const { base, store, queue, cut } = open(backend)
      for (const time of [1, 2, 3, 90_000]) queue.register(key(time), time, undefined, -1)
      queue.register(key(9), 4, 'x', -1)
      commit(store, base, cut())
      const before = queue.earliest(9)
      expect(queue.takeDue(1)?.at).toBe(1)
      queue.delete(key(2), 2, undefined)
      queue.register(key(9), 5, 'x', 0)
      queue.register(key(7), 7, undefined, 0)
      cut()
      expect(queue.takeDue(3)?.at).toBe(3)
      expect(queue.size).toBe(3)
      store.abort()
      queue.reload()
      expect(queue.size).toBe(5)
      expect(queue.earliest(9)).toEqual(before)
      expect([queue.takeDue(1)?.at, queue.takeDue(2)?.at, queue.takeDue(3)?.at, queue.takeDue(4)?.name]).toEqual([
        1,
        2,
        3,
        'x',
      ])
      expect(queue.takeDue(89_999)).toBeUndefined()
      expect(queue.takeDue(90_000)?.at).toBe(90_000)
    },
  )

  it.each(['heap', 'persistent', 'hybrid'] as const)(
    '[T8] %s: a commit of the older epoch leaves what the open one did',
    (backend) => {
      const { base, store, queue, cut } = open(backend)
      queue.register(key(1), 1, undefined, -1)
      queue.register(key(2), 2, undefined, -1)
      cut()
      expect(queue.takeDue(1)?.at).toBe(1)
      commit(store, base, 1)
      expect(queue.size).toBe(1)
      const committed = new StoredTimers(base, 2).lane('event-time', 0)
      expect(committed.earliest(9).map((timer) => timer.at)).toEqual([1, 2])
      expect(committed.size).toBe(2)
      commit(store, base, cut())
      expect(new StoredTimers(base, 3).lane('event-time', 0).size).toBe(1)
      expect(queue.takeDue(2)?.at).toBe(2)
    },
  )

  it.each(['heap', 'persistent', 'hybrid'] as const)(
    '[T5] %s: what another run registered counts as there before every pass',
    (backend) => {
      const { at, base, store, stored, queue } = open(backend)
      queue.register(key(1), 1, undefined, 41)
      expect(queue.peek()?.sequence).toBe(41)
      stored.flush()
      queue.reload()
      expect(queue.peek()?.sequence).toBe(41)
      commit(store, base, at.epoch)
      const next = createTimerQueue(backend, new StoredTimers(base, 2).lane('event-time', 0))
      expect(next.peek()?.sequence).toBe(-1)
    },
  )

  it('keeps domains and lanes of a processor apart', () => {
    const stored = new StoredTimers(new MemoryByteStore(), 1)
    const queues = [
      createTimerQueue('hybrid', stored.lane('event-time', 0)),
      createTimerQueue('hybrid', stored.lane('event-time', 1)),
      createTimerQueue('persistent', stored.lane('event-time', 256)),
      createTimerQueue('persistent', stored.lane('processing-time', 0)),
    ]
    for (const [at, queue] of queues.entries()) queue.register(key(at), at, 'x', -1)
    expect(queues.map((queue) => queue.size)).toEqual([1, 1, 1, 1])
    expect(stored.size).toBe(4)
    expect(queues.map((queue) => queue.countDue(9))).toEqual([1, 1, 1, 1])
    expect(queues.map((queue) => queue.takeDue(9)?.at)).toEqual([0, 1, 2, 3])
  })

  it.each([-1, 0.5, Number.NaN, 2 ** 53])('refuses to store the time %s', (at) => {
    const stored = new StoredTimers(new MemoryByteStore(), 1).lane('event-time', 0)
    expect(() => stored.register(key(1), at, undefined, 0)).toThrow(`Not the time of a timer: ${at}`)
    expect(stored.size).toBe(0)
  })
})
