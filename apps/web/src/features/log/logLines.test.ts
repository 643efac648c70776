import type { RareEvent } from '@lanescope/shared'
import { describe, expect, it } from 'vitest'
import { addRareEvents, emptyJournal } from '../../live/journal.js'
import { dropCounts, toLine, toLogLines } from './logLines.js'

const log = (n: number, message: string, level: 'info' | 'warn' | 'error' = 'info'): RareEvent => ({
  n,
  at: n,
  type: 'log',
  level,
  message,
})

describe('toLogLines', () => {
  it('lists the newest first and folds equal lines in a row', () => {
    const journal = addRareEvents(emptyJournal, [log(1, 'a'), log(2, 'b'), log(3, 'b'), log(4, 'a')])
    expect(toLogLines(journal, 'info', 10).map(({ message, count, n }) => [message, count, n])).toEqual([
      ['a', 1, 4],
      ['b', 2, 3],
      ['a', 1, 1],
    ])
  })
  it('shows lines of at least the level, at most so many', () => {
    const journal = addRareEvents(emptyJournal, [log(1, 'a'), log(2, 'b', 'warn'), log(3, 'c', 'error')])
    expect(toLogLines(journal, 'warn', 10).map((line) => line.message)).toEqual(['c', 'b'])
    expect(toLogLines(journal, 'info', 1)).toHaveLength(1)
  })
})

it('[G1] tells a drop once: neither its place twice, nor the line that the engine logs of it', () => {
  const detail = 'Node "n" failed at t-0 @ 1200, key k: boom.'
  const at = { topic: 't', partition: 0, offset: 1_200, timestamp: 5 }
  const dropped: RareEvent = {
    n: 2,
    at: 2,
    type: 'dropped',
    reason: 'processing',
    node: 'n',
    coordinates: at,
    detail,
    count: 1,
  }
  const journal = addRareEvents(emptyJournal, [
    log(1, detail, 'warn'),
    dropped,
    log(3, `Rejected: ${detail}`),
    log(4, 'x'),
  ])
  expect(toLogLines(journal, 'info', 9).map(({ message }) => message)).toEqual(['x', `1 record dropped: ${detail}`])
})

it('[G3] shows times in what was dropped as times, and offsets as they are', () => {
  const detail = 'offset=[1234567890123456] timestamp=[1796006008288] window=[1795996800000,1796083200000)'
  const at = { n: 1, at: 1, type: 'dropped', reason: 'late_window', node: 'n', coordinates: null, count: 1 } as const
  expect(toLine({ ...at, detail }).message).toBe(
    '1 record dropped: offset=[1234567890123456] timestamp=[2026-11-30 02:33:28.288] ' +
      'window=[2026-11-30 00:00:00.000,2026-12-01 00:00:00.000)',
  )
})

it('[S3] says of a drop how many it stands for, where, and which record moved the clock', () => {
  const line = toLine({
    n: 1,
    at: 1,
    type: 'dropped',
    reason: 'expired_segment',
    node: 'count',
    store: 'per-day',
    coordinates: { topic: 't', partition: 0, offset: 1_200, timestamp: 5 },
    detail: 'expired',
    movedBy: { topic: 't', partition: 1, offset: 7, timestamp: 9 },
    count: 3,
  })
  expect(line).toMatchObject({ level: 'warn', what: 'expired_segment', node: 'count' })
  expect(line.message).toBe('3 records dropped: t-0 @ 1,200, expired (store per-day); the clock was moved by t-1 @ 7')
})

it('[G3] counts every reason that the run counts', () => {
  expect(
    dropCounts({
      'dropped_records_total{reason="null_key"}': 2,
      'dropped_records_total{node="a",reason="late_window"}': 5,
      'silent_loss_total{reason="grey_zone"}': 1,
      timer_lane_mismatch_total: 9,
    }),
  ).toEqual([
    { reason: 'late_window', count: 5 },
    { reason: 'null_key', count: 2 },
    { reason: 'grey_zone', count: 1 },
  ])
})
