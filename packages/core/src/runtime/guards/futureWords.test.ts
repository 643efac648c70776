import { expect, it } from 'vitest'
import type { Blast } from '../../events/EngineEvent.js'
import { days, hours } from '../../time/durations.js'
import { describeBlast, futureMessage } from './futureWords.js'

const at = { topic: 'in', partition: 2, offset: 7, timestamp: Date.UTC(2036, 10, 27) }
const nothing: Blast = { segments: [], windows: [], timers: [], refuses: [] }

it('[F3] says once where the record is, its time, and how far ahead, in units for people', () => {
  const message = futureMessage('events', at, { aheadMs: days(3_652), boundMs: hours(1) }, 'It passes.')
  expect(message).toBe(
    'The record in-2 @ 7 is stamped 2036-11-27T00:00:00.000Z, 10 y 2 d ahead of the reference clock; ' +
      'source "events" lets in at most 1 h. It passes.',
  )
})

it('[F3] lists what it would have taken, with times', () => {
  const blast: Blast = {
    segments: [{ store: 's', segment: 1, from: 0, to: days(1), entries: 4, bytes: 9 }],
    windows: [{ node: 'w', count: 2 }],
    timers: [{ node: 't', count: 3 }],
    refuses: [
      { where: 's', reason: 'expired_segment', from: 0, to: days(2) },
      { where: 'w', reason: 'late_window', from: 1, to: days(2) },
    ],
  }
  const before = 'before 1970-01-03T00:00:00.000Z would be refused by'
  expect(describeBlast(blast)).toBe(
    'With it: segment 1970-01-01T00:00:00.000Z to 1970-01-02T00:00:00.000Z of store "s" with 4 entries would expire; ' +
      '2 open windows of "w" would close; 3 pending timers of "t" would fire; ' +
      `records ${before} "s" (expired_segment); records from 1970-01-01T00:00:00.001Z ${before} "w" (late_window).`,
  )
})

it('[F5] says so when nothing would be lost', () => expect(describeBlast(nothing)).toBe('Nothing would be lost.'))
