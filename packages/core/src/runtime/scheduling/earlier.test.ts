import { expect, it } from 'vitest'
import { earlier } from './earlier.js'

it.each([
  [undefined, undefined, undefined],
  [5, undefined, 5],
  [undefined, 0, 0],
  [0, 7, 0],
  [7, 3, 3],
])('of %s and %s the earlier is %s', (a, b, expected) => expect(earlier(a, b)).toBe(expected))
