import { describe, expect, it } from 'vitest'
import { accessFor, RecordingStoreEnvironment, record } from '../../../test/RecordingStoreEnvironment.js'
import { string } from '../../serde/string.js'
import { SeededRandom } from '../../time/Random.js'
import { validToUndefined, versionRefused } from '../VersionedState.js'
import { Stores, type VersionedStoreOptions } from './Stores.js'

const latest = validToUndefined

function versioned(options: VersionedStoreOptions, environment = new RecordingStoreEnvironment(string, string)) {
  const instance = Stores.versionedKeyValue<string, string>('s', options).build(environment)
  return { store: instance.open(accessFor(record(0, 0))), instance, environment }
}

const kept = { historyRetentionMs: 100, segmentIntervalMs: 10 }

describe('a versioned store (kafka-streams.md A.10)', () => {
  it('answers −1 for the newest version, and for an older one until when it holds', () => {
    const { store } = versioned(kept)
    expect(store.put('k', 'a', 10)).toBe(latest)
    expect(store.put('k', 'b', 50)).toBe(latest)
    expect(store.put('k', 'c', 30)).toBe(50)
    expect(store.put('k', 'd', 20)).toBe(30)
    expect(store.put('k', 'e', 5)).toBe(10)
    expect(store.put('k', 'f', 60)).toBe(latest)
    expect(store.put('k', 'g', 50)).toBe(60)
    expect(store.get('k')).toEqual({ value: 'f', timestamp: 60 })
  })

  it('reads as of a time, which a version begins with and ends before', () => {
    const { store } = versioned(kept)
    store.put('k', 'a', 10)
    store.put('k', 'b', 50)
    expect(store.getAsOf('k', 9)).toBeUndefined()
    expect(store.getAsOf('k', 10)).toEqual({ value: 'a', timestamp: 10 })
    expect(store.getAsOf('k', 49)).toEqual({ value: 'a', timestamp: 10 })
    expect(store.getAsOf('k', 50)).toEqual({ value: 'b', timestamp: 50 })
    expect(store.getAsOf('k', 10 ** 12)).toEqual({ value: 'b', timestamp: 50 })
  })

  it('replaces the version of an equal time, the newest and an older one', () => {
    const { store } = versioned(kept)
    store.put('k', 'a', 10)
    expect(store.put('k', 'b', 10)).toBe(latest)
    store.put('k', 'c', 20)
    expect(store.put('k', 'd', 10)).toBe(20)
    expect([store.getAsOf('k', 10), store.get('k')]).toEqual([
      { value: 'd', timestamp: 10 },
      { value: 'c', timestamp: 20 },
    ])
  })

  it('keeps deletions as versions, though they are never read', () => {
    const { store } = versioned(kept)
    expect(store.put('k', null, 60)).toBe(latest)
    expect(store.put('k', 'a', 55)).toBe(60)
    expect(store.get('k')).toBeUndefined()
    expect(store.getAsOf('k', 59)?.value).toBe('a')
    expect(store.getAsOf('k', 60)).toBeUndefined()
    expect(store.put('k', 'b', 70)).toBe(latest)
    expect(store.put('k', 'c', 65)).toBe(70)
    expect(store.put('k', undefined, 57)).toBe(60)
    expect([55, 57, 60, 65, 70].map((at) => store.getAsOf('k', at)?.value)).toEqual([
      'a',
      undefined,
      undefined,
      'c',
      'b',
    ])
  })

  it('remembers a deletion at the time of the newest version, which Kafka Streams forgets', () => {
    for (const emulatesKafka of [false, true]) {
      const environment = Object.assign(new RecordingStoreEnvironment(string, string), { emulatesKafka })
      const { store } = versioned(kept, environment)
      store.put('k', 'a', 21)
      store.put('k', null, 21)
      expect(store.put('k', 'b', 12)).toBe(emulatesKafka ? latest : 21)
      expect(store.get('k')?.value).toBe(emulatesKafka ? 'b' : undefined)
      // A version before it that has ended there tells it all the same.
      store.put('l', 'a', 11)
      store.put('l', 'b', 21)
      store.put('l', null, 21)
      expect(store.put('l', 'c', 12)).toBe(21)
    }
  })

  it('deletes as of a time and gives the version that this ends', () => {
    const { store } = versioned(kept)
    store.put('k', 'a', 10)
    store.put('k', 'b', 50)
    expect(store.delete('k', 30)).toEqual({ value: 'a', timestamp: 10 })
    expect(store.delete('k', 50)).toEqual({ value: 'b', timestamp: 50 })
    expect(store.delete('k', 60)).toBeUndefined()
    expect([29, 30, 50].map((at) => store.getAsOf('k', at)?.value)).toEqual(['a', undefined, undefined])
  })

  it('[G3] takes a put as old as the history, and refuses, counts and tells one that is older', () => {
    const { store, environment } = versioned(kept)
    store.put('z', 'clock', 151)
    expect(store.put('k', 'a', 51)).toBe(latest)
    expect(store.put('k', 'b', 50)).toBe(versionRefused)
    expect(store.delete('k', 50)).toBeUndefined()
    expect(environment.counted).toEqual(['dropped expired_put', 'dropped expired_put'])
    expect(environment.eventsOf('record-dropped')[0]).toMatchObject({ reason: 'expired_put', store: 's', node: 'n' })
    expect(environment.warnings[0]?.message).toContain('Skipping record for expired put.')
    expect(store.get('k')).toEqual({ value: 'a', timestamp: 51 })
  })

  it('reads the history to its oldest ms; the newest version also where it is older', () => {
    const { store, environment } = versioned(kept)
    store.put('k', 'a', 10)
    store.put('k', 'b', 60)
    store.put('old', 'x', 3)
    store.put('z', 'clock', 151)
    expect(store.getAsOf('k', 51)).toEqual({ value: 'a', timestamp: 10 })
    expect(environment.warnings).toEqual([])
    expect(store.getAsOf('k', 50)).toBeUndefined()
    expect(environment.warnings[0]?.message).toContain('Returning null for expired get.')
    expect(store.getAsOf('old', 3)).toEqual({ value: 'x', timestamp: 3 })
    expect(store.get('old')).toEqual({ value: 'x', timestamp: 3 })
  })

  it('is frozen by a put of the far future, at its newest values', () => {
    const { store } = versioned(kept)
    store.put('k', 'a', 10)
    store.put('z', 'far', 10 ** 12)
    expect(store.put('k', 'b', 20)).toBe(versionRefused)
    expect(store.get('k')).toEqual({ value: 'a', timestamp: 10 })
  })

  it('[S4] drops segments of ended versions whole, by when they ended, and no newest version', () => {
    const { store, instance, environment } = versioned(kept)
    for (const at of [0, 5, 15, 25]) store.put('k', `v${at}`, at)
    expect(instance.inspect().windowed?.segments.map(({ from, entries }) => [from, entries])).toEqual([
      [0, 1],
      [10, 1],
      [20, 1],
    ])
    // Oldest readable 20: what ended at 5 and at 15 goes.
    expect(instance.wouldExpire(119).map(({ from }) => from)).toEqual([0])
    expect(instance.wouldExpire(120).map(({ from }) => from)).toEqual([0, 10])
    store.put('z', 'clock', 120)
    expect(instance.inspect().windowed?.segments.map(({ from }) => from)).toEqual([20])
    expect(environment.eventsOf('segment-expired').map(({ from }) => from)).toEqual([0, 10])
    expect(store.getAsOf('k', 20)?.value).toBe('v15')
    expect(store.get('k')?.value).toBe('v25')
  })

  it('[S7] goes by the event clock where there is one, never by a put', () => {
    const environment = new RecordingStoreEnvironment(string, string, 151)
    const { store, instance } = versioned(kept, environment)
    expect(store.put('z', 'far', 10 ** 12)).toBe(latest)
    expect(store.put('k', 'a', 51)).toBe(latest)
    expect(store.put('k', 'b', 50)).toBe(versionRefused)
    store.put('k', 'c', 60)
    environment.clock = 200
    instance.clockMoved(null)
    expect(instance.inspect().windowed?.observed).toBe(200)
    expect(store.put('k', 'd', 99)).toBe(versionRefused)
  })

  it('tells keys apart of which one begins as the other', () => {
    const { store } = versioned(kept)
    for (const key of ['k', 'k\u0000', 'k\u0000\u0000\u0000\u0000\u0000\u0000\u0000\u0001', '']) {
      store.put(key, `${key}1`, 1)
      store.put(key, `${key}2`, 2)
    }
    expect(store.getAsOf('k', 1)?.value).toBe('k1')
    expect(store.getAsOf('k\u0000', 1)?.value).toBe('k\u00001')
    expect(store.getAsOf('', 1)?.value).toBe('1')
    expect(store.getAsOf('kk', 1)).toBeUndefined()
  })

  it('[W6] goes on after a restart from its observed time and its versions', () => {
    const { store, environment } = versioned(kept)
    store.put('k', 'a', 100)
    store.put('k', 'b', 180)
    const given = { ...environment, byteStores: environment.byteStores, restoredObserved: 180 }
    const again = Stores.versionedKeyValue<string, string>('s', kept).build(given).open(accessFor())
    expect(again.getAsOf('k', 179)?.value).toBe('a')
    expect(again.put('k', 'c', 79)).toBe(versionRefused)
    expect(again.put('k', 'd', 80)).toBe(100)
  })

  it.each([-1, 1.5, Number.NaN, 2 ** 53])('refuses the time %d', (at) => {
    const { store } = versioned(kept)
    expect(() => store.put('k', 'a', at)).toThrow(/s/)
    expect(() => store.getAsOf('k', at)).toThrow(/integer number of ms/)
  })

  it('is refused with a history or an interval that cannot be', () => {
    const build = (options: VersionedStoreOptions) => () => Stores.versionedKeyValue('s', options)
    expect(build({ historyRetentionMs: -1 })).toThrow('historyRetention cannot be negative')
    expect(build({ historyRetentionMs: 1, segmentIntervalMs: 0 })).toThrow('segmentInterval cannot be zero or negative')
    expect(build({ historyRetentionMs: 0, segmentIntervalMs: 1 })).not.toThrow()
  })

  it.each([
    [0, 2_000],
    [60_000, 20_000],
    [60_001, 20_000],
    [300_000, 60_000],
    [300_001, 60_000],
    [3_600_000, 300_000],
    [3_600_001, 300_000],
    [86_400_000, 3_600_000],
  ])('slices a history of %i ms into segments of %i ms', (historyRetentionMs, interval) => {
    const { instance } = versioned({ historyRetentionMs })
    expect(instance.inspect().windowed?.segmentIntervalMs).toBe(interval)
  })
})

/** What a versioned store must do, said with one list a key. */
class ModelStore {
  private readonly versions = new Map<string, Map<number, string | null>>()
  private observed = -1

  constructor(private readonly historyMs: number) {}

  put(key: string, value: string | null, at: number): number {
    if (at < this.observed - this.historyMs) return versionRefused
    this.observed = Math.max(this.observed, at)
    const known = this.versions.get(key) ?? new Map<number, string | null>()
    this.versions.set(key, known.set(at, value))
    const later = [...known.keys()].filter((time) => time > at)
    return later.length === 0 ? latest : Math.min(...later)
  }

  asOf(key: string, at: number) {
    const known = this.versions.get(key) ?? new Map<number, string | null>()
    const from = Math.max(-1, ...[...known.keys()].filter((time) => time <= at))
    const newest = Math.max(-1, ...known.keys())
    if (from < 0 || (at < this.observed - this.historyMs && from !== newest)) return undefined
    const value = known.get(from) ?? null
    return value === null ? undefined : { value, timestamp: from }
  }
}

it.each([1, 2, 3, 4, 5])('does what a list of versions would, whatever is put in whatever order (seed %i)', (seed) => {
  const random = new SeededRandom(seed)
  const upTo = (count: number) => Math.floor(random.next() * count)
  const { store } = versioned({ historyRetentionMs: 40, segmentIntervalMs: 7 })
  const model = new ModelStore(40)
  for (let step = 0; step < 600; step++) {
    const key = `k${upTo(3)}`
    const at = Math.floor(step / 6) + upTo(60)
    const value = upTo(3) === 0 ? null : `v${step}`
    expect([step, store.put(key, value, at)]).toEqual([step, model.put(key, value, at)])
    const asOf = Math.floor(step / 6) + upTo(60)
    expect([step, asOf, store.getAsOf(key, asOf)]).toEqual([step, asOf, model.asOf(key, asOf)])
    expect([step, store.get(key)]).toEqual([step, model.asOf(key, 10 ** 9)])
  }
})
