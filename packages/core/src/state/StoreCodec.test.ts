import { describe, expect, it } from 'vitest'
import { long } from '../serde/long.js'
import type { Serde } from '../serde/Serde.js'
import { string } from '../serde/string.js'
import type { StoreEnvironment } from './StoreBuilder.js'
import { StoreCodec } from './StoreCodec.js'

const codec = (keySerde: Serde<any>, valueSerde: Serde<any> = long) =>
  new StoreCodec<any, any>('s', { applicationId: 'app', keySerde, valueSerde } as unknown as StoreEnvironment)
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

describe('StoreCodec', () => {
  it('writes each key by itself, whichever was written before', () => {
    const made = codec(string)
    expect(['', 'a', 'a', 'b', 'a', ''].map((key) => text(made.keyBytes(key)))).toEqual(['', 'a', 'a', 'b', 'a', ''])
    expect(made.keyBytes('a')).toBe(made.keyBytes('a'))
  })

  it('asks any serde but the built-in one at every key: its buffer may be used again', () => {
    const buffer = new Uint8Array(1)
    const reusing: Serde<string> = {
      ...string,
      serialize: (_topic, _headers, value) => {
        buffer[0] = value.charCodeAt(0)
        return buffer
      },
    }
    const made = codec(reusing)
    expect(text(made.keyBytes('a'))).toBe('a')
    buffer.fill(0)
    expect(text(made.keyBytes('a'))).toBe('a')
  })

  it.each([null, undefined])('refuses the key %s', (key) => {
    const made = codec(string)
    made.keyBytes('a')
    expect(() => made.keyBytes(key)).toThrow(expect.objectContaining({ code: 'STORE_INVALID' }))
  })

  it('says which serde could not write or read what', () => {
    const made = codec(string)
    expect(() => made.keyBytes(7)).toThrow(/"string" could not write a key of the store "s"/)
    expect(() => made.valueBytes('x')).toThrow(/"long" could not write a value of the store "s"/)
    expect(() => made.value(new Uint8Array(3))).toThrow(/"long" could not read a value of the store "s"/)
    const keys = codec(long)
    expect(() => keys.key(new Uint8Array(3))).toThrow(
      expect.objectContaining({ code: 'DESERIALIZATION_FAILED', context: { store: 's', topic: 'app-s-changelog' } }),
    )
  })
})
