import { describe, expect, it } from 'vitest'
import { laneOf } from '../lanes/murmur3.js'
import { fromHex } from '../model/bytes.js'
import { byteProof } from './byteProof.js'

const text = (key: string) => new TextEncoder().encode(key)
const quoted = (key: string, laneCount: number) => byteProof(key, text(`"${key}"`), text(key), laneCount)

describe('[A1] the proof of k0 behind a deserializer that unquotes', () => {
  const proof = quoted('k0', 8)

  it('shows both encodings, their hashes and their lanes', () => {
    expect(proof).toEqual({
      key: 'k0',
      recordBytes: fromHex('22 6b 30 22'),
      timerBytes: fromHex('6b 30'),
      recordHash: 0x7b59a6a0,
      timerHash: 0x0b616cd6,
      recordLane: 0,
      timerLane: 6,
      laneCount: 8,
      firstDifference: 0,
      verdict: 'split',
      agreesAt: [1, 2, 3, 6, 9, 18],
    })
  })

  it('[A7] agrees by luck at the lane counts it names, and at no other up to 32', () => {
    for (let laneCount = 1; laneCount <= 32; laneCount++) {
      const lucky = laneOf(proof.recordBytes, laneCount) === laneOf(proof.timerBytes, laneCount)
      expect(quoted('k0', laneCount).verdict).toBe(lucky ? 'agrees-by-luck' : 'split')
      expect(proof.agreesAt.includes(laneCount)).toBe(lucky)
    }
  })
})

it.each(['k12', 'k13', 'k14'])('[A5] %s agrees by luck at 8 lanes', (key) => {
  const proof = quoted(key, 8)
  expect(proof.verdict).toBe('agrees-by-luck')
  expect(proof.recordLane).toBe(proof.timerLane)
  expect(proof.agreesAt).toContain(8)
})

it('looks as far as 32 lanes, and no further', () => {
  const { agreesAt } = quoted('k12', 8)
  expect(agreesAt.at(-1)).toBe(32)
})

describe('the first difference', () => {
  const cases: [string, string, number][] = [
    ['6162', '6163', 1],
    ['6162', '7162', 0],
    ['6162', '616263', 2],
    ['616263', '6162', 2],
    ['', '61', 0],
  ]
  it.each(cases)('of %s and %s is at %d', (a, b, at) => {
    expect(byteProof('k', fromHex(a), fromHex(b), 4).firstDifference).toBe(at)
  })

  it('is −1 for the same bytes, which are no luck', () => {
    expect(byteProof('k', fromHex('6162'), fromHex('6162'), 4)).toMatchObject({
      firstDifference: -1,
      verdict: 'same-bytes',
      agreesAt: [],
    })
  })
})
