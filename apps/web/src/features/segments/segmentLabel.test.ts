import { expect, it } from 'vitest'
import { fitting } from './segmentLabel.js'

it('writes of a segment what it has room for', () => {
  expect(fitting('2026-10-19', 70)).toBe('2026-10-19')
  expect(fitting('2026-10-19', 69)).toBe('10-19')
  expect(fitting('2026-10-19', 35)).toBe('10-19')
  expect(fitting('2026-10-19', 34)).toBeUndefined()
  expect(fitting('24', 14)).toBe('24')
  expect(fitting('24', 13)).toBeUndefined()
})
