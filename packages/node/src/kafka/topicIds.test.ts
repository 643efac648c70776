import { describe, expect, it } from 'vitest'
import { FlexibleWriter } from './records/flexible.js'
import { decodeTopicIds, encodeRequest } from './topicIds.js'

const int16 = (value: number) => Buffer.from([value >> 8, value & 255])
const int32 = (value: number) => Buffer.from([value >> 24, value >> 16, value >> 8, value].map((byte) => byte & 255))
const id = (fill: number) => Buffer.alloc(16, fill)

interface Topic {
  readonly name: string
  readonly id: Buffer
  readonly error?: number
  readonly partitions?: number
}

/** A Metadata response 12 from behind its correlation id, as the protocol guide lays it out. */
function response(topics: readonly Topic[], clusterId = 'cluster'): Buffer {
  const writer = new FlexibleWriter()
  // A tagged field that nobody knows here.
  writer.bytes(Buffer.of(1, 9, 2, 7, 7)).bytes(int32(0))
  writer.length(2)
  for (const host of ['one', 'two']) {
    writer.bytes(int32(1)).text(host).bytes(int32(9092))
    writer.bytes(Buffer.of(0)).tags()
  }
  writer.text(clusterId).bytes(int32(1)).length(topics.length)
  for (const topic of topics) {
    const { partitions = 1 } = topic
    writer
      .bytes(int16(topic.error ?? 0))
      .text(topic.name)
      .bytes(topic.id)
      .boolean(false)
      .length(partitions)
    for (let partition = 0; partition < partitions; partition++) {
      writer.bytes(int16(0)).bytes(int32(partition)).bytes(int32(1)).bytes(int32(5))
      writer.length(2).bytes(int32(1)).bytes(int32(2)).length(1).bytes(int32(1)).length(0).tags()
    }
    writer.bytes(int32(-2_147_483_648)).tags()
  }
  return writer.tags().buffer
}

describe('topicIds', () => {
  it('reads ids of any number of topics with any number of partitions', () => {
    const ids = decodeTopicIds(
      response([
        { name: 'a', id: id(1), partitions: 3 },
        { name: 'b'.repeat(200), id: id(2), partitions: 300 },
      ]),
    )
    expect([...ids]).toEqual([
      ['a', `cluster/${id(1).toString('base64url')}`],
      ['b'.repeat(200), `cluster/${id(2).toString('base64url')}`],
    ])
  })

  it('tells clusters apart', () => {
    const [one, two] = ['one', 'two'].map((cluster) => decodeTopicIds(response([{ name: 'a', id: id(1) }], cluster)))
    expect(one?.get('a')).not.toBe(two?.get('a'))
  })

  it('leaves out topics that do not exist, and those without an id', () => {
    const ids = decodeTopicIds(
      response([
        { name: 'gone', id: id(1), error: 3 },
        { name: 'old', id: id(0) },
        { name: 'a', id: id(4) },
      ]),
    )
    expect([...ids.keys()]).toEqual(['a'])
  })

  it('says so when an answer ends within a field', () => {
    const whole = response([{ name: 'a', id: id(1) }])
    expect(() => decodeTopicIds(whole.subarray(0, 40))).toThrow(RangeError)
  })

  it('asks by name, and for nothing else', () => {
    expect(encodeRequest(['in'])).toEqual(
      Buffer.concat([Buffer.of(0, 2), id(0), Buffer.of(3, 105, 110, 0), Buffer.of(0, 0, 0)]),
    )
    // 200 names: a length of two bytes.
    expect([...encodeRequest(Array.from({ length: 200 }, () => 'x')).subarray(0, 3)]).toEqual([0, 0xc9, 0x01])
  })
})
