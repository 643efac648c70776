import { createRequire } from 'node:module'
import { StreamError } from '@lanescope/core'
import type { Admin } from 'kafkajs'
import { describe, expect, it } from 'vitest'
import { compressionCodecs, frameXerial, unframeXerial } from './compressionCodecs.js'
import { fromKafka } from './kafkaErrors.js'
import { startOf, startPositions } from './startPositions.js'

const require = createRequire(import.meta.url)
const { CompressionTypes } = require('kafkajs') as typeof import('kafkajs')
const servers = ['one:9092', 'two:9092']

function error(name: string, message: string, more: object = {}): Error {
  return Object.assign(new Error(message), { name }, more)
}

describe('Codecs that kafkajs lacks', () => {
  const codecs = compressionCodecs(require, CompressionTypes)
  const plain = Buffer.from('lane '.repeat(1000))

  it.each(['Snappy', 'LZ4', 'ZSTD'] as const)('%s reads what it writes, and makes it smaller', async (name) => {
    const codec = codecs[CompressionTypes[name]]?.()
    const packed = await codec?.compress({ buffer: plain })
    expect(packed?.length).toBeLessThan(plain.length / 4)
    expect(await codec?.decompress(packed as Buffer)).toEqual(plain)
  })

  it('reads the blocks of the Java client, and snappy without its frame', async () => {
    const same = async (block: Buffer) => block
    const framed = frameXerial(Buffer.from('ab'))
    expect(framed.toString('hex')).toBe('82534e415050590000000001000000010000000261' + '62')
    const second = Buffer.from([0, 0, 0, 1, 0x63])
    expect((await unframeXerial(Buffer.concat([framed, second]), same)).toString()).toBe('abc')
    expect((await unframeXerial(Buffer.from('bare'), same)).toString()).toBe('bare')
  })
})

describe('[E13] Where an application begins', () => {
  const range = { low: 10, high: 20 }
  it.each([
    ['committed', 15, 'earliest', { offset: 15 }],
    ['committed at the start', 10, 'latest', { offset: 10 }],
    ['committed at the end', 20, 'earliest', { offset: 20 }],
    ['below the start: deleted', 9, 'latest', { offset: 10, outside: { committed: 9, start: 10, end: 20 } }],
    ['behind the end: made anew', 21, 'latest', { offset: 10, outside: { committed: 21, start: 10, end: 20 } }],
    ['none, earliest', -1, 'earliest', { offset: 10 }],
    ['none, latest', -1, 'latest', { offset: 20 }],
  ] as const)('%s', (_, committed, reset, expected) => {
    expect(startOf(committed, range, reset)).toEqual(expected)
  })

  it('takes 0 as committed', () => {
    expect(startOf(0, { low: 0, high: 5 }, 'latest')).toEqual({ offset: 0 })
  })

  describe('in a topic that was read before', () => {
    const admin = {
      fetchOffsets: async () => [{ topic: 'in', partitions: [{ partition: 0, offset: '-1' }] }],
      fetchTopicOffsets: async () => [
        { partition: 0, low: '2', high: '90' },
        { partition: 1, low: '0', high: '90' },
        { partition: 2, low: '0', high: '90' },
      ],
    } as unknown as Admin
    const start = (id: string | undefined, lastId: string | undefined) =>
      startPositions(admin, 'app', ['in'], {
        reset: 'latest',
        ids: new Map(id === undefined ? [] : [['in', id]]),
        lastRead: new Map(lastId === undefined ? [] : [['in', { topicId: lastId, offsets: [7, 0] }]]),
      })

    it('[E13] tells of the gap where it was made anew, though it holds the offset and the group has forgotten it', async () => {
      const [first, second, third] = await start('c/new', 'c/old')
      const outside = { committed: 7, start: 2, end: 90, madeAnew: true }
      expect(first).toEqual({ topic: 'in', partition: 0, offset: 2, done: [], end: 90, topicId: 'c/new', outside })
      // Nothing of these was read, so that nothing is lost with the old topic.
      expect([second, third].map((position) => [position?.offset, position?.outside])).toEqual([
        [0, undefined],
        [0, undefined],
      ])
    })

    it('[E13] sees no gap where it is the same, or where the brokers do not tell', async () => {
      for (const [now, before] of [
        ['c/old', 'c/old'],
        [undefined, 'c/old'],
        ['c/new', undefined],
      ]) {
        const [first] = await start(now, before)
        expect([first?.offset, first?.outside, first?.topicId]).toEqual([90, undefined, now])
      }
    })
  })
})

describe('Errors of Kafka', () => {
  it('says in one line that no broker answers, where, and what to do', () => {
    const cause = error('KafkaJSConnectionError', 'connect ECONNREFUSED 127.0.0.1:9')
    const told = fromKafka(error('KafkaJSNumberOfRetriesExceeded', 'failed', { cause }), servers)
    expect(told).toMatchObject({ code: 'LOG_UNAVAILABLE', kind: 'operational', retriable: true })
    expect(told.message).toBe(
      'No Kafka broker answers at one:9092,two:9092 (connect ECONNREFUSED 127.0.0.1:9). Start it, or correct bootstrap.servers (and security.protocol: a broker that asks for TLS or a login gives no other answer); leave it out to run on the embedded log',
    )
  })

  it('names the topic that is missing', () => {
    const cause = error('KafkaJSProtocolError', 'no such topic', { type: 'UNKNOWN_TOPIC_OR_PARTITION' })
    const told = fromKafka(error('KafkaJSNumberOfRetriesExceeded', 'failed', { cause }), servers, { topic: 'events' })
    expect(told).toMatchObject({ code: 'TOPIC_MISSING', context: { topic: 'events' } })
  })

  it.each([
    ['INVALID_TIMESTAMP', 'PRODUCTION_FAILED'],
    ['MESSAGE_TOO_LARGE', 'PRODUCTION_FAILED'],
    ['NOT_ENOUGH_REPLICAS', 'LOG_UNAVAILABLE'],
  ])('%s is %s', (type, code) => {
    const told = fromKafka(error('KafkaJSProtocolError', 'refused', { type, retriable: false }), servers)
    expect(told).toMatchObject({ code, retriable: false })
    expect(told.message).toContain(type)
  })

  it('does not ask to try a wrong password again', () => {
    const told = fromKafka(error('KafkaJSSASLAuthenticationError', 'bad password'), servers)
    expect(told).toMatchObject({ code: 'LOG_UNAVAILABLE', retriable: false })
  })

  it.each([
    ['UNSUPPORTED_SASL_MECHANISM', ['sasl.mechanism']],
    ['ILLEGAL_SASL_STATE', ['security.protocol']],
    ['INVALID_TRANSACTION_TIMEOUT', ['producer.transaction.timeout.ms', 'transaction.max.timeout.ms']],
  ])('names the keys to look at where the broker answers %s', (type, keys) => {
    const told = fromKafka(error('KafkaJSProtocolError', 'refused', { type, retriable: false }), servers)
    expect(told).toMatchObject({ code: 'LOG_UNAVAILABLE', retriable: false })
    for (const key of keys) expect(told.message).toContain(key)
    expect(told.message).toMatch(/^Kafka at one:9092,two:9092 /)
  })

  it('leaves our own errors alone', () => {
    const ours = new StreamError('x', { code: 'TOPIC_INVALID', kind: 'user', retriable: false })
    expect(fromKafka(ours, servers)).toBe(ours)
  })
})
