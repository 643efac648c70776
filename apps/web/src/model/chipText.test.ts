import { expect, it } from 'vitest'
import { chipText, chipWidth } from './chipText.js'

it('spells a built-in serde as Kafka does, and a user’s own as it is', () => {
  expect(chipText('string')).toBe('String')
  expect(chipText('mine')).toBe('mine')
})

it('measures a chip by what is written on it, and by each mark', () => {
  expect(chipWidth({ label: 'string', status: 'declared', windowed: false })).toBe(50)
  expect(chipWidth({ label: 'string', status: 'declared', windowed: true })).toBe(63)
  expect(chipWidth({ label: 'string', status: 'unresolved', windowed: false })).toBe(63)
  expect(chipWidth({ label: 'json', status: 'declared', windowed: false })).toBe(38)
})
