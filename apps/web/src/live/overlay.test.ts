import { expect, it } from 'vitest'
import type { NodeFigures } from './figures.js'
import { metaOf } from './overlay.js'

const figures = (change: Partial<NodeFigures>) => ({ busy: 0, inPerSecond: 0, in: 0, out: 0, ...change }) as NodeFigures

it('says what a node that rests has had', () => {
  expect(metaOf(figures({ in: 1_251 }))).toBe('0 /s · 1,251 in')
  expect(metaOf(figures({ in: 1_251 }), true)).toBe('0 /s · 1,251 read')
  expect(metaOf(figures({}))).toBe('0 /s')
})

it('says the rate or the busy share of a node that works', () => {
  expect(metaOf(figures({ inPerSecond: 2, in: 9 }))).toBe('2 /s')
  expect(metaOf(figures({ busy: 0.005, in: 9 }))).toBe('busy 1 %')
  expect(metaOf(figures({ busy: 1.26, in: 9 }))).toBe('busy 1.3 lanes')
  expect(metaOf(figures({ busy: null, in: 9 }))).toBe('no rate yet')
})
