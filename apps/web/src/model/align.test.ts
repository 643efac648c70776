import { describe, expect, it } from 'vitest'
import { aligned } from './align.js'
import { aDocument, aProcessor } from './fixtures.js'

const document = aDocument([
  aProcessor('a', 10, 5),
  aProcessor('b', 300, 90),
  aProcessor('c', 90, 40),
  aProcessor('d', 0, 0),
])
const places = (ids: string[], how: Parameters<typeof aligned>[2]) =>
  Object.fromEntries([...aligned(document, ids, how)].map(([id, { x, y }]) => [id, [x, y]]))

describe('aligning', () => {
  it('puts nodes on the row, or in the column, of the first that was selected', () => {
    expect(places(['b', 'a'], 'row')).toEqual({ b: [300, 90], a: [10, 90] })
    expect(places(['b', 'a'], 'column')).toEqual({ b: [300, 90], a: [300, 5] })
  })

  it('spreads nodes evenly between the outermost two, whatever their order', () => {
    expect(places(['b', 'a', 'c'], 'spread-across')).toEqual({ a: [10, 5], c: [155, 40], b: [300, 90] })
    expect(places(['b', 'a', 'c'], 'spread-down')).toEqual({ a: [10, 5], c: [90, 48], b: [300, 90] })
  })

  it('does nothing with too few nodes, or with some that are gone', () => {
    expect(places(['a'], 'row')).toEqual({})
    expect(places(['a', 'b'], 'spread-across')).toEqual({})
    expect(places(['a', 'gone'], 'row')).toEqual({})
  })
})
