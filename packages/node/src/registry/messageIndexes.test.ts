import { fromHex, toHex } from '@lanescope/core'
import { describe, expect, it } from 'vitest'
import { readIndexes, writeIndexes } from './messageIndexes.js'

describe('message indexes (F.4)', () => {
  it.each([
    [[0], '00'],
    [[1], '0202'],
    [[0, 0], '040000'],
    [[2, 1], '040402'],
    [[63], '027e'],
    [[64], '028001'],
    [[300], '02d804'],
  ])('%j is %s', (path, hex) => {
    expect(toHex(writeIndexes(path))).toBe(hex)
    expect(readIndexes(fromHex(`${hex}ff`))).toEqual({ path, end: hex.length / 2 })
  })

  it.each(['', '02', '0280', '01', '0201', '04028080808080'])('refuses %s', (hex) => {
    expect(() => readIndexes(fromHex(hex))).toThrow(TypeError)
  })
})
