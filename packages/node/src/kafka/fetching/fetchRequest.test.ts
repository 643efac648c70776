import { describe, expect, it } from 'vitest'
import { record, stored } from '../../../test/recordBatches.js'
import type { Broker } from '../KafkaCluster.js'
import { PositionLostError } from '../PositionLostError.js'
import { FlexibleWriter } from '../records/flexible.js'
import { decodeFetch, encodeFetch, fetchFrom, type Wanted } from './fetchRequest.js'

const ids = new Map([
  ['a', Buffer.alloc(16, 1)],
  ['b', Buffer.alloc(16, 2)],
])
const want = (topic: string, partition = 0): Wanted => ({ topic, partition, offset: 2 ** 40 + 7, bytes: 9 })

interface Told {
  readonly partition?: number
  readonly error?: number
  readonly aborted?: readonly (readonly [bigint, number])[]
  readonly records?: Buffer
}

/** A Fetch response from behind its correlation id, as the protocol guide lays it out. */
function response(topics: readonly (readonly [name: string | Buffer, parts: readonly Told[]])[], error = 0): Buffer {
  const writer = new FlexibleWriter()
  // A tagged field that nobody knows here, in the head.
  writer
    .bytes(Buffer.of(1, 9, 2, 7, 7))
    .int32(3)
    .bytes(int16(error))
    .int32(0)
  writer.length(topics.length)
  for (const [name, parts] of topics) {
    if (typeof name === 'string') writer.text(name)
    else writer.bytes(name)
    writer.length(parts.length)
    for (const { partition = 0, error: refusal = 0, aborted, records } of parts) {
      writer.int32(partition).bytes(int16(refusal)).int64(90).int64(80).int64(5)
      if (aborted === undefined) writer.bytes(Buffer.of(0))
      else writer.length(aborted.length)
      for (const [producer, first] of aborted ?? []) writer.bytes(int64(producer)).int64(first).tags()
      writer.int32(-1)
      if (records === undefined) writer.bytes(Buffer.of(0))
      else writer.length(records.length).bytes(records)
      writer.tags()
    }
    writer.tags()
  }
  return writer.tags().buffer
}
const int16 = (value: number) => Buffer.from([(value >> 8) & 255, value & 255])
const int64 = (value: bigint) => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64BE(value)
  return bytes
}

/** A broker that answers any fetch so, and remembers how it was asked. */
function broker(payload: Buffer | Error, maxVersion = 17) {
  const asked: number[] = []
  let farewells = 0
  const fake = {
    versions: { 1: { maxVersion } },
    connectionPool: {
      send: async ({ request, response: answer }: Parameters<Broker['connectionPool']['send']>[0]) => {
        asked.push(request.apiVersion)
        await request.encode()
        if (payload instanceof Error) throw payload
        return answer.parse(await answer.decode(payload))
      },
    },
    disconnect: async () => {
      farewells++
    },
  }
  return { broker: fake as unknown as Broker, asked, farewells: () => farewells }
}
const none = () => undefined

describe('a request for records', () => {
  it('[E13] asks by id where the ids are known, and by name where not', () => {
    const byId = encodeFetch([want('a')], ids)
    expect(byId.includes(Buffer.alloc(16, 1))).toBe(true)
    const byName = encodeFetch([want('a')], undefined)
    expect(byId.length - byName.length).toBe(16 - 2)
  })

  it('is laid out as the protocol has it', () => {
    const head = [0, 255, 255, 255, 255, 0, 0, 0, 100, 0, 0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 0, 255, 255, 255, 255]
    const part = (partition: number) => [
      ...[0, 0, 0, partition],
      ...[255, 255, 255, 255],
      ...[0, 0, 1, 0, 0, 0, 0, 7],
      ...[255, 255, 255, 255],
      ...[255, 255, 255, 255, 255, 255, 255, 255],
      ...[0, 0, 0, 9],
      0,
    ]
    expect([...encodeFetch([want('a', 3), want('a', 1), want('b', 0)], undefined)]).toEqual([
      ...head,
      ...[3, 2, 97, 3, ...part(3), ...part(1), 0],
      ...[2, 98, 2, ...part(0), 0],
      ...[1, 1, 0],
    ])
  })

  it('keeps the order of partitions, though a topic comes twice', () => {
    const bytes = encodeFetch([want('a', 1), want('b', 2), want('a', 3)], undefined)
    expect(bytes[26]).toBe(4)
  })
})

describe('its answer', () => {
  const aborted = [[2n ** 60n + 1n, 4]] as const

  it('is read by id or name, with positions, aborted transactions, and parts without any', () => {
    const parts = [{ partition: 7, aborted }, { partition: 8 }]
    const expected = {
      clientSideThrottleTime: 3,
      parts: [
        {
          place: { topic: 'a', partition: 7 },
          error: 0,
          lastStableOffset: 80,
          abortedTransactions: [{ producerId: '1152921504606846977', firstOffset: 4 }],
          records: Buffer.alloc(0),
        },
        { place: { topic: 'a', partition: 8 }, abortedTransactions: [], records: Buffer.alloc(0) },
      ],
    }
    expect(decodeFetch(response([['a', parts]]), undefined)).toMatchObject(expected)
    const names = new Map([[Buffer.alloc(16, 1).toString('hex'), 'a']])
    expect(decodeFetch(response([[Buffer.alloc(16, 1), parts]]), names)).toMatchObject(expected)
  })

  it('is refused where it is of another topic, ends within a field, or is an error as a whole', () => {
    expect(() => decodeFetch(response([[Buffer.alloc(16, 3), [{}]]]), new Map())).toThrow(/of another topic/)
    const whole = response([['a', [{}]]])
    expect(() => decodeFetch(whole.subarray(0, 40), undefined)).toThrow(RangeError)
    expect(() => decodeFetch(response([], 29), undefined)).toThrow(/may not read/)
  })
})

describe('fetchFrom', () => {
  it('[E13] asks by id where broker and caller know ids, and by name where one of them does not', async () => {
    const named = response([['a', [{}]]])
    for (const [maxVersion, known, version] of [
      [13, ids, 13],
      [12, ids, 12],
      [17, new Map(), 12],
      [17, new Map([['b', Buffer.alloc(16, 2)]]), 12],
    ] as const) {
      const payload = version === 13 ? response([[Buffer.alloc(16, 1), [{}]]]) : named
      const { broker: one, asked } = broker(payload, maxVersion)
      const [part] = await fetchFrom(one, [want('a')], known, none)
      expect([asked, part?.place]).toEqual([[version], { topic: 'a', partition: 0 }])
    }
  })

  it('asks for all by name where one of them has no id that is known', async () => {
    const { broker: one, asked } = broker(
      response([
        ['a', [{}]],
        ['b', [{}]],
      ]),
    )
    const known = new Map([['b', Buffer.alloc(16, 2)]])
    expect(await fetchFrom(one, [want('a'), want('b')], known, none)).toHaveLength(2)
    expect(asked).toEqual([12])
  })

  it('hands out the batches of records', async () => {
    const records = await stored([record(), record()], 5)
    const [part] = await fetchFrom(broker(response([['a', [{ records }]]])).broker, [want('a')], new Map(), none)
    expect(part?.messages.batches.map(({ firstOffset, left }) => [firstOffset, left])).toEqual([[5, 2]])
  })

  it.each([
    [3, 'UNKNOWN_TOPIC_OR_PARTITION', true],
    [6, 'NOT_LEADER_FOR_PARTITION', true],
    [29, 'TOPIC_AUTHORIZATION_FAILED', false],
    [100, 'UNKNOWN_TOPIC_ID', true],
    [103, 'INCONSISTENT_TOPIC_ID', true],
    [77, 'ERROR_77', true],
  ])('throws error %i of a partition as %s', async (error, type, retriable) => {
    const answer = response([['a', [{}, { partition: 1, error }]]])
    await expect(fetchFrom(broker(answer).broker, [want('a')], new Map(), none)).rejects.toMatchObject({
      type,
      retriable,
    })
  })

  it('throws a position that is not held with its partition', async () => {
    const answer = response([['a', [{ partition: 4, error: 1 }]]])
    const failed = fetchFrom(broker(answer).broker, [want('a')], new Map(), none)
    await expect(failed).rejects.toBeInstanceOf(PositionLostError)
    await expect(failed).rejects.toMatchObject({ place: { topic: 'a', partition: 4 } })
  })

  it('gives up a connection that was closed, and no other one', async () => {
    for (const [name, farewells] of [
      ['KafkaJSConnectionClosedError', 1],
      ['KafkaJSRequestTimeoutError', 0],
    ] as const) {
      const scene = broker(Object.assign(new Error('broken'), { name }))
      await expect(fetchFrom(scene.broker, [want('a')], ids, none)).rejects.toThrow('broken')
      expect(scene.farewells()).toBe(farewells)
    }
  })
})
