import { describe, expect, it } from 'vitest'
import { moveNodes } from './commands/nodes.js'
import { aCount, aDocument, aProcessor, aSink, aSource } from './fixtures.js'
import { edgeAt } from './hitEdge.js'
import { heightWithStores, NODE_HEIGHT, NODE_WIDTH, placeBeside, STORE_HEIGHT, tidy } from './layout.js'
import { walk } from './navigate.js'
import { outlineOf } from './outline.js'
import { cutCorners, regionsOf } from './regions.js'

const fork = aDocument(
  [aSource('in', 40, 60), aProcessor('a', 40, 60), aProcessor('b', 40, 60), aSink('out', 40, 60)],
  ['in>a', 'in>b', 'a>out'],
)

describe('tidy', () => {
  it('puts what follows to the right, and no node on another', () => {
    const places = tidy(fork)
    const x = (id: string) => places.get(id)?.x ?? Number.NaN
    expect(x('a')).toBeGreaterThan(x('in') + NODE_WIDTH)
    expect(x('out')).toBeGreaterThan(x('a') + NODE_WIDTH)
    expect(Math.abs((places.get('a')?.y ?? 0) - (places.get('b')?.y ?? 0))).toBeGreaterThan(NODE_HEIGHT)
  })

  it('keeps the upper left corner where it was', () => {
    const places = [...tidy(fork).values()]
    expect(Math.min(...places.map((place) => place.x))).toBe(40)
    expect(Math.min(...places.map((place) => place.y))).toBe(60)
  })

  it('moves only the nodes that are chosen, and all when fewer than two are', () => {
    expect([...tidy(fork, ['in', 'a']).keys()]).toEqual(['in', 'a'])
    expect(tidy(fork, ['in']).size).toBe(4)
    expect(tidy(aDocument([])).size).toBe(0)
  })

  it('keeps a chain level, whatever hangs below its nodes', () => {
    const chain = aDocument([aSource('in'), aCount('n'), aSink('out')], ['in>n', 'n>out'])
    expect(new Set([...tidy(chain).values()].map(({ y }) => y))).toHaveLength(1)
  })

  it('leaves room for the stores below a node', () => {
    const store = {
      id: 's',
      name: 's',
      kind: 'key-value' as const,
      key: { kind: 'json' as const, type: 'X' },
      value: { kind: 'json' as const, type: 'X' },
    }
    const document = { ...aDocument([aProcessor('a', 0, 0, ['s'])]), stores: [store] }
    expect(heightWithStores(document, 'a')).toBe(NODE_HEIGHT + STORE_HEIGHT)
    expect(heightWithStores(fork, 'a')).toBe(NODE_HEIGHT)
  })
})

describe('placeBeside', () => {
  it('is right of the parent, and below what stands there', () => {
    const document = aDocument([aSource('in', 0, 0)])
    const first = placeBeside(document, 'in')
    expect(first).toEqual({ x: 192, y: 0 })
    const taken = aDocument([aSource('in', 0, 0), aProcessor('a', first.x, first.y)])
    const second = placeBeside(taken, 'in')
    expect([second.x, second.y >= NODE_HEIGHT]).toEqual([192, true])
  })

  it('is the origin of an empty canvas', () => {
    expect(placeBeside(aDocument([]), undefined)).toEqual({ x: 0, y: 0 })
  })

  it('keeps the outline of a second source clear of the row above', () => {
    const document = aDocument([aCount('n', 0, 0)])
    const place = placeBeside(document, undefined)
    const both = aDocument([aCount('n', 0, 0), aSource('in', place.x, place.y)])
    const [above, below] = regionsOf(both, [
      { index: 0, nodeIds: ['n'] },
      { index: 1, nodeIds: ['in'] },
    ])
    expect(below!.y - heightWithStores(document, 'n')).toBeGreaterThanOrEqual(24)
    expect(below!.y).toBeGreaterThan(above!.y + above!.height)
  })
})

describe('edgeAt', () => {
  const document = aDocument([aSource('in', 0, 0), aSink('out', 400, 0)], ['in>out'])

  it('finds the edge within reach, and none beyond', () => {
    expect(edgeAt(document, { x: 250, y: 23 + 16 })).toBe('in-out')
    expect(edgeAt(document, { x: 250, y: 23 + 17 })).toBeUndefined()
    expect(edgeAt(document, { x: 60, y: 23 })).toBeUndefined()
  })
})

describe('walk', () => {
  const placed = moveNodes(fork, tidy(fork))

  it('follows the edges sideways', () => {
    expect(walk(placed, 'a', 'right')).toBe('out')
    expect(walk(placed, 'a', 'left')).toBe('in')
    expect(walk(placed, 'out', 'right')).toBeUndefined()
  })

  it('goes to the nearest node above and below', () => {
    const [upper, lower] = placed.nodes
      .filter((node) => node.id === 'a' || node.id === 'b')
      .sort((p, q) => p.position.y - q.position.y)
    expect(walk(placed, upper!.id, 'down')).toBe(lower!.id)
    expect(walk(placed, lower!.id, 'up')).toBe(upper!.id)
  })

  it('begins at the first node', () => {
    expect(walk(placed, 'nobody', 'right')).toBe('in')
    expect(walk(aDocument([]), 'nobody', 'right')).toBeUndefined()
  })
})

describe('outlineOf', () => {
  it('has each node once, below the first that feeds it, loose ones at the end', () => {
    const document = aDocument(
      [aProcessor('loose'), aSource('in'), aProcessor('a'), aProcessor('b'), aSink('out')],
      ['in>a', 'in>b', 'a>out', 'b>out'],
    )
    expect(outlineOf(document).map((row) => `${row.depth} ${row.node.id}`)).toEqual([
      '0 in',
      '1 a',
      '2 out',
      '1 b',
      '0 loose',
    ])
  })

  it('ends in a circle, too', () => {
    expect(outlineOf(aDocument([aProcessor('a'), aProcessor('b')], ['a>b', 'b>a'])).map((row) => row.node.id)).toEqual([
      'a',
      'b',
    ])
  })
})

describe('regionsOf', () => {
  it('encloses its nodes, and leaves out what has none', () => {
    const regions = regionsOf(aDocument([aSource('in', 0, 0), aSink('out', 200, 50)]), [
      { index: 0, nodeIds: ['in', 'out'] },
      { index: 1, nodeIds: [] },
    ])
    expect(regions).toHaveLength(1)
    const [region] = regions
    expect(
      region && region.x < 0 && region.x + region.width > 320 && region.y < 0 && region.y + region.height > 96,
    ).toBe(true)
  })

  it('has its corners cut at 45°', () => {
    expect(cutCorners({ x: 0, y: 0, width: 20, height: 10 }, 2)).toBe('M0 2L2 0H18L20 2V8L18 10H2L0 8Z')
  })
})
