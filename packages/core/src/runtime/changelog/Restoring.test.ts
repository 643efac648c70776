import { describe, expect, it } from 'vitest'
import type { RestoreFacts } from '../../events/EngineEvent.js'
import type { Clock } from '../../time/Clock.js'
import { Restoring } from './Restoring.js'

function scene() {
  let now = 0
  const told: RestoreFacts[] = []
  const restoring = new Restoring({ monotonic: () => now } as Clock, (facts) => told.push(facts))
  return { restoring, told, pass: (ms: number) => (now += ms) }
}

describe('Restoring', () => {
  it('[E5] tells when a store begins, about every second, and when it is whole', () => {
    const { restoring, told, pass } = scene()
    const store = restoring.add('counts', 't', 100)
    pass(50)
    store.begin()
    expect(told.at(-1)).toMatchObject({ owner: 'counts', topic: 't', records: 0, left: 100, elapsedMs: 0 })
    expect(told.at(-1)?.leftMs).toBeUndefined()
    pass(999)
    store.took(10, 70, 10)
    expect(told).toHaveLength(1)
    pass(1)
    store.took(10, 30, 15)
    expect(told.at(-1)).toMatchObject({ records: 20, bytes: 100, left: 75, elapsedMs: 1000, leftMs: 3000 })
    pass(999)
    store.took(1, 1, 74)
    expect(told).toHaveLength(2)
    store.end()
    expect(told.at(-1)).toMatchObject({ records: 21, left: 0, leftMs: 0, elapsedMs: 1999 })
  })

  it('[E5] adds up all stores, with those that wait for their turn', () => {
    const { restoring, told, pass } = scene()
    const first = restoring.add('a', 'ta', 100)
    const second = restoring.add('b', 'tb', 300)
    first.begin()
    pass(1000)
    first.took(100, 500, 100)
    expect(told.at(-1)?.total).toEqual({
      records: 100,
      bytes: 500,
      left: 300,
      elapsedMs: 1000,
      leftMs: 3000,
      stores: 2,
      storesLeft: 1,
    })
    const before = told.length
    first.end()
    // It was told already that it is whole.
    expect(told).toHaveLength(before)
    second.begin()
    pass(1000)
    second.took(5, 10, 300)
    second.end()
    expect(told.at(-1)?.total).toMatchObject({ records: 105, bytes: 510, left: 0, leftMs: 0, stores: 2, storesLeft: 0 })
  })

  it('counts offsets that hold nothing as passed, and never less than none left', () => {
    const { restoring, told } = scene()
    const store = restoring.add('a', 't', 3)
    store.begin()
    store.took(1, 1, 9)
    store.end()
    expect(told.at(-1)).toMatchObject({ records: 1, left: 0 })
    expect(store.left).toBe(0)
  })
})
