import { describe, expect, it } from 'vitest'
import { chipPlace, sideEntry, trackIntoSide, trackPath, trackPoints } from './track.js'

const is45 = (a: { x: number; y: number }, b: { x: number; y: number }) => {
  const [dx, dy] = [Math.abs(a.x - b.x), Math.abs(a.y - b.y)]
  return dx === 0 || dy === 0 || Math.abs(dx - dy) < 0.01
}

describe('trackPoints', () => {
  it('is one straight run between level ports', () => {
    expect(trackPoints({ x: 0, y: 5 }, { x: 100, y: 5 })).toEqual([
      { x: 0, y: 5 },
      { x: 100, y: 5 },
    ])
  })

  it.each([
    ['down', 100, 200],
    ['up', 100, -200],
    ['a little', 100, 6],
    ['backwards', -300, 90],
    ['close by', 20, 90],
  ])('has only straight runs and 45° switches %s', (_name, x, y) => {
    const points = trackPoints({ x: 0, y: 0 }, { x, y })
    expect(points[0]).toEqual({ x: 0, y: 0 })
    expect(points.at(-1)).toEqual({ x, y })
    for (let i = 1; i < points.length; i++) expect(is45(points[i - 1]!, points[i]!)).toBe(true)
  })

  it('leaves and arrives level', () => {
    const points = trackPoints({ x: 0, y: 0 }, { x: 200, y: 80 })
    expect(points[1]?.y).toBe(0)
    expect(points.at(-2)?.y).toBe(80)
  })
})

describe('chipPlace', () => {
  it('is the middle of the longest run', () => {
    expect(chipPlace(trackPoints({ x: 0, y: 0 }, { x: 100, y: 0 }))).toEqual({ x: 50, y: 0, vertical: false })
    const down = trackPoints({ x: 0, y: 0 }, { x: 80, y: 400 })
    expect(chipPlace(down)).toEqual({ x: 36, y: 200, vertical: true })
    expect(chipPlace(down, 0.75)).toMatchObject({ x: 36, y: 12 + 0.75 * 376 })
    expect(chipPlace(trackPoints({ x: 0, y: 400 }, { x: 80, y: 0 }), 0.75).y).toBe(400 - 12 - 0.75 * 376)
  })
  it('leaves the arrow behind a bend free', () => {
    const points = [
      { x: 0, y: 0 },
      { x: 20, y: 20 },
      { x: 100, y: 20 },
    ]
    expect(chipPlace(points)).toEqual({ x: 53, y: 20, vertical: false })
    expect(chipPlace([...points].reverse())).toEqual({ x: 60, y: 20, vertical: false })
  })
})

describe('trackPath', () => {
  it('rounds corners and never more than half a run', () => {
    expect(
      trackPath(
        [
          { x: 0, y: 0 },
          { x: 10, y: 0 },
          { x: 10, y: 10 },
        ],
        9,
      ),
    ).toBe('M0 0L5 0Q10 0 10 5L10 10')
    expect(trackPath([])).toBe('')
  })
})

describe('the track into a side of a join', () => {
  it('runs along its own row, and comes in from below or above', () => {
    const below = trackIntoSide({ x: 0, y: 100 }, { x: 200, y: 50 })
    expect(below).toEqual([
      { x: 0, y: 100 },
      { x: 188, y: 100 },
      { x: 200, y: 88 },
      { x: 200, y: 50 },
    ])
    expect(trackIntoSide({ x: 0, y: 0 }, { x: 200, y: 50 }).at(-2)).toEqual({ x: 200, y: 12 })
  })

  it('does so only where there is room, and another row', () => {
    expect([sideEntry(24, -48), sideEntry(24, 48), sideEntry(23, -48), sideEntry(24, -47), sideEntry(500, 0)]).toEqual([
      'bottom',
      'top',
      'left',
      'left',
      'left',
    ])
  })
})
