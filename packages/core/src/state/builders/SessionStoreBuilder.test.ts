import { describe, expect, it } from 'vitest'
import { accessFor, RecordingStoreEnvironment, record } from '../../../test/RecordingStoreEnvironment.js'
import type { Windowed } from '../../model/Windowed.js'
import { string } from '../../serde/string.js'
import type { StoreAccess } from '../StoreBuilder.js'
import type { StoreIterable } from '../stores.js'
import { SessionStoreBuilder } from './SessionStoreBuilder.js'
import { Stores } from './Stores.js'

const kinds = ['persistent', 'in-memory'] as const
type Kind = (typeof kinds)[number]

function openStore(kind: Kind, retentionMs = 120_000, access: StoreAccess = accessFor()) {
  const environment = new RecordingStoreEnvironment()
  const create = kind === 'persistent' ? Stores.session : Stores.inMemorySession
  const instance = create<string, string>('s', { retentionMs }).build(environment)
  const store = instance.open(access)
  const put = (key: string, start: number, end: number, value: string | undefined = `${key}${start}`) =>
    store.put({ key, window: { start, end } }, value)
  const remove = (key: string, start: number, end: number) => store.remove({ key, window: { start, end } })
  return { environment, instance, store, put, remove }
}

const shown = async (sessions: StoreIterable<readonly [Windowed<string>, string]>) =>
  (await sessions.toArray()).map(([{ key, window }]) => `${key}[${window.start},${window.end}]`)

describe.each(kinds)('the %s session store', (kind) => {
  const pick = <T>(persistent: T, inMemory: T): T => (kind === 'persistent' ? persistent : inMemory)

  it('[A.6] knows a session by key, start and end', () => {
    const { store, put } = openStore(kind)
    put('k', 10, 20, 'a')
    put('k', 10, 20, 'b')
    expect(store.fetchSession('k', 10, 20)).toBe('b')
    expect([store.fetchSession('k', 10, 21), store.fetchSession('k', 11, 20), store.fetchSession('l', 10, 20)]).toEqual(
      [undefined, undefined, undefined],
    )
  })

  it('[A.6] lists the sessions of a key by end, both ways', async () => {
    const { store, put } = openStore(kind)
    for (const [start, end] of [
      [30, 40],
      [10, 40],
      [20, 35],
      [0, 100],
    ] as const)
      put('k', start, end)
    put('k2', 1, 1)
    const forward = pick(
      ['k[20,35]', 'k[10,40]', 'k[30,40]', 'k[0,100]'],
      ['k[20,35]', 'k[30,40]', 'k[10,40]', 'k[0,100]'],
    )
    expect(await shown(store.fetch('k'))).toEqual(forward)
    expect(await shown(store.backwardFetch('k'))).toEqual([...forward].reverse())
  })

  it('[A.6] finds those that end at or after, and start at or before, both included', async () => {
    const { store, put } = openStore(kind)
    put('k', 10, 20)
    put('k', 40, 50)
    const find = (earliestEnd: number, latestStart: number) => shown(store.findSessions('k', earliestEnd, latestStart))
    expect(await find(20, 39)).toEqual(['k[10,20]'])
    expect(await find(20, 40)).toEqual(['k[10,20]', 'k[40,50]'])
    expect(await find(21, 40)).toEqual(['k[40,50]'])
    expect(await find(20, 9)).toEqual([])
    expect(await find(51, 100)).toEqual([])
    expect(await shown(store.backwardFindSessions('k', 20, 40))).toEqual(['k[40,50]', 'k[10,20]'])
  })

  it('[A.6] lists several keys, by key or by end', async () => {
    const { store, put } = openStore(kind)
    put('a', 0, 10)
    put('b', 5, 20)
    put('a', 30, 40)
    put('c', 30, 35)
    const all = pick(['a[0,10]', 'a[30,40]', 'b[5,20]', 'c[30,35]'], ['a[0,10]', 'b[5,20]', 'c[30,35]', 'a[30,40]'])
    expect(await shown(store.fetchKeys(undefined, undefined))).toEqual(all)
    expect(await shown(store.backwardFetchKeys(undefined, undefined))).toEqual([...all].reverse())
    expect(await shown(store.fetchKeys('a', 'b'))).toEqual(all.filter((session) => !session.startsWith('c')))
    expect(await shown(store.fetchKeys('b', 'a'))).toEqual([])
    const found = pick(['a[30,40]', 'b[5,20]', 'c[30,35]'], ['b[5,20]', 'c[30,35]', 'a[30,40]'])
    expect(await shown(store.findSessionsKeys('a', 'c', 15, 30))).toEqual(found)
    expect(await shown(store.backwardFindSessionsKeys('a', 'c', 15, 30))).toEqual([...found].reverse())
    expect(await shown(store.findSessionsKeys('a', 'c', 15, 29))).toEqual(['b[5,20]'])
  })

  it('[A.6] finds by time alone only where sessions are kept by time', async () => {
    const { store, put } = openStore(kind)
    put('b', 5, 20)
    put('a', 0, 21)
    put('c', 0, 22)
    if (kind === 'persistent') expect(() => store.findSessionsTime(20, 21)).toThrow(/by key.*by time alone/)
    else expect(await shown(store.findSessionsTime(20, 21))).toEqual(['b[5,20]', 'a[0,21]'])
  })

  it('[S1] reads sessions that end after observed − retention', async () => {
    const { store, put } = openStore(kind, 30_000)
    put('k', 0, 0)
    put('k', 0, 1)
    put('k', 20, 30_000)
    expect(store.fetchSession('k', 0, 0)).toBeUndefined()
    expect(store.fetchSession('k', 0, 1)).toBe('k0')
    expect(await shown(store.fetch('k'))).toEqual(['k[0,1]', 'k[20,30000]'])
  })

  it('[S2] refuses what has expired: by its segment, or exactly in memory', () => {
    const { environment, put } = openStore(kind, 30_000)
    put('k', 20, 30_000)
    put('k', 0, 0)
    expect(environment.counted).toEqual([pick('silent grey_zone', 'dropped expired_segment')])
    put('k', 0, 1)
    expect(environment.counted).toHaveLength(1)
    put('k', 60_000, 90_000)
    put('k', 5, 59_999)
    expect(environment.counted).toEqual([
      pick('silent grey_zone', 'dropped expired_segment'),
      'dropped expired_segment',
    ])
    expect(environment.warnings.at(-1)?.message).toContain('sessionEnd=[59999] readableAbove=[60000]')
  })

  it('[A.2] remove moves the clock where there are segments, and expires none by itself', async () => {
    const { store, environment, instance, put, remove } = openStore(kind, 30_000)
    put('k', 0, 100)
    remove('k', 10 ** 13, 10 ** 13)
    expect(await shown(store.fetch('k'))).toEqual(pick([], ['k[0,100]']))
    put('k', 0, 101)
    expect(environment.counted).toEqual(pick(['dropped expired_segment'], []))
    expect(instance.inspect().entries).toBe(pick(0, 2))
  })

  it('[A.6] put of undefined deletes, and so does remove', async () => {
    const { store, put, remove, instance } = openStore(kind)
    put('k', 10, 20)
    put('k', 30, 40)
    put('k', 50, 60)
    store.put({ key: 'k', window: { start: 10, end: 20 } }, undefined)
    remove('k', 30, 40)
    remove('k', 30, 41)
    expect(await shown(store.fetch('k'))).toEqual(['k[50,60]'])
    expect(instance.inspect().entries).toBe(1)
  })

  it('refuses what is no session, no key and no value', () => {
    const { store, put } = openStore(kind)
    expect(() => put('k', -1, 5)).toThrow(/\[-1, 5\]: Window startMs time cannot be negative/)
    expect(() => put('k', 6, 5)).toThrow(/\[6, 5\]: Window endMs time cannot be smaller than window startMs time/)
    expect(() => put('k', 5, 5)).not.toThrow()
    expect(() => store.fetchSession('k', 0.5, 5)).toThrow(/\[0.5, 5\]/)
    expect(() => put(null as never, 5, 5)).toThrow(/null/)
    expect(() => store.put({ key: 'k', window: { start: 5, end: 5 } }, null as never)).toThrow(
      /undefined or call remove/,
    )
    expect(() => store.findSessions('k', Number.NaN, 5)).toThrow(/NaN/)
  })

  it('[L10] a handle ends with its callback; the reader does not', async () => {
    let settled = false
    const { store, put, instance } = openStore(
      kind,
      1000,
      accessFor(record(0, 0), () => settled),
    )
    put('k', 1, 2)
    settled = true
    expect(() => store.fetch('k')).toThrow('CALLBACK_SETTLED')
    expect(() => put('k', 1, 2)).toThrow('CALLBACK_SETTLED')
    expect(() => store.remove({ key: 'k', window: { start: 1, end: 2 } })).toThrow('CALLBACK_SETTLED')
    expect(await shown(instance.reader.fetch('k'))).toEqual(['k[1,2]'])
  })

  it('[W5] a scan yields the keys of its lane, a read of one key always answers', async () => {
    const own = { ...accessFor(), ownsKey: (bytes: Uint8Array) => bytes[0] === 0x61 }
    const { store, put } = openStore(kind, 1000, own)
    put('a', 1, 2)
    put('b', 1, 2)
    expect(await shown(store.fetchKeys(undefined, undefined))).toEqual(['a[1,2]'])
    expect(await shown(store.fetch('b'))).toEqual(['b[1,2]'])
  })
})

describe('[S6] the retention of sessions that may still grow', () => {
  const open = (kafkaStreams: boolean, retentionMs = 15) => {
    const settings = { name: 's', retentionMs, leastRetentionMs: 16, expiry: 'exact' } as const
    const environment = Object.assign(new RecordingStoreEnvironment(), {
      emulates: (loss: string) => kafkaStreams && loss === 'overlapping-sessions',
    })
    const instance = new SessionStoreBuilder<string, string>(settings, string, string).build(environment)
    const store = instance.open(accessFor())
    store.put({ key: 'k', window: { start: 100, end: 110 } }, 'v')
    store.put({ key: 'z', window: { start: 125, end: 125 } }, 'v')
    return store.fetchSession('k', 100, 110)
  }

  it('is one more than gap + grace, which compat.overlapping-sessions takes back (H-3)', () => {
    expect(open(false)).toBe('v')
    expect(open(true)).toBeUndefined()
    expect(open(true, 16)).toBe('v')
  })
})
