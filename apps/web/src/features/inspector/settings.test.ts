import { parseConfig } from '@lanescope/core'
import { describe, expect, it } from 'vitest'
import { parseDuration } from '../../model/duration.js'
import { SETTINGS } from './settings.js'

const settings = SETTINGS.flatMap((group) => group.settings)
const inForm = new Map(settings.map((setting) => [setting.key, setting]))

describe('the settings of the form', () => {
  it.each(settings)('says what holds while $key is not set', ({ key, counts, unset }) => {
    const defaults: { readonly [key: string]: unknown } = { ...parseConfig({ 'application.id': 'a' }) }
    // No count of its own means 16 lanes (L5), and no serde none.
    const value = defaults[key] ?? (counts === 'lanes' ? 16 : 'none')
    expect(counts === 'ms' ? parseDuration(unset) : unset).toBe(counts === 'ms' ? value : String(value))
  })

  it.each(settings)('offers for $key only what the engine takes', ({ key, choices, counts }) => {
    for (const value of choices ?? [counts === 'ms' ? 0 : 1])
      expect(() => parseConfig({ 'application.id': 'a', [key]: value })).not.toThrow()
  })

  it('has what keeps a clock from standing still, and what a bad record does', () => {
    expect([...inForm.keys()]).toEqual(
      expect.arrayContaining([
        'time.idle-after-ms',
        'default.deserialization.exception.handler',
        'processing.exception.handler',
      ]),
    )
  })
})
