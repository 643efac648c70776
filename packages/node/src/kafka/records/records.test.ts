import { createRequire } from 'node:module'
import { type OutputRecord, visitOutputs } from '@lanescope/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { crc32c } from './crc32c.js'
import { CorruptBatchError, decodeRecordBatches } from './decodeRecordBatches.js'
import { PartitionRecords } from './PartitionRecords.js'
import { type BatchCodec, type BatchProducer, RecordRun } from './RecordRun.js'
import { at, type CodecModule, readInt64, writeInt64 } from './recordBatch.js'

const require = createRequire(import.meta.url)
/** What the Java client and kafkajs agree on, in kafkajs's own words. */
const theirs = require('kafkajs/src/protocol/recordBatch/v0/decoder.js') as (decoder: object) => Promise<{
  readonly records: readonly { offset: string; timestamp: string; key: Buffer; value: Buffer; headers: object }[]
}>
const Decoder = require('kafkajs/src/protocol/decoder.js') as new (bytes: Buffer) => object

const plain = () => undefined
const producer = { producerId: 4711n, producerEpoch: 3, firstSequence: 9, isTransactional: true }
const record = (more: Partial<OutputRecord> = {}): OutputRecord => ({
  topic: 't',
  partition: 0,
  key: Buffer.from('k'),
  value: Buffer.from('v'),
  timestamp: 1_700_000_000_000,
  headers: [],
  ...more,
})
function encodeRecordBatch(records: readonly OutputRecord[], by: BatchProducer, codec: BatchCodec | undefined) {
  const run = new RecordRun('t', 0)
  visitOutputs(records, (output) => run.add(output, Number.POSITIVE_INFINITY))
  return run.encode(by, codec)
}
/** As a broker stores it. */
const stored = async (records: readonly OutputRecord[], firstOffset = 0) => {
  const batch = await encodeRecordBatch(records, producer, undefined)
  writeInt64(batch, firstOffset, at.firstOffset)
  return batch
}
const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array))
const anyRecord = fc.record({
  key: fc.option(bytes),
  value: fc.option(bytes),
  timestamp: fc.oneof(fc.integer({ min: -1, max: 2 ** 40 }), fc.constantFrom(0, -1, Number.MAX_SAFE_INTEGER)),
  headers: fc.array(fc.record({ key: fc.string(), value: fc.option(bytes) }), { maxLength: 3 }),
})

describe('crc32c', () => {
  it('is Castagnoli’s, of any part', () => {
    const check = Buffer.from('123456789')
    expect(crc32c(check)).toBe(0xe3069283)
    expect(crc32c(Buffer.concat([Buffer.from('xx'), check, Buffer.from('y')]), 2, 11)).toBe(0xe3069283)
    expect(crc32c(Buffer.alloc(0))).toBe(0)
    expect(crc32c(Buffer.alloc(32))).toBe(0x8a9136aa)
  })
})

describe('int64 on the wire', () => {
  it.each([0, 1, -1, 2 ** 32, -(2 ** 32), 2 ** 32 - 1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER])(
    '%s',
    (value) => {
      const there = Buffer.alloc(8)
      writeInt64(there, value, 0)
      expect(there.readBigInt64BE()).toBe(BigInt(value))
      expect(readInt64(there, 0)).toBe(value)
    },
  )
})

describe('Record batches', () => {
  it('come back as they went: nulls, times, headers in their order, also repeated and without a value', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyRecord, { minLength: 1, maxLength: 20 }), async (given) => {
        const { records: found } = await decodeRecordBatches(
          await stored(
            given.map((each) => record(each)),
            100,
          ),
          plain,
        )
        expect(found.map(({ offset }) => offset)).toEqual(given.map((_, index) => 100 + index))
        expect(found.map(({ key, value, timestamp, headers }) => ({ key, value, timestamp, headers }))).toEqual(given)
      }),
    )
  })

  it('are read by kafkajs as well: the format is Kafka’s', async () => {
    const given = [
      record({ timestamp: 50, headers: [{ key: 'h', value: Buffer.from('1') }] }),
      record({ timestamp: 20, key: null, value: null }),
      record({ timestamp: 2 ** 40, value: Buffer.alloc(70_000, 7) }),
    ]
    const { records } = await theirs(new Decoder(await stored(given, 5)))
    expect(records.map(({ offset, timestamp }) => [offset, timestamp])).toEqual([
      ['5', '50'],
      ['6', '20'],
      ['7', String(2 ** 40)],
    ])
    expect(records[0]?.headers).toEqual({ h: Buffer.from('1') })
    expect([records[1]?.key, records[1]?.value]).toEqual([null, null])
    expect(records[2]?.value.equals(Buffer.alloc(70_000, 7))).toBe(true)
  })

  it('say who wrote them, and whether it was in a transaction', async () => {
    const batch = await stored([record(), record()])
    expect(batch.readBigInt64BE(at.producerId)).toBe(4711n)
    expect([batch.readInt16BE(at.producerEpoch), batch.readInt32BE(at.firstSequence)]).toEqual([3, 9])
    expect([batch.readInt32BE(at.lastOffsetDelta), batch.readInt32BE(at.count)]).toEqual([1, 2])
    const [found] = (await decodeRecordBatches(batch, plain)).records
    expect(found?.batch).toEqual({ producerId: '4711', inTransaction: true, isControl: false })
    const outside = await encodeRecordBatch([record()], { ...producer, isTransactional: false }, undefined)
    expect((await decodeRecordBatches(outside, plain)).records[0]?.batch.inTransaction).toBe(false)
  })

  it('hold the greatest time of their records, which need not be the last', async () => {
    const batch = await stored([record({ timestamp: 5 }), record({ timestamp: 9 }), record({ timestamp: 7 })])
    expect([readInt64(batch, at.firstTimestamp), readInt64(batch, at.maxTimestamp)]).toEqual([5, 9])
  })

  it('of a topic that stamps them itself bear the broker’s time', async () => {
    const batch = await stored([record({ timestamp: 5 }), record({ timestamp: 6 })])
    batch.writeInt16BE(batch.readInt16BE(at.attributes) | 0x08, at.attributes)
    writeInt64(batch, 777, at.maxTimestamp)
    batch.writeUInt32BE(crc32c(batch, at.attributes), at.crc)
    expect((await decodeRecordBatches(batch, plain)).records.map(({ timestamp }) => timestamp)).toEqual([777, 777])
  })

  it('may be compressed, each by its own codec', async () => {
    const flip = async (given: Buffer) => Buffer.from(given.map((byte) => byte ^ 255))
    const module: CodecModule = { compress: ({ buffer }) => flip(buffer), decompress: flip }
    const packed = await encodeRecordBatch([record(), record({ key: null })], producer, { number: 3, module })
    const both = Buffer.concat([packed, await stored([record({ value: Buffer.from('w') })], 2)])
    const { records: found } = await decodeRecordBatches(both, (number) => (number === 3 ? module : undefined))
    expect(found.map(({ key, value }) => [key?.toString(), value?.toString()])).toEqual([
      ['k', 'v'],
      [undefined, 'v'],
      ['k', 'w'],
    ])
  })

  it('that the fetch has cut off are left for the next one', async () => {
    const [first, second] = [await stored([record()]), await stored([record()], 1)]
    for (const length of [1, 11, 60, second.length - 1]) {
      const { records: found } = await decodeRecordBatches(Buffer.concat([first, second.subarray(0, length)]), plain)
      expect(found.map(({ offset }) => offset)).toEqual([0])
    }
    expect((await decodeRecordBatches(Buffer.concat([first, second]), plain)).records).toHaveLength(2)
  })

  it('[E11] with one bit changed anywhere behind the checksum are refused, naming the offset', async () => {
    const batch = await stored([record(), record()], 42)
    for (let index = at.crc; index < batch.length; index++) {
      const damaged = Buffer.from(batch)
      damaged[index] = (damaged[index] as number) ^ 1
      const { records, damage } = await decodeRecordBatches(damaged, plain)
      expect(damage).toBeInstanceOf(CorruptBatchError)
      expect([records.length, damage?.firstOffset]).toEqual([0, 42])
    }
  })

  it('[E11] that claim to be shorter than their head are damaged, and end the reading', async () => {
    const batch = await stored([record()], 42)
    batch.writeInt32BE(at.records - at.leaderEpoch - 1, at.length)
    expect((await decodeRecordBatches(batch, plain)).damage).toMatchObject({ firstOffset: 42 })
    batch.writeInt32BE(at.records - at.leaderEpoch, at.length)
    expect((await decodeRecordBatches(batch, plain)).damage?.problem).toContain('checksum')
  })

  it('[E11] are read up to the one that is damaged', async () => {
    const damaged = await stored([record()], 1)
    damaged[at.records] = (damaged[at.records] as number) ^ 1
    const { records, damage } = await decodeRecordBatches(Buffer.concat([await stored([record()]), damaged]), plain)
    expect(records.map(({ offset }) => offset)).toEqual([0])
    expect(damage?.firstOffset).toBe(1)
  })
})

describe('The records of a partition', () => {
  const partition = async (fetched: string, batches: readonly Buffer[], highWatermark = '100') => {
    const messages = await decodeRecordBatches(Buffer.concat(batches), plain)
    return new PartitionRecords('t', fetched, { partition: 0, highWatermark, messages })
  }

  it('[E11] are those before a damaged batch, and a fetch that begins with that names where it is', async () => {
    const damaged = await stored([record()], 6)
    damaged[at.records] = (damaged[at.records] as number) ^ 1
    const batches = [await stored([record()], 5), damaged]
    expect((await partition('5', batches)).messages.map(({ offset }) => offset)).toEqual([5])
    await expect(partition('6', batches)).rejects.toMatchObject({
      code: 'LOG_CORRUPT',
      retriable: false,
      context: { topic: 't', partition: 0, offset: 6 },
    })
  })

  it('begin at the offset that was asked for, though the broker gives whole batches', async () => {
    const some = await partition('6', [await stored([record(), record(), record()], 5)])
    expect(some.messages.map(({ offset }) => offset)).toEqual([6, 7])
    expect([some.firstOffset(), some.lastOffset(), some.offsetLag(), some.offsetLagLow()]).toEqual([
      '6',
      '7',
      '92',
      '93',
    ])
    expect(some.rawMessages).toHaveLength(3)
  })

  it('are none where all lie before it, and the position stays', async () => {
    const none = await partition('9', [await stored([record()], 5)])
    expect([none.isEmpty(), none.isEmptyDueToLogCompactedMessages(), none.isEmptyDueToFiltering()]).toEqual([
      true,
      true,
      true,
    ])
    expect([none.firstOffset(), none.lastOffset()]).toEqual([null, '9'])
  })

  it('end at the high watermark where nothing came', async () => {
    const none = await partition('100', [])
    expect([
      none.isEmpty(),
      none.isEmptyDueToFiltering(),
      none.lastOffset(),
      none.offsetLag(),
      none.offsetLagLow(),
    ]).toEqual([true, false, '99', '0', '0'])
  })

  it('show no marker of a transaction, and go on behind it', async () => {
    const marker = await encodeRecordBatch([record({ key: Buffer.from([0, 0, 0, 1]) })], producer, undefined)
    marker.writeInt16BE(marker.readInt16BE(at.attributes) | 0x20, at.attributes)
    writeInt64(marker, 6, at.firstOffset)
    marker.writeUInt32BE(crc32c(marker, at.attributes), at.crc)
    const all = await partition('5', [await stored([record()], 5), marker])
    expect(all.messages.map(({ offset }) => offset)).toEqual([5])
    expect([all.lastOffset(), all.isEmptyControlRecord()]).toEqual(['6', false])
    const rest = await partition('6', [marker])
    expect([rest.isEmpty(), rest.isEmptyControlRecord(), rest.isEmptyDueToFiltering()]).toEqual([true, true, true])
  })
})
