import { describe, expect, it } from 'vitest'
import { murmur3x128 } from './murmur3x128.js'

const bytesOf = (text: string) => new TextEncoder().encode(text)

/** The four words as the reference prints them. */
function hashOf(bytes: Uint8Array): string {
  const view = new DataView(murmur3x128(bytes).buffer)
  return [0, 4, 8, 12].map((at) => view.getUint32(at, true).toString(16).padStart(8, '0')).join('')
}

describe('murmur3, 128 bits', () => {
  it.each([
    ['', '00000000000000000000000000000000'],
    ["I will not buy this tobacconist's, it is scratched.", '9b5b7ba2ef3f7866889adeaf00f3f98e'],
  ])('hashes %j as the reference does', (text, hash) => expect(hashOf(bytesOf(text))).toBe(hash))

  it('tells apart what differs in one byte, at each place of a block', () => {
    const hashes = new Set<string>()
    for (let length = 0; length <= 33; length++) hashes.add(hashOf(new Uint8Array(length)))
    for (let at = 0; at < 33; at++) {
      const bytes = new Uint8Array(33)
      bytes[at] = 0x80
      hashes.add(hashOf(bytes))
    }
    expect(hashes.size).toBe(34 + 33)
  })
})
