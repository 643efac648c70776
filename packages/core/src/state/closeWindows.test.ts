import { describe, expect, it } from 'vitest'
import { accessFor, RecordingStoreEnvironment, record } from '../../test/RecordingStoreEnvironment.js'
import { string } from '../serde/string.js'
import { SessionStoreBuilder } from './builders/SessionStoreBuilder.js'
import { WindowStoreBuilder } from './builders/WindowStoreBuilder.js'
import type { ClosingStore } from './closeWindows.js'
import { sessionAccess } from './SessionHandle.js'
import { windowAccess } from './WindowHandle.js'

const kafkaStreams = { emulates: (repair: string) => repair === 'on-window-close-loss' }
const settings = { name: 's', retentionMs: 10, expiry: 'segments', byTime: true, closes: true } as const

function windowsOf(environment: RecordingStoreEnvironment) {
  const builder = new WindowStoreBuilder<string, string>({ ...settings, windowSizeMs: 10 }, string, string)
  const store = builder.build(environment).open(accessFor(record(0, 0)))
  const put = (key: string, start: number) => store.put(key, key, start)
  return {
    store,
    put,
    closer: windowAccess(store).closer as ClosingStore<string, string>,
    inspect: () => environment.eventsOf('segment-expired'),
  }
}

const close = (closer: ClosingStore<string, string>, closeTime: number, limit = 1000, clock = closeTime) => {
  const given: string[] = []
  const span = { clock, closeTime, from: Math.max(0, closer.closedUpTo - 9), to: closeTime - 10 }
  const all = closer.close(span, ({ key, window }) => given.push(`${key}[${window.start},${window.end}]`), limit, null)
  return [given.join(' '), all]
}

describe('[A.8] what closes', () => {
  const filled = (environment = new RecordingStoreEnvironment()) => {
    const opened = windowsOf(environment)
    for (const [key, start] of [
      ['b', 10],
      ['a', 0],
      ['c', 0],
      ['b', 0],
      ['a', 20],
    ] as const)
      opened.put(key, start)
    return { ...opened, environment }
  }

  it('is given by start, then key, each once, with the bytes of its lane', () => {
    const { closer } = filled()
    expect(closer.closedUpTo).toBe(-1)
    expect(close(closer, 20)).toEqual(['a[0,10] b[0,10] c[0,10] b[10,20]', true])
    expect(closer.closedUpTo).toBe(20)
    expect(close(closer, 29)).toEqual(['', true])
    expect(close(closer, 30)).toEqual(['a[20,30]', true])
  })

  it('[L12] is given in parts that go on where the last one stopped, also behind a restart', () => {
    const { closer, environment } = filled()
    expect(close(closer, 20, 2)).toEqual(['a[0,10] b[0,10]', false])
    expect(closer.closedUpTo).toBe(-1)
    const again = windowsOf(environment).closer
    expect(close(again, 20, 1)).toEqual(['c[0,10]', false])
    expect(close(again, 20, 2)).toEqual(['b[10,20]', true])
    const { put, closer: later } = windowsOf(environment)
    put('a', 30)
    expect(later.closedUpTo).toBe(20)
    // Nothing is left of where the last parts stopped.
    expect(close(later, 40)).toEqual(['a[20,30] a[30,40]', true])
  })

  it('is there to be found as long as it has not been given', () => {
    const { closer, put } = filled()
    const has = (from: number, to: number) => closer.hasClosing({ from, to })
    expect([has(0, 0), has(0, 10)]).toEqual([true, true])
    close(closer, 30)
    expect(has(21, 25)).toBe(false)
    put('a', 26)
    expect([has(21, 25), has(21, 26)]).toEqual([false, true])
  })

  it('[S6] outlives its retention until it has been given', () => {
    const { closer, put, environment } = filled()
    put('z', 10 ** 6)
    expect(environment.eventsOf('segment-expired')).toEqual([])
    expect(close(closer, 10 ** 6, 1000, 10 ** 6)[0]).toBe('a[0,10] b[0,10] c[0,10] b[10,20] a[20,30]')
    expect(environment.eventsOf('segment-expired').map(({ segment }) => segment)).toEqual([0])
  })

  it('[S6] H-2: is lost with what reads no longer see, to a millisecond', () => {
    const { closer, put } = filled(Object.assign(new RecordingStoreEnvironment(), kafkaStreams))
    put('z', 30)
    // Stores by time read one more than others: start ≥ 30 − 10.
    expect(close(closer, 30)).toEqual(['a[20,30]', true])
  })
})

describe('[A.8] sessions that close', () => {
  it.each([
    [60_015, true],
    [60_016, false],
  ])('[S6] H-2: at %d come from a segment that lives: %s', (clock, lives) => {
    const environment = Object.assign(new RecordingStoreEnvironment(), kafkaStreams)
    const builder = new SessionStoreBuilder<string, string>({ ...settings, retentionMs: 16 }, string, string)
    const store = builder.build(environment).open(accessFor(record(0, 0)))
    store.put({ key: 'a', window: { start: 5, end: 14 } }, 'v')
    store.put({ key: 'z', window: { start: clock, end: clock } }, 'v')
    const given: string[] = []
    const closer = sessionAccess(store).closer
    closer.close(
      { clock, closeTime: clock - 15, from: 0, to: clock - 16 },
      ({ key, window }) => given.push(`${key}[${window.start},${window.end}]`),
      10,
      null,
    )
    expect(given).toEqual(lives ? ['a[5,14]'] : [])
  })
})
