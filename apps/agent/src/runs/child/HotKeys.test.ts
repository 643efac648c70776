import { describe, expect, it } from 'vitest'
import { HotKeys } from './HotKeys.js'

const count = (hot: HotKeys, lane: number, key: string | null, times: number, subTopology = 0) => {
  for (let n = 0; n < times; n++) hot.count(subTopology, lane, key)
}

describe('hot keys', () => {
  it('are the hottest of each lane, with their share of all its records', () => {
    const hot = new HotKeys(10, 2)
    count(hot, 1, 'b', 1)
    count(hot, 1, 'a', 6)
    count(hot, 1, 'c', 2)
    count(hot, 1, null, 1)
    count(hot, 0, 'z', 1, 1)
    expect(hot.take()).toEqual([
      { subTopology: 0, lane: 1, key: 'a', share: 0.6 },
      { subTopology: 0, lane: 1, key: 'c', share: 0.2 },
      { subTopology: 1, lane: 0, key: 'z', share: 1 },
    ])
  })

  it('sum up the frames of a second and forget older ones', () => {
    const hot = new HotKeys(2, 1)
    count(hot, 0, 'a', 3)
    expect(hot.take()).toMatchObject([{ key: 'a', share: 1 }])
    count(hot, 0, 'b', 1)
    expect(hot.take()).toMatchObject([{ key: 'a', share: 0.75 }])
    expect(hot.take()).toMatchObject([{ key: 'b', share: 1 }])
    expect(hot.take()).toEqual([])
  })

  it('count no more than so many different keys, and all records', () => {
    const hot = new HotKeys(10, 1)
    for (let n = 0; n < 2_000; n++) hot.count(0, 0, `k${n}`)
    count(hot, 0, 'late', 1_999)
    count(hot, 0, 'k7', 1)
    expect(hot.take()).toEqual([{ subTopology: 0, lane: 0, key: 'k7', share: 2 / 4_000 }])
  })
})
