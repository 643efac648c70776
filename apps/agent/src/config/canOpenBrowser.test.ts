import { expect, it } from 'vitest'
import { canOpenBrowser } from './canOpenBrowser.js'

it('opens no browser in CI, wherever that is', () => {
  expect(canOpenBrowser('darwin', { CI: 'true' })).toBe(false)
  expect(canOpenBrowser('linux', { CI: '1', DISPLAY: ':0' })).toBe(false)
})

it('opens one on a Unix host only where there is a display', () => {
  expect(canOpenBrowser('linux', {})).toBe(false)
  expect(canOpenBrowser('linux', { DISPLAY: ':0' })).toBe(true)
  expect(canOpenBrowser('linux', { WAYLAND_DISPLAY: 'wayland-0' })).toBe(true)
  expect(canOpenBrowser('win32', {})).toBe(true)
})
