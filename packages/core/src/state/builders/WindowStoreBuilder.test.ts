import { describe, expect, it } from 'vitest'
import { accessFor, RecordingStoreEnvironment } from '../../../test/RecordingStoreEnvironment.js'
import { Stores } from './Stores.js'

const kinds = ['persistent', 'in-memory'] as const
type Kind = (typeof kinds)[number]

function openStore(kind: Kind, retentionMs: number, windowSizeMs = 10_000) {
  const environment = new RecordingStoreEnvironment()
  const create = kind === 'persistent' ? Stores.window : Stores.inMemoryWindow
  const instance = create<string, string>('s', { retentionMs, windowSizeMs }).build(environment)
  const store = instance.open(accessFor())
  /** What the store counted while it took the put. */
  const counting = (start: number, value: string | undefined) => {
    environment.counted.length = 0
    store.put('k', value, start)
    return [...environment.counted]
  }
  const put = (start: number, value = `v${start}`) => counting(start, value)
  const remove = (start: number) => counting(start, undefined)
  const visible = async () => (await store.all().toArray()).map(([{ window }]) => window.start)
  return { instance, store, put, remove, visible }
}

const expired = ['dropped expired_segment']
const grey = ['silent grey_zone']
const kept: string[] = []

describe.each(kinds)('boundaries of the %s window store', (kind) => {
  const boundary = async () => {
    const opened = openStore(kind, 120_000, 60_000)
    for (const start of [0, 59_999, 60_000, 60_001, 119_999]) opened.put(start)
    return opened
  }

  it('[S2] [A.4] shows everything up to 119999', async () => {
    const { visible } = await boundary()
    expect(await visible()).toEqual([0, 59_999, 60_000, 60_001, 119_999])
  })

  it('[S2] [A.4] hides 0 after 120000, and all up to 60000 after 180000', async () => {
    const { put, visible } = await boundary()
    expect(put(120_000)).toEqual(kept)
    expect(await visible()).toEqual([59_999, 60_000, 60_001, 119_999, 120_000])
    expect(put(180_000)).toEqual(kept)
    expect(await visible()).toEqual([60_001, 119_999, 120_000, 180_000])
  })

  const table: readonly (readonly [
    action: string,
    start: number,
    persistent: string[],
    inMemory: string[],
    read: boolean,
  ])[] = [
    ['below its segment', 59_999, expired, expired, false],
    ['in the grey zone', 60_000, grey, expired, false],
    ['just above the bound', 60_001, kept, kept, true],
  ]

  it.each(table)('[S2] [A.4] at 180000 a late put %s', async (_action, start, persistent, inMemory, read) => {
    const { put, store } = await boundary()
    put(120_000)
    put(180_000)
    expect(put(start, 'late')).toEqual(kind === 'persistent' ? persistent : inMemory)
    expect(store.fetch('k', start)).toBe(read ? 'late' : undefined)
  })

  it('[G-1] [G-17] one far-future put empties the store, and deleting it does not roll the clock back', async () => {
    const { put, remove, store, visible } = await boundary()
    put(180_000)
    expect(put(10 ** 13)).toEqual(kept)
    expect(await visible()).toEqual([10 ** 13])
    expect(store.fetch('k', 180_000)).toBeUndefined()
    expect(put(180_001)).toEqual(expired)
    expect(remove(10 ** 13)).toEqual(kept)
    expect(await visible()).toEqual([])
    expect(put(180_002)).toEqual(expired)
  })

  it('[G-2] a put takes the segments of the time that it moves to, not more', async () => {
    const { put, visible } = openStore(kind, 120_000)
    put(0)
    put(180_000)
    expect(put(60_001)).toEqual(kept)
    expect(await visible()).toEqual([60_001, 180_000])
  })

  it('[G-3] [A.4] hides what is older than the retention although its segment lives', async () => {
    const { put, store, visible } = openStore(kind, 10_000)
    put(0)
    put(59_999)
    expect(store.fetch('k', 0)).toBeUndefined()
    expect(await visible()).toEqual([59_999])
  })

  it.each([59_999, 60_000, 60_001])('[A.4] at 180000 and retention 10000 refuses %d', (start) => {
    const { put } = openStore(kind, 10_000)
    put(180_000)
    expect(put(start)).toEqual(expired)
  })

  const greyTable: readonly (readonly [number, string[], string[]])[] = [
    [60_000, grey, expired],
    [59_999, expired, expired],
    [109_999, grey, expired],
    [110_000, kept, kept],
  ]

  it.each(greyTable)('[A.4] at 119999 and retention 10000 takes or refuses %d', (start, persistent, inMemory) => {
    const { put, store } = openStore(kind, 10_000)
    put(119_999)
    expect(put(start)).toEqual(kind === 'persistent' ? persistent : inMemory)
    expect(store.fetch('k', start)).toBe(start === 110_000 ? 'v110000' : undefined)
  })

  it('[A.4] expires after a second span of retention, not before', async () => {
    const { put, visible } = openStore(kind, 200_000, 50_000)
    put(0)
    put(199_999)
    expect(await visible()).toEqual([0, 199_999])
    put(200_000)
    expect(await visible()).toEqual([199_999, 200_000])
    expect(put(1)).toEqual(kept)
    put(400_005)
    expect(put(200_005)).toEqual(kind === 'persistent' ? grey : expired)
    expect(put(200_006)).toEqual(kept)
    expect(await visible()).toEqual([200_006, 400_005])
  })

  it('[A.2] a delete moves the clock as a put does', () => {
    const { put, remove, instance } = openStore(kind, 120_000)
    put(5)
    expect(remove(200_000)).toEqual(kept)
    expect(instance.inspect().windowed?.observed).toBe(200_000)
    expect(put(6)).toEqual(expired)
  })

  it('[A.2] counts a delete of an expired window as dropped, and one in the grey zone not at all', () => {
    const { put, remove } = openStore(kind, 10_000)
    put(119_999)
    expect(remove(59_999)).toEqual(expired)
    expect(remove(60_000)).toEqual(kind === 'persistent' ? kept : expired)
  })

  it('[A.1] starts at −1, where windows before 0 are taken but never read', async () => {
    const { put, instance, store, visible } = openStore(kind, 120_000)
    expect(instance.inspect().windowed).toMatchObject({ observed: -1, readableAbove: -120_001, movedBy: null })
    put(0)
    expect(put(-1)).toEqual(grey)
    expect(put(-60_000)).toEqual(grey)
    expect(store.fetch('k', -1)).toBeUndefined()
    expect(await store.fetchRange('k', -5, 5).toArray()).toEqual([[0, 'v0']])
    expect(await visible()).toEqual([0])
    expect(instance.inspect().entries).toBe(1)
  })

  it('[S1] never goes back', () => {
    const { put, instance } = openStore(kind, 120_000)
    put(100_000)
    put(50_000)
    expect(instance.inspect().windowed?.observed).toBe(100_000)
    put(100_001)
    expect(instance.inspect().windowed?.observed).toBe(100_001)
  })

  it('[P4] compute reads and writes in one step, by the same rules', () => {
    const { put, store } = openStore(kind, 10_000)
    expect(store.compute('k', 5, (value) => `${value}+`)).toBe('undefined+')
    expect(store.compute('k', 5, (value) => `${value}+`)).toBe('undefined++')
    expect(store.fetch('k', 5)).toBe('undefined++')
    expect(store.compute('k', 5, () => undefined)).toBeUndefined()
    expect(store.fetch('k', 5)).toBeUndefined()
    put(119_999)
    const seen: unknown[] = []
    const late = (value: string | undefined) => {
      seen.push(value)
      return 'late'
    }
    expect(store.compute('k', 59_999, late)).toBeUndefined()
    expect(store.compute('k', 60_000, late)).toBeUndefined()
    expect(store.compute('k', 110_000, late)).toBe('late')
    expect(seen).toEqual([undefined, undefined, undefined])
  })

  it('[P4] compute refuses a promise before the clock moves', () => {
    const { store, instance } = openStore(kind, 10_000)
    expect(() => store.compute('k', 5, (async () => 'x') as never)).toThrow('returned a promise')
    expect(instance.inspect().windowed?.observed).toBe(-1)
  })

  it('[P4] refuses null keys, null values and starts that are no integers', () => {
    const { store } = openStore(kind, 10_000)
    expect(() => store.put(null as never, 'v', 0)).toThrow('no null keys')
    expect(() => store.fetch(undefined as never, 0)).toThrow('no null keys')
    expect(() => store.fetchRange(null as never, 0, 1)).toThrow('no null keys')
    expect(() => store.put('k', null as never, 0)).toThrow('put undefined')
    for (const start of [0.5, Number.NaN, 2 ** 53, '1' as never]) {
      expect(() => store.put('k', 'v', start)).toThrow('Give an integer number of ms')
      expect(() => store.fetch('k', start)).toThrow('Give an integer number of ms')
    }
    expect(() => store.fetchRange('k', Number.NaN, 1)).toThrow('Give a number of ms')
    expect(() => store.fetchAll(0, undefined as never)).toThrow('Give a number of ms')
  })
})
