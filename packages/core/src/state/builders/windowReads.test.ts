import { describe, expect, it } from 'vitest'
import { accessFor, RecordingStoreEnvironment } from '../../../test/RecordingStoreEnvironment.js'
import type { Windowed } from '../../model/Windowed.js'
import type { StoreIterable } from '../stores.js'
import { Stores } from './Stores.js'

const kinds = ['persistent', 'in-memory'] as const
type Kind = (typeof kinds)[number]

function openStore(kind: Kind, windows: readonly (readonly [key: string, value: string, start: number])[] = []) {
  const environment = new RecordingStoreEnvironment()
  const create = kind === 'persistent' ? Stores.window : Stores.inMemoryWindow
  const instance = create<string, string>('s', { retentionMs: 120_000, windowSizeMs: 10_000 }).build(environment)
  const store = instance.open(accessFor())
  for (const [key, value, start] of windows) store.put(key, value, start)
  return { instance, store }
}

const shown = async (windows: StoreIterable<readonly [Windowed<string>, string]>) =>
  (await windows.toArray()).map(([{ key, window }, value]) => `${key}@${window.start}=${value}`)

const some = [
  ['k', 'a', 1000],
  ['k', 'b', 2000],
  ['m', 'c', 1500],
  ['k', 'd', 1000],
] as const

describe.each(kinds)('reads of the %s window store', (kind) => {
  const pick = <T>(persistent: T, inMemory: T): T => (kind === 'persistent' ? persistent : inMemory)

  it('[A.2] fetch one window by its exact start', () => {
    const { store } = openStore(kind, some)
    expect(store.fetch('k', 1000)).toBe('d')
    expect(store.fetch('k', 999)).toBeUndefined()
    expect(store.fetch('k', 1001)).toBeUndefined()
    expect(store.fetch('m', 1000)).toBeUndefined()
  })

  it('[A.2] fetch the windows of one key, both ends included, in both directions', async () => {
    const { store } = openStore(kind, some)
    expect(await store.fetchRange('k', 1000, 2000).toArray()).toEqual([
      [1000, 'd'],
      [2000, 'b'],
    ])
    expect(await store.backwardFetchRange('k', 0, 5000).toArray()).toEqual([
      [2000, 'b'],
      [1000, 'd'],
    ])
    expect(await store.fetchRange('k', 1001, 1999).toArray()).toEqual([])
    expect(await store.fetchRange('k', 2000, 1000).toArray()).toEqual([])
    expect(await store.fetchRange('k', Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY).toArray()).toHaveLength(2)
  })

  it('[A.2] fetch windows of all keys within a span of starts', async () => {
    const { store } = openStore(kind, some)
    expect(await shown(store.fetchAll(1500, 2000))).toEqual(pick(['k@2000=b', 'm@1500=c'], ['m@1500=c', 'k@2000=b']))
    expect(await shown(store.backwardFetchAll(0, 9000))).toEqual(
      pick(['m@1500=c', 'k@2000=b', 'k@1000=d'], ['k@2000=b', 'm@1500=c', 'k@1000=d']),
    )
    expect(await shown(store.backwardAll())).toEqual(
      pick(['m@1500=c', 'k@2000=b', 'k@1000=d'], ['k@2000=b', 'm@1500=c', 'k@1000=d']),
    )
  })

  it('[A.2] give the window with its end', async () => {
    const { store } = openStore(kind, [['k', 'a', 1000]])
    expect(await store.all().toArray()).toEqual([[{ key: 'k', window: { start: 1000, end: 11_000 } }, 'a']])
  })

  it('[A.2] fetch a span of keys, both ends included, open where undefined', async () => {
    const { store } = openStore(kind, [
      ['b', '1', 30],
      ['a', '2', 70_000],
      ['a', '3', 20],
      ['c', '4', 10],
      ['b', '5', 65_000],
    ])
    expect(await shown(store.all())).toEqual(
      pick(
        ['a@20=3', 'b@30=1', 'c@10=4', 'a@70000=2', 'b@65000=5'],
        ['c@10=4', 'a@20=3', 'b@30=1', 'b@65000=5', 'a@70000=2'],
      ),
    )
    const upToB = pick(['a@20=3', 'b@30=1', 'a@70000=2', 'b@65000=5'], ['a@20=3', 'b@30=1', 'b@65000=5', 'a@70000=2'])
    expect(await shown(store.fetchKeys('a', 'b', 0, 100_000))).toEqual(upToB)
    expect(await shown(store.fetchKeys(undefined, 'b', 0, 100_000))).toEqual(upToB)
    expect(await shown(store.fetchKeys('b', undefined, 0, 100_000))).toEqual(
      pick(['b@30=1', 'c@10=4', 'b@65000=5'], ['c@10=4', 'b@30=1', 'b@65000=5']),
    )
    expect(await shown(store.fetchKeys('a', 'b', 21, 65_000))).toEqual(['b@30=1', 'b@65000=5'])
  })

  it('[F.2] never mistake a key for another that begins alike', async () => {
    const { store } = openStore(kind, [
      ['k', '1', 10],
      ['k\0', '2', 11],
      ['ka', '3', 12],
      ['', '4', 13],
    ])
    expect(await store.fetchRange('k', 0, 100).toArray()).toEqual([[10, '1']])
    expect(await store.fetchRange('k\0', 0, 100).toArray()).toEqual([[11, '2']])
    expect(await store.fetchRange('', 0, 100).toArray()).toEqual([[13, '4']])
    expect(await shown(store.all())).toEqual(
      pick(['@13=4', 'k\0@11=2', 'k@10=1', 'ka@12=3'], ['k@10=1', 'k\0@11=2', 'ka@12=3', '@13=4']),
    )
  })

  it('[S1] cross segments, in both directions', async () => {
    const starts = [0, 59_999, 60_000, 119_999, 119_000]
    const { store } = openStore(
      kind,
      starts.map((start) => ['k', String(start), start] as const),
    )
    const sorted = [...starts].sort((a, b) => a - b)
    const read = async (entries: StoreIterable<readonly [number, string]>) =>
      (await entries.toArray()).map(([start]) => start)
    expect(await read(store.fetchRange('k', 0, 200_000))).toEqual(sorted)
    expect(await read(store.backwardFetchRange('k', 0, 200_000))).toEqual([...sorted].reverse())
    expect(await read(store.fetchRange('k', 59_999, 60_000))).toEqual([59_999, 60_000])
    expect(await read(store.fetchRange('k', 60_000, 60_000))).toEqual([60_000])
  })

  it('[S1] read only what is above observed − retention, whatever is asked for', async () => {
    const { store } = openStore(kind, [
      ['k', 'old', 60_000],
      ['k', 'new', 60_001],
      ['k', 'now', 180_000],
    ])
    expect(store.fetch('k', 60_000)).toBeUndefined()
    expect(store.fetch('k', 60_001)).toBe('new')
    const visible = ['k@60001=new', 'k@180000=now']
    expect(await shown(store.all())).toEqual(visible)
    expect(await shown(store.fetchAll(0, 180_000))).toEqual(visible)
    expect(await shown(store.fetchKeys('k', 'k', 0, 180_000))).toEqual(visible)
    expect(await shown(store.backwardAll())).toEqual([...visible].reverse())
    expect(await store.fetchRange('k', 0, 60_001).toArray()).toEqual([[60_001, 'new']])
    expect(await store.backwardFetchRange('k', 0, 60_001).toArray()).toEqual([[60_001, 'new']])
    expect(await store.fetchRange('k', 0, 60_000).toArray()).toEqual([])
  })

  it('[P4] toArray is a snapshot, for await is live', async () => {
    const { store } = openStore(kind, some)
    const taken = store.fetchRange('k', 0, 5000).toArray()
    store.put('k', undefined, 1000)
    expect(await taken).toEqual([
      [1000, 'd'],
      [2000, 'b'],
    ])
    const seen: number[] = []
    for await (const [start] of store.fetchRange('k', 0, 90_000)) {
      seen.push(start)
      if (start === 2000) {
        store.put('k', 'x', 500)
        store.put('k', 'x', 3000)
        store.put('k', 'x', 70_000)
      }
    }
    expect(seen).toEqual([2000, 3000, 70_000])
  })

  it('[S1] an open iteration ends where its segment expires under it', async () => {
    const { store } = openStore(kind, [
      ['k', 'a', 1000],
      ['k', 'b', 2000],
      ['k', 'c', 70_000],
    ])
    const seen: string[] = []
    for await (const [, value] of store.all()) {
      seen.push(value)
      if (value === 'a') store.put('k', 'd', 189_999)
    }
    expect(seen).toEqual(['a', 'c', 'd'])
  })

  it('[S1] an open iteration skips what the clock has hidden meanwhile, although its segment lives', async () => {
    const { store } = openStore(kind, [
      ['k', 'a', 60_000],
      ['k', 'b', 60_001],
      ['k', 'c', 60_002],
      ['k', 'd', 60_003],
    ])
    const seen: string[] = []
    for await (const [, value] of store.fetchRange('k', 0, 70_000)) {
      seen.push(value)
      if (value === 'a') store.put('k', 'e', 180_002)
    }
    expect(seen).toEqual(['a', 'd'])
  })

  it('[L10] refuses every operation, and every further step, once the callback has settled', async () => {
    let settled = false
    const { instance } = openStore(kind, some)
    const store = instance.open(accessFor(null, () => settled))
    const iterator = store.all()[Symbol.asyncIterator]()
    await iterator.next()
    settled = true
    const operations: (() => unknown)[] = [
      () => store.fetch('k', 0),
      () => store.put('k', 'v', 0),
      () => store.compute('k', 0, () => 'v'),
      () => store.fetchRange('k', 0, 1),
      () => store.backwardFetchRange('k', 0, 1),
      () => store.fetchAll(0, 1),
      () => store.backwardFetchAll(0, 1),
      () => store.fetchKeys('k', 'k', 0, 1),
      () => store.all(),
      () => store.backwardAll(),
    ]
    for (const operation of operations) expect(operation).toThrow('CALLBACK_SETTLED')
    await expect(iterator.next()).rejects.toThrow('CALLBACK_SETTLED')
    expect(instance.reader.fetch('k', 1000)).toBe('d')
    expect('put' in instance.reader || 'compute' in instance.reader).toBe(false)
  })
})
