import { describe, expect, it } from 'vitest'
import { Headers } from '../model/Headers.js'
import type { TimestampExtractor } from './TimestampExtractor.js'
import {
  failOnInvalidTimestamp,
  logAndSkipOnInvalidTimestamp,
  usePartitionTimeOnInvalidTimestamp,
  wallclockTimestamp,
} from './timestampExtractors.js'

const at = (timestamp: number) => ({
  topic: 'in',
  partition: 2,
  offset: 7,
  timestamp,
  key: null,
  value: null,
  headers: Headers.empty,
})
const extract = (extractor: TimestampExtractor<any, any>, timestamp: number, partitionTime = -1) =>
  extractor.extract(at(timestamp), partitionTime)

const greatest = Number.MAX_SAFE_INTEGER

describe.each([failOnInvalidTimestamp, logAndSkipOnInvalidTimestamp, usePartitionTimeOnInvalidTimestamp])(
  '$id',
  (extractor) => {
    it.each([0, 5, greatest])('takes the valid time %d as it is, whatever the partition time', (timestamp) => {
      expect(extract(extractor, timestamp, 99)).toBe(timestamp)
    })
  },
)

describe('a record with a time outside 0 … 2^53−1 (kafka-streams.md B.1, [W1])', () => {
  it.each([-1, greatest + 1, 1.5, Number.NaN])('%d ends the run under FailOnInvalidTimestamp', (timestamp) => {
    expect(() => extract(failOnInvalidTimestamp, timestamp)).toThrow(
      expect.objectContaining({
        code: 'TIMESTAMP_INVALID',
        message: expect.stringContaining('topic=[in] partition=[2] offset=[7]'),
        context: expect.objectContaining({ topic: 'in', partition: 2, offset: 7 }),
      }),
    )
  })

  it.each([
    [-1, -1],
    [-5, -5],
    [greatest + 1, -1],
    [1.5, -1],
    [Number.NaN, -1],
  ])('%d is skipped as %d under LogAndSkipOnInvalidTimestamp', (timestamp, extracted) =>
    expect(extract(logAndSkipOnInvalidTimestamp, timestamp)).toBe(extracted),
  )

  it.each([0, 42])('gets the partition time %d under UsePartitionTimeOnInvalidTimestamp', (partitionTime) => {
    expect(extract(usePartitionTimeOnInvalidTimestamp, -1, partitionTime)).toBe(partitionTime)
  })

  it('ends the run under UsePartitionTimeOnInvalidTimestamp while the partition time is unknown', () => {
    expect(() => extract(usePartitionTimeOnInvalidTimestamp, -1)).toThrow('because partition time is unknown')
  })
})

it('[W1] takes wall-clock time from the clock it is given', () => {
  const clock = { now: () => 1234 }
  expect(extract(wallclockTimestamp(clock), -1)).toBe(1234)
})
