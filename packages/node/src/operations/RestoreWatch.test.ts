import type { RestoreFacts } from '@lanescope/core'
import { describe, expect, it } from 'vitest'
import { RestoreWatch } from './RestoreWatch.js'

function facts(owner: string, records: number, left: number, total: Partial<RestoreFacts['total']> = {}): RestoreFacts {
  const leftMs = records === 0 ? undefined : left * 2
  const amount = { records, bytes: records * 10, left, elapsedMs: 5, leftMs }
  return {
    owner,
    topic: `app-${owner}-changelog`,
    ...amount,
    total: { ...amount, stores: 1, storesLeft: left > 0 ? 1 : 0, ...total },
  }
}

describe('RestoreWatch', () => {
  it('[E5] tells nothing before a restore, and nothing after it', () => {
    const watch = new RestoreWatch()
    expect([watch.now, watch.stores]).toEqual([undefined, []])
    watch.take(facts('counts', 0, 4))
    expect(watch.now).toBeDefined()
    watch.take(facts('counts', 4, 0))
    expect(watch.now).toBeUndefined()
    expect(watch.stores).toEqual([{ store: 'counts', records: 4, bytes: 40, left: 0, leftMs: 0 }])
  })

  it('[E5] tells of each store and of all, with the time left where it is known', () => {
    const watch = new RestoreWatch()
    watch.take(facts('counts', 0, 4, { left: 9, storesLeft: 2 }))
    expect(watch.now).toEqual({
      records: 0,
      bytes: 0,
      left: 9,
      storesLeft: 2,
      stores: [{ store: 'counts', records: 0, bytes: 0, left: 4 }],
    })
    watch.take(facts('timers/tell', 2, 3, { records: 6, bytes: 60, left: 3, leftMs: 70, storesLeft: 1 }))
    expect(watch.now).toMatchObject({ records: 6, bytes: 60, left: 3, leftMs: 70, storesLeft: 1 })
    expect(watch.now?.stores.map(({ store, leftMs }) => [store, leftMs])).toEqual([
      ['counts', undefined],
      ['timers/tell', 6],
    ])
  })

  it('goes on counting over a restart in place, and never back', () => {
    const watch = new RestoreWatch()
    for (const records of [0, 3, 5]) watch.take(facts('counts', records, 5 - records))
    for (const records of [0, 2]) watch.take(facts('counts', records, 2 - records))
    expect(watch.stores).toEqual([{ store: 'counts', records: 7, bytes: 70, left: 0, leftMs: 0 }])
    watch.take(facts('counts', 1, 1))
    expect(watch.stores[0]?.records).toBe(8)
    expect(watch.now).toMatchObject({ records: 1 })
  })
})
