import { createRequire } from 'node:module'
import { type LogRecord, type OutputRecord, visitOutputs } from '@lanescope/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { producer, record, stored, storedMarker } from '../../../test/recordBatches.js'
import { crc32c } from './crc32c.js'
import { CorruptBatchError, decodeRecordBatches } from './decodeRecordBatches.js'
import { type BatchCodec, type BatchProducer, RecordRun } from './RecordRun.js'
import {
  at,
  CODEC_MASK,
  CONTROL,
  type CodecModule,
  LOG_APPEND_TIME,
  readInt64,
  TRANSACTIONAL,
  writeInt64,
} from './recordBatch.js'

const require = createRequire(import.meta.url)
/** What the Java client and kafkajs agree on, in kafkajs's own words. */
const theirs = require('kafkajs/src/protocol/recordBatch/v0/decoder.js') as (decoder: object) => Promise<{
  readonly records: readonly { offset: string; timestamp: string; key: Buffer; value: Buffer; headers: object }[]
}>
const Decoder = require('kafkajs/src/protocol/decoder.js') as new (bytes: Buffer) => object

const plain = () => undefined
function encodeRecordBatch(records: readonly OutputRecord[], by: BatchProducer, codec: BatchCodec | undefined) {
  const run = new RecordRun('t', 0)
  visitOutputs(records, (output) => run.add(output, Number.POSITIVE_INFINITY))
  return run.encode(by, codec)
}
/** Records and what is damaged behind them. */
async function read(given: Buffer, codecOf: Parameters<typeof decodeRecordBatches>[1] = plain) {
  const { batches, damage } = await decodeRecordBatches(given, codecOf)
  const records: LogRecord[] = []
  for (const batch of batches) batch.take(0, records, Number.POSITIVE_INFINITY)
  return { batches, records, damage }
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
  it('have the head that Kafka knows: offsets from 0, lengths, attributes, times, producer, sequence, counts', async () => {
    const given = [record({ timestamp: 20 }), record({ timestamp: 10 }), record({ timestamp: 30 })]
    const batch = await encodeRecordBatch(given, producer, undefined)
    const head = [
      ...[0, 27, 35, 43].map((offset) => Number(batch.readBigInt64BE(offset))),
      ...[8, 12, 23, 53, 57].map((offset) => batch.readInt32BE(offset)),
      ...[21, 51].map((offset) => batch.readInt16BE(offset)),
      batch.readInt8(16),
    ]
    expect(head).toEqual([0, 20, 30, 4711, batch.length - 12, 0, 2, 9, 3, 0x10, 3, 2])
    expect(batch.readUInt32BE(17)).toBe(crc32c(batch, 21))
    expect([CODEC_MASK, LOG_APPEND_TIME, TRANSACTIONAL, CONTROL]).toEqual([0x07, 0x08, 0x10, 0x20])
  })

  it('come back as they went: nulls, times, headers in their order, also repeated and without a value', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyRecord, { minLength: 1, maxLength: 20 }), async (given) => {
        const { records: found } = await read(
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
    const [found] = (await read(batch)).batches
    expect(found).toMatchObject({ producerId: '4711', inTransaction: true, isControl: false, isAbort: false })
    const outside = await encodeRecordBatch([record()], { ...producer, isTransactional: false }, undefined)
    expect((await read(outside)).batches[0]?.inTransaction).toBe(false)
  })

  it('tell the marker of an abort from that of a commit', async () => {
    const batches = [await storedMarker('abort', 0), await storedMarker('commit', 1)]
    const found = (await decodeRecordBatches(Buffer.concat(batches), plain)).batches
    expect(found.map(({ isControl, isAbort }) => [isControl, isAbort])).toEqual([
      [true, true],
      [true, false],
    ])
  })

  it('give their records a few at a time, from an offset on', async () => {
    const [batch] = (await decodeRecordBatches(await stored([record(), record(), record(), record()], 7), plain))
      .batches
    const taken: LogRecord[] = []
    batch?.take(8, taken, 1)
    expect([taken.map(({ offset }) => offset), batch?.isDone]).toEqual([[8], false])
    batch?.take(8, taken, 3)
    expect([taken.map(({ offset }) => offset), batch?.isDone, batch?.size]).toEqual([[8, 9, 10], true, 0])
    expect([batch?.firstOffset, batch?.lastOffset]).toEqual([7, 10])
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
    expect((await read(batch)).records.map(({ timestamp }) => timestamp)).toEqual([777, 777])
  })

  it('may be compressed, each by its own codec', async () => {
    const flip = async (given: Buffer) => Buffer.from(given.map((byte) => byte ^ 255))
    const module: CodecModule = { compress: ({ buffer }) => flip(buffer), decompress: flip }
    const packed = await encodeRecordBatch([record(), record({ key: null })], producer, { number: 3, module })
    const both = Buffer.concat([packed, await stored([record({ value: Buffer.from('w') })], 2)])
    const { records: found } = await read(both, (number) => (number === 3 ? module : undefined))
    expect(found.map(({ key, value }) => [key?.toString(), value?.toString()])).toEqual([
      ['k', 'v'],
      [undefined, 'v'],
      ['k', 'w'],
    ])
  })

  it('that the fetch has cut off are left for the next one', async () => {
    const [first, second] = [await stored([record()]), await stored([record()], 1)]
    for (const length of [1, 11, 60, second.length - 1]) {
      const { records: found } = await read(Buffer.concat([first, second.subarray(0, length)]))
      expect(found.map(({ offset }) => offset)).toEqual([0])
    }
    expect((await read(Buffer.concat([first, second]))).records).toHaveLength(2)
  })

  it('[E11] with one bit changed anywhere behind the checksum are refused, naming the offset', async () => {
    const batch = await stored([record(), record()], 42)
    for (let index = at.crc; index < batch.length; index++) {
      const damaged = Buffer.from(batch)
      damaged[index] = (damaged[index] as number) ^ 1
      const { records, damage } = await read(damaged)
      expect(damage).toBeInstanceOf(CorruptBatchError)
      expect([records.length, damage?.firstOffset]).toEqual([0, 42])
    }
  })

  it('[E11] that claim to be shorter than their head are damaged, and end the reading', async () => {
    const batch = await stored([record()], 42)
    batch.writeInt32BE(at.records - at.leaderEpoch - 1, at.length)
    expect((await read(batch)).damage).toMatchObject({ firstOffset: 42 })
    batch.writeInt32BE(at.records - at.leaderEpoch, at.length)
    expect((await read(batch)).damage?.problem).toContain('checksum')
  })

  it('[E11] are read up to the one that is damaged', async () => {
    const damaged = await stored([record()], 1)
    damaged[at.records] = (damaged[at.records] as number) ^ 1
    const { records, damage } = await read(Buffer.concat([await stored([record()]), damaged]))
    expect(records.map(({ offset }) => offset)).toEqual([0])
    expect(damage?.firstOffset).toBe(1)
  })
})
