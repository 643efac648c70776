import { byteProof, fromHex, laneOf, murmur3 } from '@lanescope/core'
import { describe, expect, it } from 'vitest'
import { asciiOf, byteWindow, countSplits, encodeKey, encodingOf, hashHex, proofAt, spacedHex } from './byteProof.js'
import { splitOf } from './lanes.js'

const json = (key: string) => encodeKey(key, 'json') as Uint8Array
const text = (key: string) => encodeKey(key, 'string') as Uint8Array
const proof = (key: string, lanes = 8) => byteProof(key, json(key), text(key), lanes)

describe('a proof of core', () => {
  it('[A7] proves the split of k0 at 8 lanes: record on lane 0, timer on lane 6', () => {
    const k0 = proof('k0')
    expect([k0.recordLane, k0.timerLane, k0.verdict, k0.firstDifference]).toEqual([0, 6, 'split', 0])
    expect([hashHex(k0.recordHash), hashHex(k0.timerHash)]).toEqual(['7b59a6a0', '0b616cd6'])
    expect(k0.agreesAt).toEqual([1, 2, 3, 6, 9, 18])
  })

  it('[A7] tells luck from sameness', () => {
    expect(proof('k12').verdict).toBe('agrees-by-luck')
    expect(proof('k0', 6).verdict).toBe('agrees-by-luck')
    const same = byteProof('k0', text('k0'), text('k0'), 8)
    expect([same.verdict, same.firstDifference, same.agreesAt]).toEqual(['same-bytes', -1, []])
  })

  it('finds the first difference, also where one key is the beginning of the other', () => {
    expect(byteProof('x', fromHex('6b3031'), fromHex('6b3032'), 8).firstDifference).toBe(2)
    expect(byteProof('x', fromHex('6b'), fromHex('6b30'), 8).firstDifference).toBe(1)
  })

  it('looks for luck up to 32 lanes', () => {
    const last = proof('k0').agreesAt.every((count) => laneOf(json('k0'), count) === laneOf(text('k0'), count))
    expect(last).toBe(true)
    const equalHash = byteProof('x', fromHex('00'), fromHex('00'), 3)
    expect(equalHash.recordHash).toBe(murmur3(fromHex('00')))
  })

  it('is proven again at another lane count, and is itself at its own', () => {
    const k0 = proof('k0')
    expect(proofAt(k0, 8)).toBe(k0)
    expect(proofAt(k0, 2)).toMatchObject({ laneCount: 2, verdict: 'agrees-by-luck' })
  })
})

describe('encodings', () => {
  it('reads hex with and without spaces, and refuses half a byte', () => {
    expect(encodeKey('22 6b30 22', 'hex')).toEqual(fromHex('226b3022'))
    expect(encodeKey('226', 'hex')).toBeUndefined()
    expect(encodeKey('zz', 'hex')).toBeUndefined()
    expect(encodeKey('', 'hex')).toEqual(new Uint8Array())
  })

  it('tells how keys are written from the proofs', () => {
    expect(encodingOf([proof('k0'), proof('k1')], 'recordBytes')).toBe('json')
    expect(encodingOf([proof('k0')], 'timerBytes')).toBe('string')
    expect(encodingOf([byteProof('k', fromHex('ff'), text('k'), 8)], 'recordBytes')).toBeUndefined()
    expect(encodingOf([], 'recordBytes')).toBeUndefined()
  })
})

describe('what is shown', () => {
  it('shows a short key whole and a window around the first difference of a long one', () => {
    expect(byteWindow(proof('k0'), 6)).toEqual({ from: 0, to: 4 })
    const at = (difference: number) => {
      const bytes = new Uint8Array(20)
      const other = bytes.slice()
      other[difference] = 1
      return byteWindow(byteProof('x', bytes, other, 8), 6)
    }
    expect(at(0)).toEqual({ from: 0, to: 6 })
    expect(at(10)).toEqual({ from: 9, to: 15 })
    expect(at(19)).toEqual({ from: 14, to: 20 })
  })

  it('[A7] counts splits and names a range of keys', () => {
    const keys = Array.from({ length: 30 }, (_, i) => proof(`k${i + 1}`))
    expect(countSplits(keys, 8)).toEqual({ keys: 'Keys k1 to k30', split: 26, of: 30 })
    expect(countSplits(keys, 1).split).toBe(0)
    expect(countSplits([proof('a'), proof('b'), proof('z')], 8).keys).toBe('Sample keys')
    expect(countSplits([proof('k1'), proof('k3'), proof('k4')], 8).keys).toBe('Sample keys')
    expect(countSplits([proof('only')], 8).keys).toBe('Key only')
  })

  it('writes bytes and characters as people read them', () => {
    expect(spacedHex(fromHex('006b'))).toBe('00 6b')
    expect([0x20, 0x21, 0x7e, 0x7f].map(asciiOf)).toEqual(['·', '!', '~', '·'])
  })

  it('[A1] the first screen shows lanes that the hash gives', () => {
    expect(splitOf('k0', 8)).toMatchObject({ recordLane: 0, timerLane: 6 })
  })
})
