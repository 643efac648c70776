import { expect, it } from 'vitest'
import { brokenAt } from './brokenAt.js'

it.each([
  ['{"a": 1 "b": 2}', 'line 1, column 9'],
  ['{"a": hush}', 'line 1, column 7'],
  ['{\n  "a": 1,\n}', 'line 3, column 1'],
  ["{'a': 1}", 'line 1, column 2'],
  ['{"a": 1} // why', 'line 1, column 10'],
  ['{"a": 1}{', 'line 1, column 9'],
  ['{"a": "x\ty"}', 'line 1, column 9'],
  ['{"a": -x}', 'line 1, column 8'],
  ['{"a": nulL}', 'line 1, column 10'],
  ['a=1', 'line 1, column 1'],
])('finds the first character of %j that cannot be there', (text, place) => {
  expect(() => JSON.parse(text)).toThrow(SyntaxError)
  expect(brokenAt(text)).toBe(`it is not JSON at ${place}`)
})

it.each(['{', '{"a', '{"a":', '{"a": 1', '{"a": [1,', '{"a": nu', '{"a": 1.'])(
  'says of %j, which is only a beginning, that it ends too early',
  (text) => {
    expect(brokenAt(text)).toBe('it ends before its object does')
  },
)
