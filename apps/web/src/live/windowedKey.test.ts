import { describe, expect, it } from 'vitest'
import { windowedKey } from './windowedKey.js'

const text = (key: string) => `{"key":${key},"window":{"start":1000,"end":2000}}`

describe('windowedKey', () => {
  it('takes the key out of its window', () => {
    expect(windowedKey(text('"tea"'))).toEqual({ key: 'tea', start: 1000, end: 2000 })
    expect(windowedKey(text('"a\\"b"'))?.key).toBe('a"b')
    expect(windowedKey(text('17'))?.key).toBe('17')
    expect(windowedKey(text('{"window":1}'))?.key).toBe('{"window":1}')
  })

  it('leaves what is cut, or is no windowed key, as it is', () => {
    expect(windowedKey('tea')).toBeUndefined()
    expect(windowedKey('{"key":"tea"}')).toBeUndefined()
    expect(windowedKey(text('"te').slice(0, -4))).toBeUndefined()
    expect(windowedKey(text('"te'))?.key).toBe('"te')
  })
})
