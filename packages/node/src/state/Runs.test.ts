import { describe, expect, it } from 'vitest'
import { PageCache } from './PageCache.js'
import type { Run } from './Run.js'
import { Runs } from './Runs.js'

/** A run with so many bytes of each store. */
function runOf(upTo: number, stores: Readonly<Record<number, number>>, log: string[] = []): Run {
  const sections = new Map(
    Object.entries(stores).map(([store, bytes]) => [Number(store), { store: Number(store), bytes }]),
  )
  return {
    head: { run: upTo, upTo },
    index: { sections },
    bytes: [...sections.values()].reduce((sum, { bytes }) => sum + bytes, 0),
    frames: new Int32Array(1),
    section: (store: number) => sections.get(store),
    get: (store: number, _: number, key: Uint8Array) => {
      log.push(`${upTo}`)
      if (!sections.has(store) || key[0] !== upTo) return undefined
      return key.length > 1 ? null : key
    },
    mayHave: (store: number, hash: number) => sections.has(store) && hash === upTo,
    close: () => log.push(`closed ${upTo}`),
  } as unknown as Run
}

const all = () => true

describe('the runs of a folder', () => {
  it('are asked from the newest on, however they came, until one has the key or knows that it is deleted', () => {
    const log: string[] = []
    const runs = new Runs(new PageCache(0))
    for (const upTo of [3, 9, 5]) runs.replace([], runOf(upTo, { 1: 10 }, log), all)
    expect(runs.all.map(({ head }) => head.upTo)).toEqual([9, 5, 3])
    expect(runs.get(1, 0, Uint8Array.of(5))).toEqual(Uint8Array.of(5))
    expect(log.splice(0)).toEqual(['9', '5'])
    expect(runs.get(1, 0, Uint8Array.of(9, 0))).toBeUndefined()
    expect(log.splice(0)).toEqual(['9'])
    expect(runs.get(1, 0, Uint8Array.of(7))).toBeUndefined()
    expect(log.splice(0)).toEqual(['9', '5', '3'])
    expect([runs.mayHave(1, 3), runs.mayHave(1, 4), runs.mayHave(2, 3)]).toEqual([true, false, false])
  })

  it('takes the place of those that were merged, closes them, and changes its version', () => {
    const log: string[] = []
    const runs = new Runs(new PageCache(0))
    const before = [3, 5].map((upTo) => runOf(upTo, { 1: 10 }, log))
    for (const run of [...before, runOf(9, { 1: 10 }, log)]) runs.replace([], run, all)
    const { version } = runs
    runs.replace(before, runOf(6, { 1: 12 }, log), all)
    expect(runs.all.map(({ head }) => head.upTo)).toEqual([9, 6])
    expect(log).toEqual(['closed 3', 'closed 5'])
    expect(runs.version).toBeGreaterThan(version)
    runs.replace(runs.all, undefined, all)
    expect(runs.all).toEqual([])
  })

  it('keeps no page of those that are gone, whose memory the cache would hold', () => {
    const cache = new PageCache(10_000)
    const runs = new Runs(cache)
    const [gone, stays] = [3, 5].map((upTo) =>
      Object.assign(runOf(upTo, { 1: 10 }), { frames: new Int32Array(1).fill(-1), lengthOf: () => 8, fill: () => 4 }),
    ) as Run[] as [Run, Run]
    for (const run of [gone, stays]) {
      runs.replace([], run, all)
      cache.find(run, 0)
    }
    expect(cache.pages).toBe(2)
    runs.replace([gone], undefined, all)
    expect([cache.pages, gone.frames[0], stays.frames[0]]).toEqual([1, -1, 1])
  })

  it('[S4] counts as gone what a store that goes has in each of them, and what has gone before a run came', () => {
    const runs = new Runs(new PageCache(0))
    const [old, young] = [runOf(3, { 1: 10, 2: 30 }), runOf(5, { 2: 7, 3: 100 })]
    runs.replace([], old, all)
    runs.replace([], young, (store) => store !== 3)
    expect([runs.liveBytes(old), runs.liveBytes(young)]).toEqual([40, 7])
    runs.bury(2)
    runs.bury(4)
    expect([runs.liveBytes(old), runs.liveBytes(young)]).toEqual([10, 0])
  })
})
