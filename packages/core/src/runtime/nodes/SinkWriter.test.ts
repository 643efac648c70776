import { describe, expect, it } from 'vitest'
import { partitionOf } from '../../lanes/murmur2.js'
import { fromHex } from '../../model/bytes.js'
import { Headers } from '../../model/Headers.js'
import type { RecordCoordinates } from '../../model/Record.js'
import { long } from '../../serde/long.js'
import type { Serde } from '../../serde/Serde.js'
import { string } from '../../serde/string.js'
import type { CompiledNode, CompiledSink } from '../../topology/CompiledTopology.js'
import { PackedOutputs } from '../epoch/PackedOutputs.js'
import type { OutputRecord, TopicInfo } from '../RecordLog.js'
import { SinkWriter } from './SinkWriter.js'

function writer(sink: Partial<CompiledSink> = {}, info: Partial<TopicInfo> = {}, now = 0) {
  const node = { name: 'sink', sink: { topic: 'out', keySerializer: string, valueSerializer: string, ...sink } }
  const topics = ['out', 'other'].map((topic): [string, TopicInfo] => [topic, { topic, partitions: 8, ...info }])
  const sinkWriter = new SinkWriter(node as unknown as CompiledNode, new Map(topics), () => now)
  return {
    /** What one record becomes. */
    write: (given: ReturnType<typeof record>, place: RecordCoordinates | null = null): OutputRecord => {
      const out = new PackedOutputs()
      sinkWriter.write(given, out, place)
      const [output, ...others] = out
      expect(others).toEqual([])
      return output as OutputRecord
    },
  }
}

const record = (key: unknown, value: unknown) => ({
  key,
  value,
  timestamp: 5,
  headers: Headers.empty.with('h', fromHex('01')),
})

describe('SinkWriter', () => {
  it('[G4] writes key and value, and passes time and headers on', () => {
    expect(writer().write(record('k0', 'v'))).toEqual({
      topic: 'out',
      partition: partitionOf(fromHex('6b30'), 8),
      key: fromHex('6b30'),
      value: fromHex('76'),
      timestamp: 5,
      headers: [{ key: 'h', value: fromHex('01') }],
    })
  })

  it('[G4] [F6] refuses a timestamp that is further behind than the topic takes, and takes one that is just so far', () => {
    const at = (now: number) => writer({}, { maxTimestampBehindMs: 3 }, now)
    expect(at(8).write(record('k', 'v')).timestamp).toBe(5)
    expect(() => at(9).write(record('k', 'v'))).toThrow(/topic "out": The timestamp 5 is 4 ms behind.* 3 at most/)
    expect(at(-1e9).write(record('k', 'v')).timestamp).toBe(5)
  })

  it('[G4] [F6] [G-8] refuses a timestamp that is further ahead than the topic takes, and takes one that is just so far', () => {
    const at = (now: number) => writer({}, { maxTimestampAheadMs: 3 }, now)
    expect(at(2).write(record('k', 'v')).timestamp).toBe(5)
    expect(() => at(1).write(record('k', 'v'))).toThrow(/topic "out": The timestamp 5 is 4 ms ahead.* 3 at most/)
    expect(writer({}, {}, -1e9).write(record('k', 'v')).timestamp).toBe(5)
  })

  it('writes null and undefined as null, and asks no serde for it', () => {
    const none = writer({ keySerializer: undefined, valueSerializer: undefined })
    expect(none.write(record(null, undefined))).toMatchObject({ key: null, value: null })
  })

  it('[L3] sends null keys round the partitions, topic by topic', () => {
    const sink = writer({ topic: (_key, value) => String(value) }, { partitions: 2 })
    const partitions = ['out', 'out', 'other', 'out', 'other'].map((topic) => sink.write(record(null, topic)).partition)
    expect(partitions).toEqual([0, 1, 0, 0, 1])
  })

  it.each([
    ['a promise', () => Promise.reject(new Error('late')), 'SYNC_CALLBACK_RETURNED_PROMISE', 'returned a promise'],
    ['undefined', () => undefined, 'PRODUCTION_FAILED', 'returned undefined'],
    ['null', () => null, 'PRODUCTION_FAILED', 'returned null'],
    ['an empty text', () => '', 'PRODUCTION_FAILED', 'returned an empty text'],
    ['a number', () => 1, 'PRODUCTION_FAILED', 'returned a number'],
  ])('refuses %s for a topic, with node and key', (_what, topic, code, message) => {
    expect(() => writer({ topic: topic as never }).write(record('k', 'v'))).toThrow(
      expect.objectContaining({
        code,
        message: expect.stringContaining(`The topic extractor of sink "sink" ${message} for the key k.`),
        context: { node: 'sink', key: 'k' },
      }),
    )
  })

  it('the topic extractor sees where the record comes from, and nothing where a timer sends it', () => {
    const sink = writer({ topic: (_key, _value, place) => (place?.topic === 'in' ? 'other' : 'out') })
    const place = { topic: 'in', partition: 0, offset: 3, timestamp: 9 }
    expect(sink.write(record('k', 'v'), place).topic).toBe('other')
    expect(sink.write(record('k', 'v')).topic).toBe('out')
  })

  it('an empty key is hashed, not sent round', () => {
    const sink = writer()
    expect([0, 1].map(() => sink.write(record('', 'v')).partition)).toEqual([1, 1])
  })

  it('of a windowed key the inner key’s bytes pick the partition', () => {
    const windowed: Serde<string> = { ...string, laneBytes: (bytes) => bytes.subarray(0, 2) }
    expect(writer({ keySerializer: windowed }).write(record('k0@5', 'v')).partition).toBe(
      partitionOf(fromHex('6b30'), 8),
    )
  })

  it.each([
    ['a topic that does not exist', writer({ topic: () => 'nowhere' }), record('k', 'v'), /"nowhere" does not exist/],
    ['no key serde', writer({ keySerializer: undefined }), record('k', 'v'), /write the key.*default\.key\.serde/],
    [
      'no value serde',
      writer({ valueSerializer: undefined }),
      record('k', 'v'),
      /write the value.*default\.value\.serde/,
    ],
    [
      'a value of another type',
      writer({ valueSerializer: long }),
      record('k', 'v'),
      /The value cannot be written by serde "long"/,
    ],
  ])('[G4] refuses %s, naming sink and topic', (_name, sink, given, message) => {
    expect(() => sink.write(given)).toThrow(message)
    expect(() => sink.write(given)).toThrow(
      expect.objectContaining({ code: 'PRODUCTION_FAILED', context: expect.objectContaining({ node: 'sink' }) }),
    )
  })

  it('[G4] refuses what is larger than the topic takes, key and value together, and not what just fits', () => {
    const sink = writer({}, { maxMessageBytes: 5 })
    expect(sink.write(record('ab', 'cde')).key).toHaveLength(2)
    expect(() => sink.write(record('ab', 'cdef'))).toThrow(/6 bytes.*5/)
    expect(() => sink.write(record(null, 'abcdef'))).toThrow(/6 bytes/)
    expect(() => sink.write(record('abcdef', null))).toThrow(/6 bytes/)
  })
})
