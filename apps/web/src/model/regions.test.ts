import { expect, it } from 'vitest'
import { aDocument, aProcessor } from './fixtures.js'
import { isOutlined, lanesText, titleNode, titleTop } from './regions.js'

it.each([
  ['stands in its place while that is in view', 0, 1, 22],
  ['comes down with the edge', -40, 1, 46],
  ['comes down by what is seen, not by what is drawn', -40, 0.5, 92],
  ['stays above its row', -140, 1, 100],
])('a title %s', (_what, moved, zoom, at) => {
  expect(titleTop(22, 100, moved, zoom)).toBe(at)
})

it('outlines a sub-topology that is not the first, where nothing of another one stands in it', () => {
  const region = { index: 1, x: 0, y: 0, width: 200, height: 100 }
  const within = (x: number, y: number) => {
    const document = aDocument([aProcessor('own', 20, 20), aProcessor('foreign', x, y)])
    return isOutlined(document, region, ['own'], 2)
  }
  expect(within(300, 20)).toBe(true)
  expect(within(199, 20)).toBe(false)
  expect(within(200, 20)).toBe(true)
  expect(within(-119, 20)).toBe(false)
  expect(within(-120, 20)).toBe(true)
  expect(within(20, 99)).toBe(false)
  expect(within(20, 100)).toBe(true)
  const alone = aDocument([aProcessor('own', 20, 20)])
  expect(isOutlined(alone, region, ['own'], 1)).toBe(false)
  expect(isOutlined(alone, { ...region, index: 0 }, ['own'], 2)).toBe(false)
})

it('names a sub-topology above its first node on the left, the upper one of two', () => {
  const document = aDocument([
    aProcessor('far', 50, 0),
    aProcessor('low', 10, 90),
    aProcessor('first', 10, 40),
    aProcessor('foreign', 0, 0),
  ])
  expect(titleNode(document, ['far', 'low', 'first'])).toEqual({ x: 10, y: 40 })
  expect(titleNode(document, [])).toBeUndefined()
})

it('counts lanes in words', () => {
  expect([lanesText({ laneCount: 1 }), lanesText({ laneCount: 8 })]).toEqual(['1 lane', '8 lanes'])
  expect(lanesText({ laneCount: 8, global: true })).toBe('global store')
})
