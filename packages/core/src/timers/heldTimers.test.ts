import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EpochByteStore } from '../state/epoch/EpochByteStore.js'
import { MemoryByteStore } from '../state/MemoryByteStore.js'
import { createTimerQueue, type TimerBackend } from './createTimerQueue.js'
import { compareTimers, type PendingTimer } from './PendingTimer.js'
import type { StoredTimerQueue } from './PendingTimerQueue.js'
import { StoredTimers } from './StoredTimers.js'
import { readDueKey, sectionRange } from './timerLayout.js'

const backends = ['heap', 'persistent', 'hybrid'] as const
const key = (number: number) => Uint8Array.of(number >> 8, number & 0xff)

/** Writes down what it is asked. */
class WatchedStore extends MemoryByteStore {
  reads = 0
  writes = 0
  override get(bytes: Uint8Array) {
    this.reads++
    return super.get(bytes)
  }
  override put(bytes: Uint8Array, value: Uint8Array) {
    this.writes++
    return super.put(bytes, value)
  }
  override set(bytes: Uint8Array, value: Uint8Array) {
    this.writes++
    super.set(bytes, value)
  }
  override delete(bytes: Uint8Array) {
    this.writes++
    return super.delete(bytes)
  }
  override remove(bytes: Uint8Array) {
    this.writes++
    super.remove(bytes)
  }
  override range(range = {}) {
    this.reads++
    return super.range(range)
  }
  forget() {
    this.reads = 0
    this.writes = 0
  }
}

function watched(backend: TimerBackend) {
  const store = new WatchedStore()
  const stored = new StoredTimers(store, 1)
  const queue = createTimerQueue(backend, stored.lane('event-time', 0))
  store.forget()
  return { store, stored, queue }
}

/** What lies in a store: times and keys of its due index, and how many names it knows. */
function contents(store: MemoryByteStore) {
  const due = Array.from(store.range(sectionRange('due')), ([stored]) => readDueKey(stored))
  const text = due.map(({ at, keyBytes, name }) => `${at}:${keyBytes[1]}${name === undefined ? '' : `#${name}`}`)
  return { due: text, names: [...store.range(sectionRange('named'))].length }
}

describe('between two cuts', () => {
  it.each(backends)('[E8] %s writes nothing, whatever is registered, moved, deleted and fired', (backend) => {
    const { store, stored, queue } = watched(backend)
    for (let i = 0; i < 200; i++) queue.register(key(i), i, i % 2 === 0 ? 'x' : undefined, -1)
    stored.flush()
    store.forget()
    for (let i = 0; i < 200; i += 2) queue.register(key(i), i + 300_000, 'x', -1)
    for (let i = 0; i < 50; i++) queue.delete(key(i), i, i % 2 === 0 ? 'x' : undefined)
    for (let i = 300; i < 400; i++) queue.register(key(i), i, undefined, -1)
    while (queue.takeDue(350) !== undefined) queue.peek()
    expect([store.writes, queue.size]).toEqual([0, 49 + 75])
    stored.flush()
    expect(store.writes).toBeGreaterThan(0)
    expect(contents(store).due).toHaveLength(49 + 75)
  })

  it.each(backends)('[E8] %s never comes near the store with what is made and gone in one epoch', (backend) => {
    const { store, stored, queue } = watched(backend)
    queue.register(key(1), 5, undefined, -1)
    queue.register(key(2), 6, 'x', -1)
    queue.register(key(2), 90_000, 'x', -1)
    queue.register(key(3), 7, 'x', -1)
    queue.register(key(4), 200_000, undefined, -1)
    expect(queue.takeDue(5)?.at).toBe(5)
    expect(queue.delete(key(4), 200_000, undefined)?.at).toBe(200_000)
    queue.delete(key(2), 0, 'x')
    expect(queue.takeDue(7)?.at).toBe(7)
    stored.flush()
    expect([store.writes, store.reads, queue.size, store.size]).toEqual([0, 0, 0, 0])
  })

  it.each(['heap', 'hybrid'] as const)('[T10] %s asks the store for nothing that is near', (backend) => {
    const { store, stored, queue } = watched(backend)
    queue.takeDue(1_000)
    for (let i = 0; i < 100; i++) queue.register(key(i), 2_000 + i, i % 2 === 0 ? 'x' : undefined, -1)
    stored.flush()
    store.forget()
    for (let i = 0; i < 100; i += 2) queue.register(key(i), 3_000 + i, 'x', -1)
    queue.register(key(1), 2_001, undefined, -1)
    queue.delete(key(3), 2_003, undefined)
    while (queue.takeDue(2_500) !== undefined) queue.peek()
    expect([store.reads, store.writes, queue.countDue(9_000), queue.earliest(1)[0]?.at]).toEqual([0, 0, 50, 3_000])
  })

  it.each(['persistent', 'hybrid'] as const)(
    '[T2] [T10] %s looks for a far one only where it may lie: not behind all others',
    (backend) => {
      const { store, stored, queue } = watched(backend)
      for (const [number, at] of [
        [1, 300_000],
        [2, 300_000],
        [4, 300_000],
        [4, 200_000],
      ] as const) {
        queue.register(key(number), at, undefined, -1)
        stored.flush()
      }
      queue.peek()
      const reads = (number: number, at: number) => {
        store.forget()
        const { outcome } = queue.register(key(number), at, undefined, -1)
        return [outcome, store.reads]
      }
      // The last one itself, one before it in time, by key, and in between: they may be there.
      expect(reads(4, 300_000)).toEqual(['unchanged', 1])
      expect(reads(9, 299_999)).toEqual(['added', 1])
      expect(reads(3, 300_000)).toEqual(['added', 1])
      expect(reads(5, 300_000)).toEqual(['added', 0])
      expect(reads(1, 300_001)).toEqual(['added', 0])
      expect(reads(1, 300_001)).toEqual(['unchanged', 0])
      stored.flush()
      expect(reads(1, 300_001)).toEqual(['unchanged', 1])
      expect(reads(5, 300_000)).toEqual(['unchanged', 1])
      queue.reload()
      // Asked for the last one, at first, and whether this is there.
      expect(reads(1, 300_001)).toEqual(['unchanged', 2])
      expect(reads(2, 300_001)).toEqual(['added', 0])
      expect(queue.size).toBe(9)
    },
  )

  it('[T10] heap has all in memory again after an abort, and asks the store for none of it', () => {
    const { store, stored, queue } = watched('heap')
    for (let i = 0; i < 100; i++) queue.register(key(i), 200_000 + i, 'x', -1)
    stored.flush()
    queue.reload()
    store.forget()
    for (let i = 0; i < 100; i++) queue.register(key(i), 300_000 + i, 'x', -1)
    expect([store.reads, queue.size, queue.peek()?.at]).toEqual([0, 100, 300_000])
  })
})

describe('a flush', () => {
  it.each(backends)('[E8] %s writes the final state of each timer once', (backend) => {
    const { store, stored, queue } = watched(backend)
    for (let at = 10; at < 500; at++) queue.register(key(1), at, 'end', -1)
    for (let i = 0; i < 9; i++) {
      queue.register(key(2), 5_000, undefined, -1)
      queue.delete(key(2), 5_000, undefined)
    }
    queue.register(key(2), 5_000, undefined, -1)
    stored.flush()
    expect(contents(store)).toEqual({ due: ['499:1#end', '5000:2'], names: 1 })
    // Two places of the named one, one of the unnamed one, and how many there are.
    expect(store.writes).toBe(4)
    store.forget()
    stored.flush()
    expect(store.writes).toBe(0)
  })

  it.each(backends)('[E8] %s: a timer that each record moves costs its key one write an epoch', (backend) => {
    const { store, stored, queue } = watched(backend)
    for (let epoch = 0; epoch < 5; epoch++) {
      store.forget()
      for (let record = 0; record < 300; record++) {
        queue.register(key(record % 10), 1_800_000 + epoch * 1_000 + record, 'session', -1)
      }
      // At most one look for where the store has each key's timer.
      expect(store.reads).toBeLessThanOrEqual(10)
      stored.flush(() => epoch * 1_000)
      // The old place, the new place and the name, ten times; and their number at first.
      expect(store.writes).toBe(epoch === 0 ? 21 : 30)
      expect(contents(store)).toMatchObject({ names: 10 })
      expect(contents(store).due).toHaveLength(10)
    }
  })

  it.each([
    [5_000, 'nearer'],
    [80_000, 'a little farther'],
    [900_000, 'much farther'],
    [70_000, 'to where it was, by a way round'],
  ])('[T2] moves a stored timer from 70,000 to %i: %s', (at) => {
    for (const backend of backends) {
      const { store, stored, queue } = watched(backend)
      queue.takeDue(1_000)
      queue.register(key(1), 70_000, 'x', -1)
      queue.register(key(2), 75_000, undefined, -1)
      stored.flush()
      queue.peek()
      queue.register(key(1), 60_500, 'x', -1)
      const moved = queue.register(key(1), at, 'x', -1)
      expect(moved).toEqual({ outcome: 'replaced', previousAt: 60_500 })
      const order = at < 75_000 ? [at, 75_000] : [75_000, at]
      expect(queue.earliest(9).map((timer) => timer.at)).toEqual(order)
      expect([queue.size, queue.peek()?.at, queue.countDue(at)]).toEqual([2, order[0], order.indexOf(at) + 1])
      expect(contents(store).due).toEqual(['70000:1#x', '75000:2'])
      stored.flush()
      expect(contents(store)).toEqual({
        due: order.map((time) => (time === at ? `${at}:1#x` : '75000:2')),
        names: 1,
      })
      expect([queue.takeDue(1e6)?.at, queue.takeDue(1e6)?.at, queue.takeDue(1e6)]).toEqual([...order, undefined])
    }
  })

  it.each(backends)('[T6] %s deletes stored timers, near and far, named or not', (backend) => {
    const { store, stored, queue } = watched(backend)
    for (const at of [10, 90_000]) {
      queue.register(key(1), at, `n${at}`, -1)
      queue.register(key(2), at, undefined, 4)
    }
    stored.flush()
    expect(queue.takeDue(1)).toBeUndefined()
    for (const at of [10, 90_000]) {
      expect(queue.delete(key(1), 0, `n${at}`)?.at).toBe(at)
      expect(queue.delete(key(1), 0, `n${at}`)).toBeUndefined()
      expect(queue.delete(key(2), at, undefined)).toMatchObject({ at, sequence: 4 })
      expect(queue.delete(key(2), at, undefined)).toBeUndefined()
    }
    expect([queue.size, queue.peek(), queue.countDue(1e6), queue.earliest(9)]).toEqual([0, undefined, 0, []])
    expect(contents(store).due).toHaveLength(4)
    stored.flush()
    expect(store.size).toBe(0)
    expect(queue.takeDue(1e6)).toBeUndefined()
  })

  it.each(backends)('[T2] %s takes a stored timer that was deleted or fired for a new one', (backend) => {
    const { store, stored, queue } = watched(backend)
    queue.register(key(1), 10, undefined, -1)
    queue.register(key(2), 90_000, 'x', -1)
    queue.register(key(3), 95_000, undefined, -1)
    stored.flush()
    expect(queue.takeDue(10)?.at).toBe(10)
    queue.delete(key(2), 0, 'x')
    queue.delete(key(3), 95_000, undefined)
    expect(queue.register(key(1), 10, undefined, 7)).toEqual({ outcome: 'added' })
    expect(queue.register(key(2), 91_000, 'x', -1)).toEqual({ outcome: 'added' })
    expect(queue.register(key(3), 95_000, undefined, -1)).toEqual({ outcome: 'added' })
    expect(queue.register(key(3), 95_000, undefined, -1)).toEqual({ outcome: 'unchanged' })
    stored.flush()
    expect(contents(store)).toEqual({ due: ['10:1', '91000:2#x', '95000:3'], names: 1 })
    queue.reload()
    expect([queue.size, queue.takeDue(10)?.sequence, queue.size]).toEqual([3, 7, 2])
  })

  it.each(backends)('[T2] %s knows whether a timer is there, flushed or not', (backend) => {
    const { stored } = watched(backend)
    const lane = stored.lane('event-time', 0)
    const known = () => [
      lane.has(key(1), 0, 'x'),
      lane.has(key(2), 90_000, undefined),
      lane.has(key(2), 89_999, undefined),
    ]
    expect(known()).toEqual([false, false, false])
    lane.register(key(1), 70_000, 'x', -1)
    lane.register(key(2), 90_000, undefined, -1)
    expect(known()).toEqual([true, true, false])
    stored.flush()
    expect(known()).toEqual([true, true, false])
    lane.delete(key(1), 0, 'x')
    lane.delete(key(2), 90_000, undefined)
    expect(known()).toEqual([false, false, false])
    stored.flush()
    expect(known()).toEqual([false, false, false])
  })

  it('[T10] keeps what is near by the clock it is told, to the millisecond, and lets the rest go', () => {
    const lane = new StoredTimers(new WatchedStore(), 1).lane('event-time', 0)
    createTimerQueue('hybrid', lane)
    for (let i = 0; i < 2_000; i++) lane.register(key(i), 1_000_000 + (i < 500 ? i : 60_000 + i - 500), undefined, -1)
    expect(lane.held).toBe(2_000)
    lane.flush(1_000_000)
    // Those of the next 60,000 ms, and one at exactly 60,000.
    expect(lane.held).toBe(501)
    expect(lane.size).toBe(2_000)
    let last = 0
    for (let timer = lane.takeDue(2e6); timer !== undefined; timer = lane.takeDue(2e6)) {
      expect(timer.at).toBeGreaterThan(last)
      last = timer.at
    }
    expect([last, lane.size]).toEqual([1_061_499, 0])
    lane.flush(2e6)
    expect(lane.held).toBe(0)
  })

  it('[T10] goes by the clock of each domain', () => {
    const stored = new StoredTimers(new WatchedStore(), 1)
    const lanes = (['event-time', 'processing-time'] as const).map((domain) => stored.lane(domain, 0))
    for (const lane of lanes) {
      createTimerQueue('hybrid', lane)
      lane.register(key(1), 100_000, undefined, -1)
    }
    stored.flush((domain) => (domain === 'event-time' ? 39_999 : 40_000))
    expect(lanes.map((lane) => lane.held)).toEqual([0, 1])
  })
})

/** A run over epochs that commit, abort and crash. */
class Epochs {
  readonly base = new MemoryByteStore()
  epoch = 1
  #runs = 1
  store = new EpochByteStore('timers', this.base, () => this.epoch)
  stored = new StoredTimers(this.store, 1)

  queue: StoredTimerQueue

  constructor(private readonly backend: TimerBackend) {
    this.queue = createTimerQueue(backend, this.stored.lane('event-time', 0))
  }

  cut(): number {
    this.stored.flush()
    return this.epoch++
  }

  commit(epoch: number): void {
    for (const [stored, value] of this.store.layerOf(epoch) ?? []) {
      if (value === undefined) this.base.delete(stored)
      else this.base.put(stored, value)
    }
    this.store.settle(epoch)
  }

  abort(): void {
    this.store.abort()
    this.queue.reload()
  }

  /** Nothing is left but what is committed. */
  crash(): void {
    this.store = new EpochByteStore('timers', this.base, () => this.epoch)
    this.stored = new StoredTimers(this.store, ++this.#runs)
    this.queue = createTimerQueue(this.backend, this.stored.lane('event-time', 0))
  }
}

describe('epochs', () => {
  it.each(backends)('[T8] %s: an abort takes back what was flushed and what was not', (backend) => {
    const run = new Epochs(backend)
    run.queue.register(key(1), 10, 'x', -1)
    run.queue.register(key(2), 20, undefined, -1)
    run.commit(run.cut())
    run.queue.register(key(1), 90_000, 'x', -1)
    run.queue.register(key(3), 30, undefined, -1)
    run.cut()
    run.queue.register(key(1), 5, 'x', -1)
    expect(run.queue.takeDue(5)?.name).toBe('x')
    run.queue.delete(key(2), 20, undefined)
    run.queue.register(key(4), 40, undefined, -1)
    expect(run.queue.earliest(9).map(({ at }) => at)).toEqual([30, 40])
    run.abort()
    expect(run.queue.size).toBe(2)
    expect(run.queue.earliest(9).map(({ at }) => at)).toEqual([10, 20])
    expect(run.queue.register(key(1), 15, 'x', -1)).toEqual({ outcome: 'replaced', previousAt: 10 })
    run.commit(run.cut())
    expect(contents(run.base)).toEqual({ due: ['15:1#x', '20:2'], names: 1 })
  })

  it.each(backends)('[T8] %s: a crash leaves what is committed, not what is flushed or held back', (backend) => {
    const run = new Epochs(backend)
    run.queue.register(key(1), 10, 'x', 3)
    run.queue.register(key(2), 90_000, undefined, -1)
    run.commit(run.cut())
    expect(run.queue.takeDue(10)?.at).toBe(10)
    run.cut()
    run.queue.delete(key(2), 90_000, undefined)
    run.crash()
    expect([run.queue.size, run.queue.earliest(9).map(({ at }) => at)]).toEqual([2, [10, 90_000]])
    // Another run registered it: it was there before any pass of this one (T5).
    expect(run.queue.takeDue(10)?.sequence).toBe(-1)
  })

  const step = fc.record({
    what: fc.constantFrom('register', 'register', 'register', 'delete', 'fire', 'fire', 'cut', 'abort', 'crash'),
    key: fc.integer({ min: 0, max: 6 }),
    at: fc.oneof(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 300_000 })),
    name: fc.constantFrom(undefined, 'a', 'b'),
    elapsed: fc.constantFrom(0, 1, 5, 1_000, 30_000),
  })

  it.each(backends)('[T8] [E2] %s agrees with a list that commits, aborts and crashes', (backend) => {
    const text = ({ at, keyBytes, name }: PendingTimer) => `${at}:${keyBytes[1]}#${name ?? ''}`
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const run = new Epochs(backend)
        let [model, cut, committed]: [PendingTimer[], PendingTimer[], PendingTimer[]] = [[], [], []]
        let clock = 0
        let committing: number | undefined
        for (const { what, key: number, at, name, elapsed } of steps) {
          const keyBytes = key(number)
          const others = model.filter(
            (timer) => timer.keyBytes[1] !== number || timer.name !== name || (name === undefined && timer.at !== at),
          )
          if (what === 'register') {
            run.queue.register(keyBytes, at, name, -1)
            model = [...others, { keyBytes, at, name, sequence: -1 }].sort(compareTimers)
          } else if (what === 'delete') {
            expect(run.queue.delete(keyBytes, at, name) !== undefined).toBe(others.length < model.length)
            model = others
          } else if (what === 'fire') {
            clock += elapsed
            const due = model[0] !== undefined && model[0].at <= clock ? model[0] : undefined
            const fired = run.queue.takeDue(clock)
            expect(fired && text(fired)).toBe(due && text(due))
            if (due !== undefined) model = model.slice(1)
          } else if (what === 'cut') {
            // The one before is known by now: at most two are alive.
            if (committing !== undefined) run.commit(committing)
            committed = committing === undefined ? committed : cut
            committing = run.cut()
            cut = model
          } else {
            if (what === 'abort') run.abort()
            else run.crash()
            committing = undefined
            model = committed
          }
          expect(run.queue.size).toBe(model.length)
          expect(run.queue.earliest(99).map(text)).toEqual(model.map(text))
          expect(run.queue.countDue(at)).toBe(model.filter((timer) => timer.at <= at).length)
        }
        if (committing !== undefined) run.commit(committing)
        run.commit(run.cut())
        expect(contents(run.base).due).toHaveLength(model.length)
        expect(contents(run.base).names).toBe(model.filter((timer) => timer.name !== undefined).length)
      }),
    )
  })
})
