import { describe, expect, it } from 'vitest'
import type { SeenSample } from '../../live/RunView.js'
import { filterSamples, outside, ownersOf, placeOf, placesOf } from './sampleFilter.js'

const sample = (from: string, to: string | null, key = 'k') => ({ from, to, key }) as unknown as SeenSample
const owners = ownersOf(
  new Map([
    ['orders', ['orders']],
    ['per-day', ['per-day', 'KTABLE-TOSTREAM-0000000002']],
    ['out', ['out']],
  ]),
)
const seen = [
  sample('orders', null),
  sample('orders', 'per-day', 'a'),
  sample('per-day', 'KTABLE-TOSTREAM-0000000002', 'a'),
  sample('KTABLE-TOSTREAM-0000000002', 'out', 'b'),
  sample('elsewhere', 'elsewhere'),
]

describe('places of samples', () => {
  it('are named as the drawing names its nodes', () => {
    expect(placeOf(seen[3] as SeenSample, owners)).toBe('per-day → out')
    expect(placeOf(seen[0] as SeenSample, owners)).toBe('orders → lane')
    expect(placesOf(outside(seen, owners), owners).map(({ value }) => value)).toEqual([
      '',
      'elsewhere → elsewhere',
      'orders → lane',
      'orders → per-day',
      'per-day → out',
    ])
  })

  it('leave out what passes inside a node of the drawing, and nothing else', () => {
    expect(outside(seen, owners)).toEqual([seen[0], seen[1], seen[3], seen[4]])
    expect(outside(seen, new Map())).toEqual(seen)
  })

  it('are filtered by their name, and keys exactly; the newest first', () => {
    expect(filterSamples(seen, { place: 'per-day → out', key: '' }, owners)).toEqual([seen[3]])
    expect(filterSamples(seen, { place: '', key: 'a' }, owners)).toEqual([seen[2], seen[1]])
  })
})
