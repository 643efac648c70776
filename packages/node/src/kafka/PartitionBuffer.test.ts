import type { LogRecord } from '@lanescope/core'
import { describe, expect, it } from 'vitest'
import { PartitionBuffer } from './PartitionBuffer.js'

const record = (offset: number, bytes = 1): LogRecord => ({
  offset,
  timestamp: 0,
  key: null,
  value: new Uint8Array(bytes),
  headers: [],
})
const records = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => record(from + i))
const bufferAt = (start: number, lastStable = start) =>
  new PartitionBuffer({ topic: 't', partition: 0 }, start, lastStable)

describe('The buffer of a partition', () => {
  it('tells its position once although nothing has come', () => {
    const buffer = bufferAt(5, 9)
    expect(buffer.hasNews).toBe(true)
    expect(buffer.take(10)).toEqual({ topic: 't', partition: 0, records: [], nextOffset: 5, lastStableOffset: 9 })
    expect(buffer.hasNews).toBe(false)
  })

  it('gives what has come in parts, and the position between them', () => {
    const buffer = bufferAt(0)
    buffer.push(records(0, 3), 3, 7)
    expect(buffer.take(2)).toMatchObject({
      records: [{ offset: 0 }, { offset: 1 }],
      nextOffset: 2,
      lastStableOffset: 7,
    })
    expect(buffer.hasNews).toBe(true)
    expect(buffer.take(2)).toMatchObject({ records: [{ offset: 2 }], nextOffset: 3 })
    expect(buffer.hasNews).toBe(false)
  })

  it('has a position behind what no reader is shown: markers and aborted records', () => {
    const buffer = bufferAt(0)
    buffer.push(records(0, 1), 4, 4)
    expect(buffer.take(5)).toMatchObject({ nextOffset: 4, lastStableOffset: 4 })
    buffer.push([], 6, 6)
    expect(buffer.hasNews).toBe(true)
    expect(buffer.take(5)).toMatchObject({ records: [], nextOffset: 6, lastStableOffset: 6 })
  })

  it('is at the next record, not behind the gap before it', () => {
    const buffer = bufferAt(0)
    buffer.push([record(0), record(7)], 8, 8)
    expect(buffer.take(1).nextOffset).toBe(7)
  })

  it('[E10] drops what came before', () => {
    const buffer = bufferAt(0)
    buffer.push(records(0, 3), 3, 3)
    buffer.push(records(1, 5), 5, 5)
    expect(buffer.take(10).records.map(({ offset }) => offset)).toEqual([0, 1, 2, 3, 4])
    buffer.push(records(0, 2), 2, 2)
    expect([buffer.hasNews, buffer.end]).toEqual([false, 5])
  })

  it('[L7] is full at its bound of records, and has room again below half of it', () => {
    const buffer = bufferAt(0)
    buffer.push(records(0, 1999), 1999, 1999)
    expect(buffer.isFull).toBe(false)
    buffer.push(records(1999, 2000), 2000, 2000)
    expect(buffer.isFull).toBe(true)
    buffer.take(1000)
    expect([buffer.isFull, buffer.hasRoom]).toEqual([false, false])
    buffer.take(1)
    expect(buffer.hasRoom).toBe(true)
  })

  it('[L7] is full at its bound of bytes', () => {
    const buffer = bufferAt(0)
    buffer.push([record(0, 8 * 1024 * 1024 - 1)], 1, 1)
    expect([buffer.isFull, buffer.hasRoom]).toEqual([false, false])
    buffer.push([record(1, 1)], 2, 2)
    expect(buffer.isFull).toBe(true)
    buffer.take(1)
    expect(buffer.hasRoom).toBe(true)
  })
})
