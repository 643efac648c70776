import { describe, expect, it } from 'vitest'
import { parseConfig } from '../topology/parseConfig.js'
import { atMost, severityOf } from './severity.js'
import { validationRules } from './validate.js'

describe('severityOf', () => {
  it('is what the config says, and nothing when the rule is off', () => {
    const of = (verdict: string) =>
      severityOf(parseConfig({ 'topology.validation.dangling-sink': verdict }), 'dangling-sink')
    expect(['hint', 'warn', 'error', 'off'].map(of)).toEqual(['hint', 'warn', 'error', undefined])
  })

  it('has a key for every rule', () => {
    const config = parseConfig({})
    for (const { id } of validationRules) expect(Object.keys(config)).toContain(`topology.validation.${id}`)
  })
})

describe('atMost', () => {
  it.each([
    ['hint', 'warn', 'hint'],
    ['warn', 'warn', 'warn'],
    ['error', 'warn', 'warn'],
    ['warn', 'error', 'warn'],
    ['warn', 'hint', 'hint'],
  ] as const)('%s at most %s is %s', (severity, limit, result) => expect(atMost(severity, limit)).toBe(result))
})
