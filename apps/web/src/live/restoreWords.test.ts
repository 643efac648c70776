import type { RunSummary, WireRestore } from '@lanescope/shared'
import { describe, expect, it } from 'vitest'
import {
  amountWords,
  formatBytes,
  restoredIntoWords,
  restoredShare,
  restoreUnderWay,
  stateHeadline,
  timeLeftWords,
} from './restoreWords.js'

const restore: WireRestore = {
  ...{ records: 1_200, bytes: 48_000, offsets: 3_000, left: 1_800, leftMs: 6_000 },
  ...{ at: 10, elapsedMs: 4_000, stores: 2, storesLeft: 1, parts: [] },
}
const run = (change: Partial<RunSummary> = {}): RunSummary => ({
  ...{ runId: 'r1', projectId: 'p', state: 'starting', log: 'embedded' },
  ...{ startedAt: 0, endedAt: null, error: null },
  ...change,
})

describe('[T8] a start that restores', () => {
  it('is told only while a store lacks something, and the run lives', () => {
    expect(restoreUnderWay(run({ restore }))).toBe(restore)
    expect(restoreUnderWay(run({ restore: { ...restore, storesLeft: 0 } }))).toBeNull()
    expect(restoreUnderWay(run({ restore, endedAt: 5 }))).toBeNull()
    expect(restoreUnderWay(run())).toBeNull()
    expect(restoreUnderWay(null)).toBeNull()
  })

  it('says how much is through by offsets, compacted ones too', () => {
    expect(restoredShare(restore)).toBe(0.4)
    expect(restoredShare({ ...restore, left: 0 })).toBe(1)
    expect(restoredShare({ ...restore, offsets: 0, left: 0 })).toBe(1)
  })

  it('names no time left before something has come', () => {
    const { leftMs, ...unknown } = restore
    expect(timeLeftWords(unknown)).toBe('time left not known yet')
    expect(timeLeftWords({ ...unknown, leftMs: 6_000 })).toBe('about 6 s left')
    expect(timeLeftWords({ ...unknown, left: 0 })).toBe('whole')
  })

  it('tells afterwards what was read, into how many stores, in what time', () => {
    expect(amountWords(restore)).toBe('1,200 records, 48 kB')
    expect(restoredIntoWords(restore)).toBe('2 stores in 4 s')
    expect(amountWords({ ...restore, records: 1, bytes: 1 })).toBe('1 record, 1 byte')
  })
})

describe('the headline of a run', () => {
  it('says what it does while it does not just run', () => {
    expect(stateHeadline(run({ restore }))).toBe('Restoring state, 40 %')
    expect(stateHeadline(run())).toBe('Starting')
    expect(stateHeadline(run({ state: 'stopping' }))).toBe('Stopping')
  })
  it('is not there while it runs, nor after it', () => {
    expect(stateHeadline(run({ state: 'running' }))).toBeNull()
    expect(stateHeadline(run({ state: 'failed', endedAt: 5 }))).toBeNull()
    expect(stateHeadline(null)).toBeNull()
  })
  it('is that it starts from the moment on that a run is asked for', () => {
    expect(stateHeadline(run({ state: 'stopped', endedAt: 5 }), true)).toBe('Starting')
    expect(stateHeadline(null, true)).toBe('Starting')
    expect(stateHeadline(run({ state: 'running' }), true)).toBeNull()
  })
  it('tells a restore in place after a fault, too, where the run calls itself running', () => {
    expect(stateHeadline(run({ state: 'running', restore }))).toBe('Restoring state, 40 %')
  })
})

it.each([
  [0, '0 bytes'],
  [999, '999 bytes'],
  [1_000, '1 kB'],
  [1_250, '1.3 kB'],
  [48_000, '48 kB'],
  [1_000_000, '1 MB'],
  [2_500_000_000, '2.5 GB'],
])('%d bytes are %s', (bytes, words) => {
  expect(formatBytes(bytes)).toBe(words)
})
