import { expect, it } from 'vitest'
import { fromHex } from '../model/bytes.js'
import { formatDuration } from './formatDuration.js'
import { keyText } from './keyText.js'
import { listOf } from './sentences.js'

it.each([
  ['k0', 'k0'],
  [42, '42'],
  [10n, '10'],
  [null, 'null'],
  [true, 'true'],
  [fromHex('226b'), '22 6b'],
  [{ id: 7n, name: 'a' }, '{"id":"7","name":"a"}'],
])('shows a key as people read it: %s', (key, text) => expect(keyText(key)).toBe(text))

it.each([
  [0, '0 ms'],
  [999, '999 ms'],
  [1000, '1 s'],
  [1500, '1500 ms'],
  [60_000, '1 min'],
  [90_000, '90 s'],
  [5_400_000, '90 min'],
  [3_600_000, '1 h'],
  [86_400_000, '1 d'],
  [2_592_000_000, '30 d'],
  [90_000_000, '25 h'],
])('says %d ms in the largest unit that is exact: %s', (ms, text) => expect(formatDuration(ms)).toBe(text))

it.each([
  [[], ''],
  [['a'], 'a'],
  [['a', 'b'], 'a and b'],
  [['a', 'b', 'c'], 'a, b and c'],
])('lists %j as a sentence does', (words, text) => expect(listOf(words)).toBe(text))
