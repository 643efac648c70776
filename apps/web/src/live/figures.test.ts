import { describe, expect, it } from 'vitest'
import { combineNodes, type Figures, type NodeFigures, noFigures } from './figures.js'
import { edgeKey } from './readings.js'

const node = (name: string, came: number, left: number, perSecond: number | null = null): NodeFigures => ({
  node: name,
  subTopology: 0,
  in: came,
  out: left,
  inPerSecond: perSecond,
  outPerSecond: null,
  busy: 0.1,
  eventClock: 0,
  timers: null,
})

function figuresOf(nodes: readonly NodeFigures[], edges: readonly (readonly [string, string])[]): Figures {
  return {
    ...noFigures,
    nodes: new Map(nodes.map((one) => [one.node, one])),
    edges: new Map(edges.map(([from, to]) => [edgeKey(from, to), 1])),
  }
}

describe('combineNodes', () => {
  const join = figuresOf(
    [
      node('orders', 0, 7),
      node('payments', 0, 5),
      node('j-this-windowed', 7, 7, 70),
      node('j-other-windowed', 5, 5, 50),
      node('j-this-join', 7, 2),
      node('j-other-join', 5, 1),
      node('j-merge', 3, 3),
    ],
    [
      ['orders', 'j-this-windowed'],
      ['payments', 'j-other-windowed'],
      ['j-this-windowed', 'j-this-join'],
      ['j-other-windowed', 'j-other-join'],
      ['j-this-join', 'j-merge'],
      ['j-other-join', 'j-merge'],
    ],
  )
  const parts = ['j-this-windowed', 'j-other-windowed', 'j-this-join', 'j-other-join', 'j-merge']

  it('counts what enters a join on both sides, and what leaves it once', () => {
    expect(combineNodes(join, parts)).toMatchObject({ in: 12, inPerSecond: 120, out: 3 })
    expect(combineNodes(join, parts)?.busy).toBeCloseTo(0.5)
  })

  it('takes the first part where nothing leads in from outside', () => {
    const table = figuresOf([node('t-source', 4, 4), node('t', 4, 9)], [['t-source', 't']])
    expect(combineNodes(table, ['t-source', 't'])).toMatchObject({ in: 4, out: 9 })
  })

  it('knows no rate while no part does', () => {
    const table = figuresOf([node('a', 4, 4), node('b', 4, 4)], [['a', 'b']])
    expect(combineNodes(table, ['a', 'b'])?.inPerSecond).toBeNull()
    expect(combineNodes(table, ['nothing'])).toBeUndefined()
  })
})
