import { expect, it } from 'vitest'
import { canPause } from './SamplesView.js'

it('offers Pause while a run goes on, and Resume while frames are held back', () => {
  expect(canPause(false, false)).toBe(true)
  expect(canPause(false, true)).toBe(true)
  expect(canPause(true, true)).toBe(true)
  expect(canPause(true, false)).toBe(false)
})
