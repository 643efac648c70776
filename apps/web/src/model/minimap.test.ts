import { expect, it } from 'vitest'
import { NODE_HEIGHT, NODE_WIDTH } from './layout.js'
import { isBelowMinimap } from './minimap.js'

const HEIGHT = 600
const AS_PLACED = [0, 0, 1] as const

it.each([
  ['its right edge', 159, 500, true],
  ['beside its right edge', 160, 500, false],
  ['its left edge', 13 - NODE_WIDTH, 500, true],
  ['beside its left edge', 12 - NODE_WIDTH, 500, false],
  ['its foot', 50, 551, true],
  ['under its foot', 50, 552, false],
  ['its head', 50, 449 - NODE_HEIGHT, true],
  ['above its head', 50, 448 - NODE_HEIGHT, false],
])('the minimap gives way to a node at %s, and to no other', (_where, x, y, gives) => {
  expect(
    isBelowMinimap(
      [
        { x: 900, y: 0 },
        { x, y },
      ],
      AS_PLACED,
      HEIGHT,
    ),
  ).toBe(gives)
})

it('goes by where nodes are seen', () => {
  expect(isBelowMinimap([{ x: 0, y: 0 }], [20, 500, 0.5], HEIGHT)).toBe(true)
  expect(isBelowMinimap([{ x: 0, y: 0 }], [12 - NODE_WIDTH / 2, 500, 0.5], HEIGHT)).toBe(false)
  expect(isBelowMinimap([{ x: 200, y: 1_000 }], [0, 0, 0.5], HEIGHT)).toBe(true)
  expect(isBelowMinimap([], AS_PLACED, HEIGHT)).toBe(false)
})
