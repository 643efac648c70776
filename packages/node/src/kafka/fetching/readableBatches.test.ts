import { describe, expect, it } from 'vitest'
import { decoded, producer, record, stored, storedMarker } from '../../../test/recordBatches.js'
import { readableBatches } from './readableBatches.js'

const by = (producerId: number, isTransactional = true) => ({
  ...producer,
  producerId: BigInt(producerId),
  isTransactional,
})
const data = (offset: number, producerId: number, key: Buffer | null = null, isTransactional = true) =>
  stored([record({ key })], offset, by(producerId, isTransactional))
const marker = (offset: number, producerId: number, type: 'abort' | 'commit') =>
  storedMarker(type, offset, by(producerId))
const seen = async (batches: readonly Promise<Buffer>[], aborted: { producerId: string; firstOffset: number }[]) =>
  readableBatches(await decoded(...(await Promise.all(batches))), aborted).map(({ firstOffset }) => firstOffset)

describe('The filter of aborted transactions', () => {
  it('lets all but markers through when nothing was aborted', async () => {
    expect(await seen([data(0, 1), data(1, 2), marker(2, 1, 'commit')], [])).toEqual([0, 1])
  })

  it('hides what was aborted, and nothing behind the marker', async () => {
    const batches = [data(0, 1), data(1, 2), marker(2, 1, 'abort'), data(3, 1)]
    expect(await seen(batches, [{ producerId: '1', firstOffset: 0 }])).toEqual([1, 3])
  })

  it('begins at the very first offset, not before', async () => {
    const batches = [data(4, 1), data(5, 1), marker(6, 1, 'abort')]
    expect(await seen(batches, [{ producerId: '1', firstOffset: 5 }])).toEqual([4])
  })

  it('takes the list in any order: the broker sorts it by end', async () => {
    const batches = [data(0, 1), data(1, 2), marker(2, 2, 'abort'), data(3, 1), marker(4, 1, 'abort')]
    const list = [
      { producerId: '2', firstOffset: 1 },
      { producerId: '1', firstOffset: 0 },
    ]
    expect(await seen(batches, list)).toEqual([])
  })

  it('enters several transactions at one batch: a fetch may begin inside them', async () => {
    const list = ['1', '2', '3'].map((producerId, i) => ({ producerId, firstOffset: i }))
    expect(await seen([data(10, 1), data(11, 2), data(12, 3)], list)).toEqual([])
  })

  it('takes no record for a marker, whatever its key', async () => {
    const batches = [data(0, 1, Buffer.from([0, 0, 0, 0])), data(1, 1), marker(2, 1, 'abort')]
    expect(await seen(batches, [{ producerId: '1', firstOffset: 0 }])).toEqual([])
  })

  it('a commit marker ends nothing, and what is outside of transactions stays', async () => {
    const batches = [data(0, 1), marker(1, 1, 'commit'), data(2, 1), data(3, 1, null, false)]
    expect(await seen(batches, [{ producerId: '1', firstOffset: 0 }])).toEqual([3])
  })
})
