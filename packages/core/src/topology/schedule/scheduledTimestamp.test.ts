import { expect, it } from 'vitest'
import { scheduledTimestamp } from './scheduledTimestamp.js'

it('[T12] is the smallest event clock among the nodes that read topics', () => {
  expect(scheduledTimestamp(1_000, [30, 20, 40])).toBe(20)
  expect(scheduledTimestamp(1_000, new Set([2_000]))).toBe(2_000)
})

it('[T12] is the scheduled time where no node reads a topic', () => expect(scheduledTimestamp(1_000, [])).toBe(1_000))

it('[T12] is 0 while one of the clocks is unknown, so that no tick runs ahead of a backfill', () => {
  expect(scheduledTimestamp(1_000, [-1, 500])).toBe(0)
})
