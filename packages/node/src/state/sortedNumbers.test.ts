import { SeededRandom } from '@lanescope/core'
import { describe, expect, it } from 'vitest'
import { sortedNumbers } from './sortedNumbers.js'

const AT_ONCE = 16_384

describe('Sorting numbers in parts', () => {
  it.each([0, 1, 2, AT_ONCE - 1, AT_ONCE, AT_ONCE + 1, 2 * AT_ONCE, 3 * AT_ONCE + 7, 5 * AT_ONCE - 1])(
    'has %d of them in order, equal ones too',
    async (length) => {
      const random = new SeededRandom(length)
      const numbers = Float64Array.from({ length }, () => Math.floor(random.next() * 2 ** 53) % (length + 5))
      const expected = numbers.slice().sort()
      let turns = 0
      const found = await sortedNumbers(numbers, async () => {
        turns++
      })
      expect(found.length).toBe(length)
      expect(found.every((number, i) => number === expected[i])).toBe(true)
      expect(turns).toBeGreaterThanOrEqual(length / AT_ONCE)
    },
  )
})
