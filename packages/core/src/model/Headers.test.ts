import { describe, expect, it } from 'vitest'
import { fromHex } from './bytes.js'
import { Headers } from './Headers.js'

const one = fromHex('01')
const two = fromHex('02')

describe('Headers', () => {
  it('keeps order and repeated names, and gives the last of a name', () => {
    const headers = Headers.empty.with('a', one).with('b', null).with('a', two)
    expect([...headers]).toEqual([
      { key: 'a', value: one },
      { key: 'b', value: null },
      { key: 'a', value: two },
    ])
    expect(headers.size).toBe(3)
    expect(headers.last('a')).toBe(two)
  })

  it('tells a null value from a name that is not there', () => {
    const headers = Headers.empty.with('a', null)
    expect(headers.last('a')).toBeNull()
    expect(headers.last('b')).toBeUndefined()
  })

  it('never changes: with and without give new headers', () => {
    const before = Headers.of([
      { key: 'a', value: one },
      { key: 'b', value: two },
      { key: 'a', value: two },
    ])
    expect(before.without('a').toArray()).toEqual([{ key: 'b', value: two }])
    expect(before.with('c', one).size).toBe(4)
    expect(before.size).toBe(3)
  })

  it('does not follow the array it was made of', () => {
    const entries = [{ key: 'a', value: one }]
    const headers = Headers.of(entries)
    entries.push({ key: 'b', value: two })
    expect(headers.size).toBe(1)
  })

  it('has one empty instance', () => {
    expect(Headers.of([])).toBe(Headers.empty)
    expect(Headers.empty.with('a', one).without('a')).toBe(Headers.empty)
    expect(Headers.empty.without('a')).toBe(Headers.empty)
  })
})
