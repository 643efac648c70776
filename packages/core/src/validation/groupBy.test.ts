import { expect, it } from 'vitest'
import { groupBy } from './groupBy.js'

it('groupBy keeps the order of the items, and of the first of each group', () => {
  expect(groupBy(['b1', 'a1', 'b2', 'a2', 'c1'], (item) => item[0] as string)).toEqual([
    ['b1', 'b2'],
    ['a1', 'a2'],
    ['c1'],
  ])
  expect(groupBy([], () => '')).toEqual([])
})
