import { describe, expect, it } from 'vitest'
import { accessFor, RecordingStoreEnvironment } from '../../../test/RecordingStoreEnvironment.js'
import { StreamError } from '../../errors/index.js'
import { long } from '../../serde/long.js'
import type { Serde } from '../../serde/Serde.js'
import { string } from '../../serde/string.js'
import { Stores } from './Stores.js'

function openStore(keySerde: Serde<any> = string, valueSerde: Serde<any> = long) {
  const environment = new RecordingStoreEnvironment(keySerde, valueSerde)
  const instance = Stores.keyValue<string, number>('s').build(environment)
  return { instance, store: instance.open(accessFor()) }
}

function errorOf(work: () => unknown): StreamError {
  try {
    work()
  } catch (error) {
    if (error instanceof StreamError) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

describe('key-value store: points', () => {
  it('[P4] answers at once with what was put, and undefined for what was not', () => {
    const { store } = openStore()
    expect(store.get('a')).toBeUndefined()
    store.put('a', 1)
    store.put('a', 2)
    expect(store.get('a')).toBe(2)
    expect(store.count()).toBe(1)
  })

  it('[P4] putIfAbsent puts only what is absent and gives what was there', () => {
    const { store } = openStore()
    expect(store.putIfAbsent('a', 1)).toBeUndefined()
    expect(store.putIfAbsent('a', 2)).toBe(1)
    expect(store.get('a')).toBe(1)
  })

  it('[P4] delete gives what was there', () => {
    const { store } = openStore()
    store.put('a', 1)
    expect(store.delete('a')).toBe(1)
    expect(store.delete('a')).toBeUndefined()
    expect(store.count()).toBe(0)
  })

  it('[P4] putAll puts all or, when one is bad, none', () => {
    const { store } = openStore()
    store.putAll([
      ['a', 1],
      ['b', 2],
    ])
    expect(() =>
      store.putAll([
        ['a', 9],
        ['c', 0.5],
      ]),
    ).toThrow(StreamError)
    expect([store.get('a'), store.get('b'), store.get('c')]).toEqual([1, 2, undefined])
  })

  it('[L6] all handles see the same entries', () => {
    const { instance, store } = openStore()
    store.put('a', 1)
    expect(instance.open(accessFor()).get('a')).toBe(1)
    expect(instance.reader.get('a')).toBe(1)
  })

  it('[P4] two applications of one builder share nothing', () => {
    const builder = Stores.keyValue('s', string, long)
    builder.build(new RecordingStoreEnvironment(string, long)).open(accessFor()).put('a', 1)
    expect(builder.build(new RecordingStoreEnvironment(string, long)).reader.get('a')).toBeUndefined()
  })

  it('[E7] a new instance over the same byte stores goes on where the last one was', () => {
    const builder = Stores.keyValue('s', string, long)
    const environment = new RecordingStoreEnvironment(string, long)
    builder.build(environment).open(accessFor()).put('a', 1)
    expect(builder.build(environment).reader.get('a')).toBe(1)
  })
})

describe('key-value store: compute and merge', () => {
  it('[P4] compute gets the value or undefined, and stores what it returns', () => {
    const { store } = openStore()
    const seen: (number | undefined)[] = []
    const next = (value: number | undefined) => {
      seen.push(value)
      return (value ?? 0) + 1
    }
    expect(store.compute('a', next)).toBe(1)
    expect(store.compute('a', next)).toBe(2)
    expect(seen).toEqual([undefined, 1])
    expect(store.get('a')).toBe(2)
  })

  it('[P4] compute deletes when it returns undefined', () => {
    const { store } = openStore()
    store.put('a', 1)
    expect(store.compute('a', () => undefined)).toBeUndefined()
    expect(store.count()).toBe(0)
  })

  it('[P4] merge puts the value, then the merger of old and new in that order', () => {
    const { store } = openStore()
    expect(store.merge('a', 10, (old, value) => old - value)).toBe(10)
    expect(store.merge('a', 3, (old, value) => old - value)).toBe(7)
    expect(store.get('a')).toBe(7)
  })

  it.each(['compute', 'merge'] as const)('[P4] %s refuses a promise and leaves the value', (operation) => {
    const { store } = openStore()
    store.put('a', 1)
    const later = async () => Promise.reject(new Error('late'))
    const error = errorOf(() =>
      operation === 'compute' ? store.compute('a', later as never) : store.merge('a', 2, later as never),
    )
    expect(error.code).toBe('SYNC_CALLBACK_RETURNED_PROMISE')
    expect(store.get('a')).toBe(1)
  })
})

describe('key-value store: ranges', () => {
  const filled = () => {
    const { store } = openStore()
    for (const [index, key] of ['a', 'b', 'ba', 'c', 'B', 'é'].entries()) store.put(key, index)
    return store
  }
  const keys = async (entries: { toArray(): Promise<(readonly [string, number])[]> }) =>
    (await entries.toArray()).map(([key]) => key)

  it('[P4] go by the unsigned bytes of the key, both ends included', async () => {
    const store = filled()
    expect(await keys(store.range('a', 'b'))).toEqual(['a', 'b'])
    expect(await keys(store.range('b', 'b'))).toEqual(['b'])
    expect(await keys(store.range(undefined, 'b'))).toEqual(['B', 'a', 'b'])
    expect(await keys(store.range('b', undefined))).toEqual(['b', 'ba', 'c', 'é'])
    expect(await keys(store.range('c', 'a'))).toEqual([])
    expect(await keys(store.all())).toEqual(['B', 'a', 'b', 'ba', 'c', 'é'])
  })

  it('[P4] go backwards over the same entries', async () => {
    const store = filled()
    expect(await keys(store.reverseRange('a', 'c'))).toEqual(['c', 'ba', 'b', 'a'])
    expect(await keys(store.reverseAll())).toEqual(['é', 'c', 'ba', 'b', 'a', 'B'])
  })

  it('[P4] put negative longs behind positive ones, as their bytes do', async () => {
    const { instance } = openStore(long, string)
    const store = instance.open(accessFor()) as never as import('../stores.js').KeyValueStore<number, string>
    for (const key of [1, -1, 256, 0]) store.put(key, String(key))
    expect((await store.all().toArray()).map(([key]) => key)).toEqual([0, 1, 256, -1])
    expect(await store.range(-1, 1).toArray()).toEqual([])
  })

  it('[P4] toArray is a snapshot of the moment of the call', async () => {
    const store = filled()
    const taken = store.range('b', 'c').toArray()
    store.delete('b')
    store.put('bb', 9)
    expect((await taken).map(([key]) => key)).toEqual(['b', 'ba', 'c'])
  })

  it('[L6] for await is live: it sees what is written ahead of it, and each key once', async () => {
    const store = filled()
    const seen: string[] = []
    for await (const [key] of store.all()) {
      seen.push(key)
      if (key === 'b') {
        store.delete('ba')
        store.put('bz', 1)
        store.put('A', 1)
      }
    }
    expect(seen).toEqual(['B', 'a', 'b', 'bz', 'c', 'é'])
  })

  it('[L8] can be read without waiting by the engine itself', () => {
    const entries = filled().range('a', 'b') as unknown as Iterable<readonly [string, number]>
    expect([...entries]).toEqual([
      ['a', 0],
      ['b', 1],
    ])
  })
})

describe('key-value store: refusals', () => {
  it.each([null, undefined])('[P4] refuses the key %s in every point operation, naming the store', (key) => {
    const { store } = openStore()
    const operations = [
      () => store.get(key as never),
      () => store.put(key as never, 1),
      () => store.putIfAbsent(key as never, 1),
      () => store.putAll([[key as never, 1]]),
      () => store.delete(key as never),
      () => store.compute(key as never, () => 1),
      () => store.merge(key as never, 1, () => 1),
    ]
    for (const operation of operations) {
      const error = errorOf(operation)
      expect(error).toMatchObject({ code: 'STORE_INVALID', kind: 'user', retriable: false, context: { store: 's' } })
      expect(error.message).toContain('"s"')
    }
  })

  it.each([null, undefined])('[P4] refuses the value %s and points to delete', (value) => {
    const { store } = openStore()
    store.put('a', 1)
    const operations = [
      () => store.put('a', value as never),
      () => store.putIfAbsent('b', value as never),
      () => store.putAll([['a', value as never]]),
      () => store.merge('a', 1, () => value as never),
    ]
    for (const operation of operations) {
      const error = errorOf(operation)
      expect(error.code).toBe('STORE_INVALID')
      expect(error.message).toContain('delete(key)')
    }
    expect(errorOf(() => store.compute('a', () => null as never)).code).toBe('STORE_INVALID')
    expect(store.get('a')).toBe(1)
    expect(store.count()).toBe(1)
  })

  it('[G2] says which store, side and serde could not be written, and keeps the cause', () => {
    const { store } = openStore()
    const error = errorOf(() => store.put('a', 0.5))
    expect(error.code).toBe('SERIALIZATION_FAILED')
    expect(error.message).toContain('The serde "long" could not write a value of the store "s"')
    expect(error.cause).toBeInstanceOf(StreamError)
    expect(error.context).toEqual({ store: 's', topic: 'app-s-changelog' })
  })

  it('[G2] says which store, side and serde could not be read', () => {
    const failing: Serde<number> = {
      id: 'failing',
      serialize: long.serialize,
      deserialize() {
        throw new Error('cannot read bad')
      },
    }
    const { store } = openStore(string, failing)
    store.put('a', 1)
    const error = errorOf(() => store.get('a'))
    expect(error.code).toBe('DESERIALIZATION_FAILED')
    expect(error.message).toBe('The serde "failing" could not read a value of the store "s": cannot read bad')
  })

  it('[G-72] shows its serdes the changelog topic', () => {
    const topics = new Set<string>()
    const noting = (serde: Serde<any>): Serde<any> => ({
      id: serde.id,
      serialize: (topic, headers, value) => serde.serialize(topics.add(topic) && topic, headers, value),
      deserialize: (topic, headers, bytes) => serde.deserialize(topics.add(topic) && topic, headers, bytes),
    })
    const { store } = openStore(noting(string), noting(long))
    store.put('a', 1)
    expect(store.get('a')).toBe(1)
    expect([...topics]).toEqual(['app-s-changelog'])
  })
})

describe('key-value store: handles', () => {
  it('[L10] refuses every operation once the callback has settled', () => {
    let settled = false
    const { instance } = openStore()
    const store = instance.open(accessFor(null, () => settled))
    store.put('a', 1)
    settled = true
    const operations: (() => unknown)[] = [
      () => store.get('a'),
      () => store.put('a', 2),
      () => store.putIfAbsent('b', 2),
      () => store.putAll([['b', 2]]),
      () => store.delete('a'),
      () => store.compute('a', () => 2),
      () => store.merge('a', 2, () => 2),
      () => store.range(),
      () => store.reverseRange(),
      () => store.all(),
      () => store.reverseAll(),
      () => store.count(),
    ]
    for (const operation of operations) expect(operation).toThrow('CALLBACK_SETTLED')
    expect(instance.reader.get('a')).toBe(1)
    expect(instance.reader.count()).toBe(1)
  })

  it('[L10] refuses the next step of an iteration that outlives its callback', async () => {
    let settled = false
    const { instance } = openStore()
    const store = instance.open(accessFor(null, () => settled))
    store.put('a', 1)
    store.put('b', 2)
    const all = store.all()
    const iterator = all[Symbol.asyncIterator]()
    expect((await iterator.next()).value).toEqual(['a', 1])
    settled = true
    await expect(iterator.next()).rejects.toThrow('CALLBACK_SETTLED')
    await expect(all.toArray()).rejects.toThrow('CALLBACK_SETTLED')
  })

  it('[L10] the reader of init has no way to write', () => {
    const { reader } = openStore().instance
    for (const name of ['put', 'putIfAbsent', 'putAll', 'delete', 'compute', 'merge'])
      expect(name in reader).toBe(false)
  })

  it('[F5] counts its entries and bytes, and has nothing that expires', () => {
    const { instance, store } = openStore()
    store.put('ab', 1)
    expect(instance.inspect()).toEqual({ name: 's', kind: 'key-value', entries: 1, bytes: 10 })
    expect(instance.wouldExpire(Number.MAX_SAFE_INTEGER)).toEqual([])
    expect(instance.countWindows(-1, Number.MAX_SAFE_INTEGER)).toBe(0)
    instance.clockMoved(null)
    expect(store.get('ab')).toBe(1)
  })
})
