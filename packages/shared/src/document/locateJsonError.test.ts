import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { locateJsonError } from './locateJsonError.js'

function placeOf(text: string) {
  const error = locateJsonError(text)
  return error && `${error.line}:${error.column} ${error.message}`
}

describe('locateJsonError', () => {
  it.each([
    ['', '1:1 the file is empty'],
    ['{', '1:2 the file ends too early'],
    ['{"a": [1, 2', '1:12 the file ends too early'],
    ['{"a": 1,}', '1:9 "}" stands where a field name in double quotes is expected'],
    ['[1,]', '1:4 "]" stands where a value is expected'],
    ['{"a" 1}', '1:6 "1" stands where ":" is expected'],
    ['{"a": 1 "b": 2}', '1:9 "b" stands where "," or "}" is expected'],
    ['[1 2]', '1:4 "2" stands where "," or "]" is expected'],
    ['{}\n{}', '2:1 "{" stands where the end is expected'],
    ['{\n\t"a": tru }', '2:7 "t" is not expected here'],
    ["{'a': 1}", '1:2 texts are written in double quotes'],
    ['{ // why\n}', '1:3 JSON has no comments'],
    ['["open', '1:2 this text is not ended, or holds a control character or an unknown escape'],
    ['["a\nb"]', '1:2 this text is not ended, or holds a control character or an unknown escape'],
    ['["\\x"]', '1:2 this text is not ended, or holds a control character or an unknown escape'],
    ['[01]', '1:3 "1" stands where "," or "]" is expected'],
    ['{1: 2}', '1:2 "1" stands where a field name in double quotes is expected'],
    ['[}', '1:2 "}" stands where a value is expected'],
    ['{]', '1:2 "]" stands where a field name in double quotes is expected'],
    ['[1}', '1:3 "}" stands where "," or "]" is expected'],
  ])('places the mistake in %j', (text, place) => {
    expect(placeOf(text)).toBe(place)
  })

  it('names the first mistake when a later one cannot even be read', () => {
    expect(placeOf('{"a" 1, \'b\'}')).toBe('1:6 "1" stands where ":" is expected')
  })

  it('accepts exactly what JSON.parse accepts', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), mutated()), (text) => {
        expect(locateJsonError(text) === undefined).toBe(parses(text))
      }),
      { numRuns: 2000 },
    )
  })

  it('reads 8,000,000 characters, also in one text, and no more', () => {
    const text = (length: number) => `"${'a'.repeat(length - 2)}"`
    expect(placeOf(text(8_000_000))).toBeUndefined()
    expect(placeOf(text(8_000_001))).toBe('1:1 it has 8000001 characters, and at most 8000000 are read')
  })

  it('allows 200 levels, and refuses one more where it begins', () => {
    expect(placeOf('['.repeat(200) + ']'.repeat(200))).toBeUndefined()
    expect(placeOf('['.repeat(100_000))).toBe('1:201 it is nested deeper than 200 levels')
  })
})

/** JSON with one character replaced, removed or doubled. */
function mutated(): fc.Arbitrary<string> {
  return fc
    .tuple(fc.json(), fc.nat(), fc.constantFrom('', '"', ',', '{', '}', '0', ' ', '\n', 'e'))
    .map(([text, at, by]) => {
      const place = at % text.length
      return text.slice(0, place) + by + text.slice(place + 1)
    })
}

function parses(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
