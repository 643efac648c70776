import { describe, expect, it } from 'vitest'
import { placeFlags } from './placeFlags.js'

const wish = (id: string, x: number, side: 'left' | 'right' | 'centre' = 'left') => ({ id, x, width: 100, side })

describe('placeFlags', () => {
  it('hangs each flag on the side it wishes', () => {
    const placed = placeFlags([wish('a', 300, 'left'), wish('b', 310, 'right')], 900)
    expect(placed.get('a')).toEqual({ left: 200, row: 0 })
    expect(placed.get('b')).toEqual({ left: 310, row: 0 })
  })
  it('turns a flag to its other side before it takes another row', () => {
    const placed = placeFlags([wish('a', 300, 'left'), wish('b', 300, 'left'), wish('c', 300, 'left')], 900)
    expect(placed.get('b')).toEqual({ left: 300, row: 0 })
    expect(placed.get('c')).toEqual({ left: 200, row: 1 })
  })
  it('lets flags touch and not overlap', () => {
    expect(placeFlags([wish('a', 300, 'centre'), wish('b', 400, 'centre')], 900).get('b')?.row).toBe(0)
    expect(placeFlags([wish('a', 300, 'centre'), wish('b', 399, 'centre')], 900).get('b')?.row).toBe(1)
  })
  it('keeps every flag within the chart', () => {
    expect(placeFlags([wish('a', 10, 'left')], 900).get('a')?.left).toBe(0)
    expect(placeFlags([wish('a', 895, 'right')], 900).get('a')?.left).toBe(800)
  })
  it('takes one row a flag when all stand at one place', () => {
    const placed = placeFlags([wish('a', 50, 'centre'), wish('b', 50, 'centre'), wish('c', 50, 'centre')], 900)
    expect([...placed.values()].map((flag) => flag.row)).toEqual([0, 1, 2])
  })
})
