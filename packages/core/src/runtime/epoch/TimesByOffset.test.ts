import { expect, it } from 'vitest'
import { TimesByOffset } from './TimesByOffset.js'

it('[W6] gives the greatest time below an offset, and not that of the offset itself', () => {
  const times = new TimesByOffset(-1)
  times.note(3, 50)
  times.note(4, 40)
  times.note(6, 50)
  times.note(7, 51)
  expect([3, 4, 7, 8].map((offset) => times.below(offset))).toEqual([-1, 50, 50, 51])
})

it('[W6] begins with what is known of the offsets before', () => {
  const times = new TimesByOffset(60)
  times.note(0, 60)
  times.note(1, 61)
  expect([0, 1, 2].map((offset) => times.below(offset))).toEqual([60, 60, 61])
})
