import { expect, it } from 'vitest'
import { type ClockMove, isOrdinary } from './clockMoves.js'

const move = (clockBefore: number, clockAfter: number, length = 100): ClockMove => ({
  n: 1,
  causedBy: null,
  clockBefore,
  clockAfter,
  entries: 1,
  segments: [{ from: 0, to: length } as ClockMove['segments'][number]],
})

it('[S3] is ordinary as long as the clock goes on by no more than a segment', () => {
  expect(isOrdinary(move(1_000, 1_100))).toBe(true)
  expect(isOrdinary(move(1_000, 1_101))).toBe(false)
})

it('is not ordinary where the clock jumped from nothing, or took nothing', () => {
  expect(isOrdinary(move(-1, 50))).toBe(false)
  expect(isOrdinary({ ...move(0, 1), segments: [] })).toBe(false)
})
