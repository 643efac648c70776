import { describe, expect, it } from 'vitest'
import { accessFor, RecordingStoreEnvironment } from '../../../test/RecordingStoreEnvironment.js'
import { Stores } from './Stores.js'

const options = { retentionMs: 120_000, windowSizeMs: 10, retainDuplicates: true }

describe.each(['persistent', 'in-memory'] as const)('[A.5] a %s window store that retains duplicates', (kind) => {
  const persistent = kind === 'persistent'
  const create = persistent ? Stores.window : Stores.inMemoryWindow
  const open = (environment = new RecordingStoreEnvironment()) => {
    const instance = create<string, string>('s', options).build(environment)
    return { environment, instance, store: instance.open(accessFor()) }
  }
  type Store = ReturnType<typeof open>['store']
  const read = async (store: Store) => (await store.fetchRange('k', 0, 10 ** 9).toArray()).map(([at, v]) => `${at}${v}`)

  it('keeps every put of a key and start, oldest first', async () => {
    const { store } = open()
    store.put('k', 'a', 5)
    store.put('k', 'b', 5)
    store.put('m', 'c', 5)
    store.put('k', 'd', 4)
    store.put('k', 'a', 5)
    expect(await read(store)).toEqual(['4d', '5a', '5b', '5a'])
    expect((await store.backwardFetchRange('k', 0, 10).toArray()).map(([, v]) => v)).toEqual(['a', 'b', 'a', 'd'])
  })

  it('gives by its start only the last that was put at all, and in memory none', () => {
    const { store } = open()
    store.put('k', 'a', 5)
    expect(store.fetch('k', 5)).toBe(persistent ? 'a' : undefined)
    store.put('k', 'b', 4)
    expect([store.fetch('k', 5), store.fetch('k', 4)]).toEqual([undefined, persistent ? 'b' : undefined])
  })

  it('deletes nothing; a null moves the clock in memory alone', async () => {
    const { store, instance } = open()
    store.put('k', 'a', 5)
    store.put('k', undefined, 5)
    expect(await read(store)).toEqual(['5a'])
    store.put('k', undefined, 500_000)
    expect(instance.inspect().windowed?.observed).toBe(persistent ? 5 : 500_000)
    expect(await read(store)).toEqual(persistent ? ['5a'] : [])
  })

  it('goes on behind what a restart found, and loses none of it', async () => {
    const { store, environment } = open()
    for (const value of ['a', 'b', 'c']) store.put('k', value, 5)
    const again = open(environment).store
    again.put('k', 'd', 5)
    again.put('k', 'x', 6)
    again.put('k', 'e', 5)
    expect(await read(again)).toEqual(['5a', '5b', '5c', '5d', '5e', '6x'])
  })
})
