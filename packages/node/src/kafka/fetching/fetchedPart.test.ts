import type { LogRecord } from '@lanescope/core'
import { describe, expect, it } from 'vitest'
import { record, stored, storedMarker } from '../../../test/recordBatches.js'
import { decodeRecordBatches } from '../records/decodeRecordBatches.js'
import { at } from '../records/recordBatch.js'
import { fetchedPart } from './fetchedPart.js'

const fetched = async (from: number, batches: readonly Buffer[], lastStable = 100) => {
  const messages = await decodeRecordBatches(Buffer.concat(batches), () => undefined)
  const place = { topic: 't', partition: 0 }
  return fetchedPart(from, { place, lastStableOffset: lastStable, abortedTransactions: [], messages })
}
const records = ({ batches }: Awaited<ReturnType<typeof fetched>>, from: number) => {
  const found: LogRecord[] = []
  for (const batch of batches) batch.take(from, found, 100)
  return found.map(({ offset }) => offset)
}

describe('What a fetch brings of a partition', () => {
  it('[E11] ends before a damaged batch, and a fetch that begins with that names where it is', async () => {
    const damaged = await stored([record()], 6)
    damaged[at.records] = (damaged[at.records] as number) ^ 1
    const batches = [await stored([record()], 5), damaged]
    expect(await fetched(5, batches)).toMatchObject({ next: 6, lastStable: 100, batches: [{ firstOffset: 5 }] })
    await expect(fetched(6, batches)).rejects.toMatchObject({
      code: 'LOG_CORRUPT',
      retriable: false,
      context: { topic: 't', partition: 0, offset: 6 },
    })
  })

  it('has records from the offset that was asked for, though the broker gives whole batches', async () => {
    const part = await fetched(6, [await stored([record(), record(), record()], 5)])
    expect([records(part, 6), part.next]).toEqual([[6, 7], 8])
  })

  it('stays where it was asked for when nothing came: an open transaction may be there', async () => {
    expect(await fetched(7, [], 7)).toEqual({ batches: [], next: 7, lastStable: 7 })
    expect(await fetched(9, [await stored([record()], 5)])).toMatchObject({ next: 9 })
  })

  it('goes on behind a marker of a transaction, and behind what compaction took from the end of a batch', async () => {
    const part = await fetched(5, [await stored([record()], 5), await storedMarker('commit', 6)])
    expect([records(part, 5), part.next]).toEqual([[5], 7])
    expect(await fetched(6, [await storedMarker('commit', 6)])).toMatchObject({ batches: [], next: 7 })
  })
})
