import { describe, expect, it } from 'vitest'
import { planMerge as plan } from './planMerge.js'

const planMerge = (all: Parameters<typeof plan>[0], most = Number.POSITIVE_INFINITY) => plan(all, most)

const runs = (...sizes: number[]) => sizes.map((bytes) => ({ bytes, live: bytes }))

describe('the plan of merges', () => {
  it('leaves a few runs alone', () => {
    expect(planMerge([])).toBeUndefined()
    expect(planMerge(runs(5))).toBeUndefined()
    expect(planMerge(runs(5, 5, 5))).toBeUndefined()
    expect(planMerge(runs(1, 10, 100, 1_000, 10_000))).toBeUndefined()
  })

  it('makes four of like sizes one, with the older ones that are no longer than all of them by half', () => {
    expect(planMerge(runs(5, 5, 5, 5))).toEqual({ from: 0, to: 4 })
    expect(planMerge(runs(5, 5, 5, 5, 30))).toEqual({ from: 0, to: 5 })
    expect(planMerge(runs(5, 5, 5, 5, 31))).toEqual({ from: 0, to: 4 })
    expect(planMerge(runs(5, 5, 5, 15, 100))).toEqual({ from: 0, to: 4 })
    expect(planMerge(runs(5, 5, 5, 23, 100))).toBeUndefined()
  })

  it('finds them behind newer ones that are much smaller', () => {
    expect(planMerge(runs(1, 50, 50, 50, 50, 1_000))).toEqual({ from: 1, to: 5 })
  })

  it('writes a run anew of which more than half is gone', () => {
    const decayed = (live: number) => [...runs(5), { bytes: 100, live }, ...runs(1_000)]
    expect(planMerge(decayed(50))).toBeUndefined()
    expect(planMerge(decayed(49))).toEqual({ from: 1, to: 2 })
    expect(planMerge(decayed(0))).toEqual({ from: 1, to: 2 })
  })

  it('counts what is live when it looks for like sizes', () => {
    const half = { bytes: 10, live: 5 }
    expect(planMerge([half, half, half, { bytes: 45, live: 22 }])).toEqual({ from: 3, to: 4 })
    expect(planMerge([half, half, half, { bytes: 44, live: 22 }])).toEqual({ from: 0, to: 4 })
  })

  it('merges the four newest once there are too many of any sizes', () => {
    const growing = Array.from({ length: 12 }, (_, i) => 10 ** i)
    expect(planMerge(runs(...growing))).toBeUndefined()
    expect(planMerge(runs(...growing, 10 ** 12))).toEqual({ from: 0, to: 4 })
  })

  it('makes all one when together they have more than they need', () => {
    expect(planMerge(runs(1, 10, 100), 111)).toBeUndefined()
    expect(planMerge(runs(1, 10, 100), 110)).toEqual({ from: 0, to: 3 })
    expect(planMerge([{ bytes: 15, live: 10 }, ...runs(100)], 110)).toBeUndefined()
    expect(planMerge(runs(100), 10)).toBeUndefined()
  })

  it('writes an entry anew a few times only, however large the state grows', () => {
    let all: { bytes: number; live: number }[] = []
    let written = 0
    for (let flush = 0; flush < 1_000; flush++) {
      all = [...runs(1), ...all]
      for (let next = planMerge(all); next !== undefined; next = planMerge(all)) {
        const bytes = all.slice(next.from, next.to).reduce((sum, run) => sum + run.bytes, 0)
        written += bytes
        all.splice(next.from, next.to - next.from, { bytes, live: bytes })
      }
      expect(all.length).toBeLessThanOrEqual(12)
    }
    expect(written / 1_000).toBeLessThan(6)
  })
})
