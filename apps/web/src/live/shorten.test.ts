import { expect, it } from 'vitest'
import { shorten } from './shorten.js'

it('leaves what fits, and cuts what is one longer', () => {
  expect(shorten('abcd', 4)).toBe('abcd')
  expect(shorten('abcde', 4)).toBe('abc…')
  expect(shorten('', 4)).toBe('')
})

it('cuts between whole characters, and huge keys too', () => {
  expect(shorten('😀😀😀😀', 4)).toBe('😀😀😀😀')
  expect(shorten('😀😀😀😀😀', 4)).toBe('😀😀😀…')
  expect(shorten('k'.repeat(200_000), 40)).toHaveLength(40)
})
