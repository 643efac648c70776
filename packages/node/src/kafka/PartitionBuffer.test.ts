import { describe, expect, it } from 'vitest'
import { packedBatch } from '../../test/recordBatches.js'
import { PartitionBuffer } from './PartitionBuffer.js'
import type { PackedBatch } from './records/PackedBatch.js'

const bufferAt = (start: number, lastStable = start) =>
  new PartitionBuffer({ topic: 't', partition: 0 }, start, lastStable)
const part = (batches: readonly PackedBatch[], next: number, lastStable = next) => ({ batches, next, lastStable })
const offsets = (buffer: PartitionBuffer, max: number) => buffer.take(max).records.map(({ offset }) => offset)

describe('The buffer of a partition', () => {
  it('tells its position once although nothing has come', () => {
    const buffer = bufferAt(5, 9)
    expect(buffer.hasNews).toBe(true)
    expect(buffer.take(10)).toEqual({ topic: 't', partition: 0, records: [], nextOffset: 5, lastStableOffset: 9 })
    expect(buffer.hasNews).toBe(false)
  })

  it('gives what has come in parts, over the borders of batches, and the position between them', async () => {
    const buffer = bufferAt(0)
    buffer.push(part([await packedBatch(0, 3), await packedBatch(3, 2)], 5, 7))
    expect(buffer.take(2)).toMatchObject({
      records: [{ offset: 0 }, { offset: 1 }],
      nextOffset: 2,
      lastStableOffset: 7,
    })
    expect(buffer.take(2)).toMatchObject({ records: [{ offset: 2 }, { offset: 3 }], nextOffset: 4 })
    expect(buffer.hasNews).toBe(true)
    expect(buffer.take(2)).toMatchObject({ records: [{ offset: 4 }], nextOffset: 5 })
    expect(buffer.hasNews).toBe(false)
  })

  it('has a position behind what no reader is shown: markers and aborted records', async () => {
    const buffer = bufferAt(0)
    buffer.push(part([await packedBatch(0, 1)], 4))
    expect(buffer.take(5)).toMatchObject({ nextOffset: 4, lastStableOffset: 4 })
    buffer.push(part([], 6))
    expect(buffer.hasNews).toBe(true)
    expect(buffer.take(5)).toMatchObject({ records: [], nextOffset: 6, lastStableOffset: 6 })
  })

  it('begins within a batch: a broker gives whole ones', async () => {
    const buffer = bufferAt(2)
    buffer.push(part([await packedBatch(0, 4)], 4))
    expect(offsets(buffer, 1)).toEqual([2])
    expect(offsets(buffer, 10)).toEqual([3])
  })

  it('[E10] drops what was there before, when two leaders were asked for the same', async () => {
    const buffer = bufferAt(0)
    buffer.push(part([await packedBatch(0, 3)], 3))
    buffer.push(part([await packedBatch(0, 3), await packedBatch(1, 4)], 5))
    expect(offsets(buffer, 10)).toEqual([0, 1, 2, 3, 4])
    buffer.push(part([await packedBatch(0, 2)], 2))
    expect([buffer.end, buffer.bytes]).toEqual([5, 0])
    buffer.push(part([await packedBatch(4, 2)], 6))
    expect(offsets(buffer, 10)).toEqual([5])
  })

  it('[E10] counts what came again, and tells it once', async () => {
    const buffer = bufferAt(1)
    // The batch that the position lies in comes whole: 0 was not here before.
    buffer.push(part([await packedBatch(0, 3)], 3))
    expect(buffer.take(10)).not.toHaveProperty('reread')
    buffer.push(part([await packedBatch(0, 3), await packedBatch(2, 2)], 4))
    expect(buffer.take(10)).toMatchObject({ records: [{ offset: 3 }], reread: 4 })
    expect(buffer.hasNews).toBe(false)
    buffer.push(part([await packedBatch(2, 2)], 4))
    expect(buffer.hasNews).toBe(true)
    expect(buffer.take(10)).toMatchObject({ records: [], reread: 2 })
    expect(buffer.take(10)).not.toHaveProperty('reread')
  })

  it('[L7] counts the bytes that wait, down to none', async () => {
    const buffer = bufferAt(0)
    const batch = await packedBatch(0, 2)
    const { size } = batch
    buffer.push(part([batch], 2))
    expect(buffer.bytes).toBe(size)
    buffer.take(1)
    expect(buffer.bytes).toBe(size / 2)
    buffer.take(1)
    expect(buffer.bytes).toBe(0)
  })
})
