import { expect, it } from 'vitest'
import { titleTop } from './regions.js'

it.each([
  ['stands in its place while that is in view', 0, 1, 22],
  ['comes down with the edge', -40, 1, 46],
  ['comes down by what is seen, not by what is drawn', -40, 0.5, 92],
  ['stays above its row', -140, 1, 100],
])('a title %s', (_what, moved, zoom, at) => {
  expect(titleTop(22, 100, moved, zoom)).toBe(at)
})
