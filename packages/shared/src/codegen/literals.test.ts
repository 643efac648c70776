import { describe, expect, it } from 'vitest'
import { camelCase, durationParts, numberedText, stringLiteral, templateExpression } from './literals.js'

describe('durationParts', () => {
  it.each([
    [0, undefined, 0],
    [1, undefined, 1],
    [999, undefined, 999],
    [1000, 'seconds', 1],
    [1001, undefined, 1001],
    [59_000, 'seconds', 59],
    [60_000, 'minutes', 1],
    [90_000, 'seconds', 90],
    [3_600_000, 'hours', 1],
    [5_400_000, 'minutes', 90],
    [86_400_000, 'days', 1],
    [90_000_000, 'hours', 25],
    [2_592_000_000, 'days', 30],
  ])('%d ms is %s(%d)', (ms, unit, amount) => {
    expect(durationParts(ms)).toEqual({ unit, amount })
  })
})

describe('literals', () => {
  it.each(['plain', "it's", 'say "so"', 'back\\slash', 'line\nbreak', 'tab\t', '\u2028\u2029', '$n `x`', "\\'"])(
    'read back as %j',
    (text) => {
      expect(evaluate(stringLiteral(text))).toBe(text)
      expect(evaluate(numberedText(text))).toBe(text)
    },
  )

  it('put the number of a record where {n} stands', () => {
    expect(evaluate(numberedText('a-{n}-{n}'))).toBe('a-7-7')
    expect(evaluate(numberedText('`$\\ {n} "q" \'s\' $'))).toBe('`$\\ 7 "q" \'s\' $')
  })

  it.each([
    [null],
    [true],
    [1.5],
    [[]],
    [{}],
    [{ a: [1, 'x', null], 'b c': { d: false } }],
    [JSON.parse('{"__proto__": {"x": 1}, "constructor": 2}')],
  ])('say the template %j as an expression of the same value', (template) => {
    expect(JSON.stringify(evaluate(templateExpression(template)))).toBe(JSON.stringify(template))
  })

  it('number texts at any depth of a template, and nothing else', () => {
    expect(evaluate(templateExpression({ '{n}': ['x{n}', { y: '{n}' }], n: 1 }))).toEqual({
      '{n}': ['x7', { y: '7' }],
      n: 1,
    })
  })
})

describe('camelCase', () => {
  it.each([
    ['sessions-open', 'sessionsOpen'],
    ['Per.Day_count', 'perDayCount'],
    ['URL', 'url'],
    ['alreadyCamel', 'alreadyCamel'],
    ['7days', 'store7days'],
    ['-._', 'store'],
  ])('%s becomes %s', (name, identifier) => {
    expect(camelCase(name, 'store')).toBe(identifier)
  })
})

function evaluate(expression: string): unknown {
  return new Function('n', `return (${expression})`)(7)
}
