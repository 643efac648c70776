import type { OutputRecord } from '@lanescope/core'
import { describe, expect, it } from 'vitest'
import { cutBatches } from './cutBatches.js'

const record = (partition: number, bytes: number, more: Partial<OutputRecord> = {}): OutputRecord => ({
  topic: 't',
  partition,
  key: null,
  value: new Uint8Array(bytes),
  timestamp: 0,
  headers: [],
  ...more,
})
// With the overheads that are counted, two such records just fit: 61 + 2 × (36 + 64) = 261.
const two = [record(0, 64), record(0, 64)]

describe('Cutting an epoch into batches', () => {
  it('keeps together what fits to the byte, and cuts one byte earlier', () => {
    expect(cutBatches(two, () => 261)).toEqual([[0, 1]])
    expect(cutBatches(two, () => 260)).toEqual([[0], [1]])
  })

  it('counts each partition and topic by itself', () => {
    expect(cutBatches([record(0, 64), record(1, 64), record(0, 64, { topic: 'u' })], () => 200)).toEqual([[0, 1, 2]])
  })

  it('counts keys and headers', () => {
    const heavy = record(0, 0, { key: new Uint8Array(30), headers: [{ key: 'abc', value: new Uint8Array(15) }] })
    expect(cutBatches([heavy, record(0, 64)], () => 261)).toEqual([[0, 1]])
    expect(cutBatches([heavy, record(0, 65)], () => 261)).toEqual([[0], [1]])
  })

  it('keeps the order, and goes on counting anew behind a cut', () => {
    const five = Array.from({ length: 5 }, () => record(0, 64))
    expect(cutBatches(five, () => 261)).toEqual([[0, 1], [2, 3], [4]])
  })

  it('lets a record that is too large go alone: the broker has the last word', () => {
    expect(cutBatches([record(0, 999), record(0, 1)], () => 200)).toEqual([[0], [1]])
    expect(cutBatches([], () => 200)).toEqual([])
  })

  it('goes by the limit of the topic', () => {
    const records = [...two, record(0, 64, { topic: 'small' }), record(0, 64, { topic: 'small' })]
    expect(cutBatches(records, (topic) => (topic === 'small' ? 200 : 300))).toEqual([[0, 1, 2], [3]])
  })
})
