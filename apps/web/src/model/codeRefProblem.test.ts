import { describe, expect, it } from 'vitest'
import { exportProblem, moduleProblem } from './codeRefProblem.js'
import { functionName } from './functionCode.js'

describe('the module of a code reference', () => {
  it.each(['./a', './orders/by-shop_2', './a.b', './..a', './a..'])('%s is taken', (text) => {
    expect(moduleProblem(text)).toBeUndefined()
  })
  it.each([
    ['', 'begins with "./"'],
    ['orders', 'begins with "./"'],
    ['../../../etc/passwd', 'leads out of the folder src'],
    ['/etc/passwd', 'begins with "./"'],
    ['./not ok', '" " cannot be in'],
    ['./ä', '"ä" cannot be in'],
    ['./../../etc/passwd', 'leads out of the folder src'],
    ['./a/..', 'leads out of the folder src'],
    ['./', 'has no name'],
    ['./a//b', 'has no name'],
    ['./a/', 'has no name'],
    ['./././a', 'has no name'],
    ['./a.ts', 'leave ".ts" out'],
    ['./a.mjs', 'leave ".mjs" out'],
    ['./a.tsx', 'leave ".tsx" out'],
  ])('%s is refused with its reason', (text, reason) => {
    expect(moduleProblem(text)).toContain(reason)
  })
})

describe('the export of a code reference', () => {
  it.each(['a', '$', '_1', 'isLarge2', 'classy', 'Class', 'of'])('%s is taken', (text) => {
    expect(exportProblem(text)).toBeUndefined()
  })
  it.each([
    ['', 'needs a name'],
    ['not ok', '" " cannot be in'],
    ['a-b', '"-" cannot be in'],
    ['1bad', 'begins with a digit'],
    ['class', 'word of the language'],
    ['default', 'word of the language'],
    ['await', 'word of the language'],
    ['yield', 'word of the language'],
    ['eval', 'word of the language'],
  ])('%s is refused with its reason', (text, reason) => {
    expect(exportProblem(text)).toContain(reason)
  })
})

it('a function named after a node avoids the words that an export is refused', () => {
  expect(exportProblem(functionName('eval'))).toBeUndefined()
  expect(functionName('class')).toBe('runClass')
})
