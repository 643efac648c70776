import { describe, expect, it } from 'vitest'
import { accessFor, RecordingStoreEnvironment, record } from '../../../test/RecordingStoreEnvironment.js'
import { string } from '../../serde/string.js'
import { Stores } from './Stores.js'

const kinds = ['persistent', 'in-memory'] as const
type Kind = (typeof kinds)[number]

/** Retention 120000, so segments of a minute. */
function openStore(kind: Kind, clock?: number) {
  const environment = new RecordingStoreEnvironment(string, string, clock)
  const create = kind === 'persistent' ? Stores.window : Stores.inMemoryWindow
  const instance = create<string, string>('s', { retentionMs: 120_000, windowSizeMs: 1000 }).build(environment)
  const put = (offset: number, start: number, value = 'v') =>
    instance.open(accessFor(record(offset, start))).put('k', value, start)
  const remove = (offset: number, start: number) =>
    instance.open(accessFor(record(offset, start))).put('k', undefined, start)
  const segments = () => instance.inspect().windowed?.segments.map(({ segment, entries }) => [segment, entries])
  return { environment, instance, put, remove, segments }
}

const bytesOf = (kind: Kind, windows: number) => windows * (kind === 'persistent' ? 14 : 29)

describe.each(kinds)('puts of other lanes and the %s window store', (kind) => {
  it('[W7] [S7] in stream-time mode move nothing past the event clock, and expiry follows when that has moved', () => {
    const { environment, instance, put, segments } = openStore(kind)
    let clock = 70_000
    environment.heldClock = () => clock
    put(0, 50_000)
    put(1, 400_000)
    const observed = () => instance.inspect().windowed?.observed
    expect(observed()).toBe(70_000)
    expect(instance.open(accessFor(record(2, 50_000))).fetch('k', 50_000)).toBe('v')
    put(2, 50_001)
    expect(environment.counted).toEqual([])
    instance.clockMoved(null)
    expect(segments()).toEqual([
      [0, 2],
      [6, 1],
    ])
    clock = 390_000
    instance.clockMoved(record(9, 390_000))
    expect([observed(), segments()]).toEqual([390_000, [[6, 1]]])
    // Said of the record whose put has moved the clock there.
    expect(environment.eventsOf('segment-expired')).toMatchObject([
      { segment: 0, clockBefore: 70_000, clockAfter: 390_000, causedBy: record(1, 400_000) },
    ])
    clock = 500_000
    expect(observed()).toBe(400_000)
  })
})

describe.each(kinds)('segments of the %s window store', (kind) => {
  it('[S5] tells each creation, with the record that caused it and the clock before and after', () => {
    const { environment, put } = openStore(kind)
    put(0, 59_999)
    put(1, 59_998)
    put(2, 60_000)
    expect(environment.events).toEqual([
      {
        type: 'segment-created',
        store: 's',
        segment: 0,
        from: 0,
        to: 60_000,
        entries: 1,
        bytes: bytesOf(kind, 1),
        clockBefore: -1,
        clockAfter: 59_999,
        causedBy: record(0, 59_999),
      },
      {
        type: 'segment-created',
        store: 's',
        segment: 1,
        from: 60_000,
        to: 120_000,
        entries: 1,
        bytes: bytesOf(kind, 1),
        clockBefore: 59_999,
        clockAfter: 60_000,
        causedBy: record(2, 60_000),
      },
    ])
  })

  it('[S5] tells each expiry with what was lost, before the creation that follows it', () => {
    const { environment, put, segments } = openStore(kind)
    put(0, 1000)
    put(1, 2000)
    put(2, 60_000)
    environment.events.length = 0
    put(3, 10 ** 13)
    const cause = { clockBefore: 60_000, clockAfter: 10 ** 13, causedBy: record(3, 10 ** 13) }
    expect(environment.events).toEqual([
      {
        type: 'segment-expired',
        store: 's',
        segment: 0,
        from: 0,
        to: 60_000,
        entries: 2,
        bytes: bytesOf(kind, 2),
        ...cause,
      },
      {
        type: 'segment-expired',
        store: 's',
        segment: 1,
        from: 60_000,
        to: 120_000,
        entries: 1,
        bytes: bytesOf(kind, 1),
        ...cause,
      },
      expect.objectContaining({ type: 'segment-created', ...cause }),
    ])
    expect(segments()).toEqual([[Math.trunc(10 ** 13 / 60_000), 1]])
  })

  it('[S1] drops a segment when the clock leaves it by the retention, not a millisecond before', () => {
    const { environment, put, segments } = openStore(kind)
    put(0, 0)
    put(1, 179_999)
    expect(segments()).toEqual([
      [0, 1],
      [2, 1],
    ])
    expect(environment.eventsOf('segment-expired')).toEqual([])
    put(2, 180_000)
    expect(segments()).toEqual([
      [2, 1],
      [3, 1],
    ])
    expect(environment.eventsOf('segment-expired')).toHaveLength(1)
  })

  it('[A.1] makes no segment for a delete', () => {
    const { environment, remove, segments } = openStore(kind)
    remove(0, 1000)
    expect(segments()).toEqual([])
    expect(environment.events).toEqual([])
  })

  it('[S3] a refused put is counted, evented with the record that moved the clock there, and logged', () => {
    const { environment, put } = openStore(kind)
    put(7, 10 ** 13)
    put(8, 10 ** 13 - 5)
    put(9, 5)
    expect(environment.counted).toEqual(['dropped expired_segment'])
    const [dropped] = environment.eventsOf('record-dropped')
    expect(dropped).toMatchObject({
      reason: 'expired_segment',
      node: 'n',
      store: 's',
      coordinates: record(9, 5),
      movedBy: record(7, 10 ** 13),
    })
    expect(dropped?.detail).toContain('Skipping record for expired segment.')
    expect(dropped?.detail).toContain('key=[k] windowStart=[5]')
    expect(dropped?.detail).toContain('offset=[7]')
    expect(environment.warnings).toEqual([{ key: 'expired_segment s', message: dropped?.detail }])
  })

  it('[S3] counts and logs also when nobody listens, and then builds no event', () => {
    const { environment, put } = openStore(kind)
    environment.deafTo = ['record-dropped', 'segment-created', 'segment-expired', 'silent-loss']
    put(0, 0)
    put(1, 10 ** 13)
    put(2, 5)
    put(3, 10 ** 13 - 120_000)
    expect(environment.events).toEqual([])
    expect(environment.counted).toEqual([
      'dropped expired_segment',
      kind === 'persistent' ? 'silent grey_zone' : 'dropped expired_segment',
    ])
    expect(environment.warnings).toHaveLength(2)
  })

  it('[F5] would expire the segments below the new bound that hold data, and changes nothing', () => {
    const { environment, instance, put, remove } = openStore(kind)
    put(0, 1000)
    put(1, 60_000)
    remove(2, 60_000)
    put(3, 120_000)
    environment.events.length = 0
    const before = instance.inspect()
    const ids = (timestamp: number) => instance.wouldExpire(timestamp).map(({ segment }) => segment)
    expect(ids(179_999)).toEqual([])
    expect(ids(180_000)).toEqual([0])
    expect(ids(240_000)).toEqual([0])
    expect(ids(299_999)).toEqual([0])
    expect(ids(300_000)).toEqual([0, 2])
    expect(ids(5)).toEqual([])
    expect(instance.wouldExpire(180_000)).toEqual([
      { store: 's', segment: 0, from: 0, to: 60_000, entries: 1, bytes: bytesOf(kind, 1) },
    ])
    expect(instance.inspect()).toEqual(before)
    expect(environment.events).toEqual([])
  })

  it('[S5] inspects itself by counts that puts and deletes keep', () => {
    const { instance, put, remove } = openStore(kind)
    put(0, 1000)
    put(1, 1000, 'vvv')
    put(2, 60_000)
    put(3, 60_001)
    remove(4, 60_001)
    expect(instance.inspect()).toEqual({
      name: 's',
      kind: 'window',
      entries: 2,
      bytes: bytesOf(kind, 2) + 2,
      windowed: {
        retentionMs: 120_000,
        segmentIntervalMs: 60_000,
        observed: 60_001,
        movedBy: record(3, 60_001),
        readableAbove: -59_999,
        segments: [
          { store: 's', segment: 0, from: 0, to: 60_000, entries: 1, bytes: bytesOf(kind, 1) + 2 },
          { store: 's', segment: 1, from: 60_000, to: 120_000, entries: 1, bytes: bytesOf(kind, 1) },
        ],
      },
    })
  })

  it('[F5] counts readable windows with startAfter < start ≤ startUpTo', () => {
    const { instance, put } = openStore(kind)
    for (const [offset, start] of [60_000, 60_001, 119_999, 120_000, 150_000, 180_000].entries()) put(offset, start)
    expect(instance.countWindows(-1, 10 ** 13)).toBe(5)
    expect(instance.countWindows(60_000, 119_999)).toBe(2)
    expect(instance.countWindows(60_001, 119_999)).toBe(1)
    expect(instance.countWindows(60_001, 119_998)).toBe(0)
    expect(instance.countWindows(119_999, 179_999)).toBe(2)
    expect(instance.countWindows(120_000, 180_000)).toBe(2)
    expect(instance.countWindows(119_999, 150_000)).toBe(2)
    expect(instance.countWindows(150_000, 149_999)).toBe(0)
    put(9, 179_999)
    expect(instance.countWindows(119_999, 179_998)).toBe(2)
    expect(instance.countWindows(119_999, 179_999)).toBe(3)
    expect(instance.countWindows(180_000, 10 ** 13)).toBe(0)
  })
})

describe('the grey zone of the persistent window store', () => {
  it('[G3] is counted, evented and logged as a silent loss', () => {
    const { environment, put, segments } = openStore('persistent')
    put(7, 180_000)
    put(8, 60_000)
    expect(environment.counted).toEqual(['silent grey_zone'])
    const [lost] = environment.eventsOf('silent-loss')
    expect(lost).toMatchObject({ reason: 'grey_zone', node: 'n', coordinates: record(8, 60_000) })
    expect(lost?.detail).toContain('windowStart=[60000] readableAbove=[60000] observed=[180000]')
    expect(environment.warnings).toEqual([{ key: 'grey_zone s', message: lost?.detail }])
    expect(environment.eventsOf('record-dropped')).toEqual([])
    expect(segments()).toEqual([
      [1, 1],
      [3, 1],
    ])
  })
})

describe.each(kinds)('the %s window store in watermark mode', (kind) => {
  it('[S7] goes by the event clock, never by a put', () => {
    const { environment, instance, put } = openStore(kind, 100_000)
    put(0, 10 ** 13)
    put(1, 1000)
    expect(environment.counted).toEqual([])
    expect(instance.reader.fetch('k', 1000)).toBe('v')
    expect(instance.reader.fetch('k', 10 ** 13)).toBe('v')
    expect(instance.inspect().windowed).toMatchObject({ observed: 100_000, readableAbove: -20_000 })
    expect(environment.eventsOf('segment-created')[0]).toMatchObject({ clockBefore: 100_000, clockAfter: 100_000 })
  })

  it('[S7] reads and refuses by the clock as it stands', () => {
    const { environment, instance, put } = openStore(kind, 0)
    put(0, 60_000)
    put(1, 60_001)
    environment.clock = 180_000
    expect(instance.reader.fetch('k', 60_000)).toBeUndefined()
    expect(instance.reader.fetch('k', 60_001)).toBe('v')
    put(2, 59_999)
    expect(environment.counted).toEqual(['dropped expired_segment'])
  })

  it('[S7] [S5] expires segments when the clock has moved, naming the record that moved it', () => {
    const { environment, instance, put, segments } = openStore(kind, 0)
    put(0, 1000)
    put(1, 70_000)
    environment.clock = 179_999
    instance.clockMoved(record(5, 189_999))
    expect(environment.eventsOf('segment-expired')).toEqual([])
    environment.clock = 180_000
    instance.clockMoved(record(6, 190_000))
    expect(environment.eventsOf('segment-expired')).toEqual([
      expect.objectContaining({
        segment: 0,
        entries: 1,
        clockBefore: 179_999,
        clockAfter: 180_000,
        causedBy: record(6, 190_000),
      }),
    ])
    expect(segments()).toEqual([[1, 1]])
    expect(instance.inspect().windowed?.movedBy).toEqual(record(6, 190_000))
  })

  it('[S7] keeps the later bound when the clock it is shown goes back', () => {
    const { environment, instance } = openStore(kind, 200_000)
    instance.clockMoved(record(0, 200_000))
    environment.clock = 100_000
    instance.clockMoved(record(1, 100_000))
    expect(instance.inspect().windowed).toMatchObject({ observed: 200_000, movedBy: record(0, 200_000) })
  })

  it('[S7] names the first record that moved the clock to where it stands', () => {
    const { instance } = openStore(kind, 200_000)
    instance.clockMoved(record(0, 200_000))
    instance.clockMoved(record(1, 200_000))
    expect(instance.inspect().windowed?.movedBy).toEqual(record(0, 200_000))
  })

  it('[F5] foretells what the clock has already passed and clockMoved will drop', () => {
    const { environment, instance, put } = openStore(kind, 0)
    put(0, 1000)
    environment.clock = 180_000
    expect(instance.wouldExpire(0).map(({ segment }) => segment)).toEqual([0])
  })

  it('[S7] names the mover in what it refuses', () => {
    const { environment, instance, put } = openStore(kind, 10 ** 13)
    instance.clockMoved(record(4, 10 ** 13))
    put(5, 1000)
    expect(environment.eventsOf('record-dropped')[0]?.movedBy).toEqual(record(4, 10 ** 13))
  })

  it('[S7] ignores clockMoved in stream-time mode', () => {
    const { instance, put } = openStore(kind)
    put(0, 1000)
    instance.clockMoved(record(1, 10 ** 13))
    expect(instance.inspect().windowed?.observed).toBe(1000)
  })
})
