import { describe, expect, it } from 'vitest'
import { partitionOf } from '../../lanes/murmur2.js'
import { directWriterOf } from '../../serde/DirectWriter.js'
import { string } from '../../serde/string.js'
import { visitOutputs } from '../OutputView.js'
import type { OutputRecord } from '../RecordLog.js'
import { PackedOutputs } from './PackedOutputs.js'

const bytes = (length: number, from = 0) => Uint8Array.from({ length }, (_, i) => (from + i) % 256)
const output = (over: Partial<OutputRecord> = {}): OutputRecord => ({
  topic: 'out',
  partition: 0,
  key: bytes(3),
  value: bytes(5, 100),
  timestamp: 1_700_000_000_123,
  headers: [],
  ...over,
})

describe('PackedOutputs', () => {
  const given = [
    output(),
    output({ key: null, topic: 'other', partition: 7 }),
    output({ value: null }),
    output({ key: new Uint8Array(0), value: new Uint8Array(0), timestamp: 0 }),
    output({ key: null, value: null, timestamp: 2 ** 53 - 1, headers: [{ key: 'h', value: null }] }),
    output({ topic: 'other', key: bytes(64), value: bytes(65, 9), headers: [{ key: 'é', value: bytes(2) }] }),
    output({ value: bytes(300_000) }),
    output({ partition: 3 }),
  ]

  it('gives what was added, in order, as often as it is asked', () => {
    const packed = new PackedOutputs(1, 1)
    for (const record of given) packed.add(record)
    expect(packed.length).toBe(given.length)
    expect([...packed]).toEqual(given)
    expect([...packed]).toEqual(given)
  })

  it.each([3, 64, 65, 5_000])('takes a part of %d bytes from the middle of others', (length) => {
    const packed = new PackedOutputs(1, 1)
    const key = packed.put(0, bytes(length + 9, 1), 4, 4 + length)
    const value = packed.put(key, bytes(length + 9, 2), 9)
    packed.end('out', 0, 5, key, value, [])
    expect([...packed]).toEqual([output({ key: bytes(length, 5), value: bytes(length, 11), timestamp: 5 })])
  })

  it('keeps thousands, over every growth', () => {
    const packed = new PackedOutputs()
    const many = Array.from({ length: 5000 }, (_, i) => output({ key: bytes(i % 70, i), partition: i % 5 }))
    for (const record of many) packed.add(record)
    expect([...packed]).toEqual(many)
  })

  it('[E3] knows its bytes: keys, values and headers', () => {
    const packed = new PackedOutputs()
    for (const record of given.slice(0, 6)) packed.add(record)
    expect(packed.byteLength).toBe(8 + 5 + 3 + 0 + 1 + (64 + 65 + 1 + 2))
  })

  it('gives each output bytes of its own', () => {
    const packed = new PackedOutputs()
    const key = bytes(3)
    packed.add(output({ key }))
    key.fill(9)
    const [first] = packed
    first?.key?.fill(7)
    expect([...packed][0]?.key).toEqual(bytes(3))
  })

  it('takes a part that is put for nothing until the output ends', () => {
    const packed = new PackedOutputs()
    const text = (at: number, value: string) => directWriterOf(string)?.write('out', value, packed, at)
    packed.put(0, bytes(40, 50))
    expect([packed.length, packed.byteLength]).toEqual([0, 0])
    expect(text(0, 'key')).toBe(3)
    expect(text(3, 'value')).toBe(5)
    expect(packed.part(0, 3)).toEqual(new TextEncoder().encode('key'))
    expect(packed.partitionOf(3, 1000)).toBe(partitionOf(new TextEncoder().encode('key'), 1000))
    packed.end('out', 1, 2, 3, 5, [])
    expect(text(0, 'k2')).toBe(2)
    expect(packed.partitionOf(2, 1000)).toBe(partitionOf(new TextEncoder().encode('k2'), 1000))
    packed.end('out', 1, 2, 2, -1, [])
    const texts = [...packed].map(({ key, value }) =>
      [key, value].map((part) => part && new TextDecoder().decode(part)),
    )
    expect(texts).toEqual([
      ['key', 'value'],
      ['k2', null],
    ])
  })

  it('have room for what is written from outside, and keep what was put in front of it', () => {
    const packed = new PackedOutputs(1)
    packed.add(output())
    packed.put(0, bytes(2, 1))
    const start = packed.reserve(2, 100)
    packed.bytes.fill(9, start, start + 100)
    packed.end('out', 0, 1, 2, 100, [])
    expect([...packed]).toMatchObject([output(), { key: bytes(2, 1), value: new Uint8Array(100).fill(9) }])
  })

  it('with others behind them are theirs and those, and they stay as they are', () => {
    const packed = new PackedOutputs()
    packed.add(output())
    const last = output({ topic: 'last' })
    const all = packed.followedBy([last], output())
    expect([all.length, [...all]]).toEqual([3, [output(), last, output()]])
    expect(packed.length).toBe(1)
  })

  it('show each where it lies, and those behind them too', () => {
    const given = [
      output(),
      output({ key: null, value: new Uint8Array([7]) }),
      output({ topic: 'u', partition: 3, timestamp: 9, value: null, headers: [{ key: 'h', value: null }] }),
      output({ key: new Uint8Array(0), value: new Uint8Array(0) }),
    ]
    const last = output({ topic: 'last', key: null })
    const packed = new PackedOutputs(1, 1)
    for (const each of given) packed.add(each)
    const seen: OutputRecord[] = []
    const copyOf = (part: Uint8Array | null, from: number, to: number) => (part === null ? null : part.slice(from, to))
    visitOutputs(packed.followedBy(given, last), (view) => {
      const { topic, partition, timestamp, headers } = view
      const key = copyOf(view.key, view.keyFrom, view.keyTo)
      seen.push({ topic, partition, timestamp, headers, key, value: copyOf(view.value, view.valueFrom, view.valueTo) })
    })
    expect(seen).toEqual([...given, ...given, last])
    visitOutputs([last], (view) => expect([view.key, view.topic]).toEqual([null, 'last']))
  })

  it('the next ones are empty', () => {
    const packed = new PackedOutputs()
    packed.add(output())
    expect([packed.next().length, [...packed.next()]]).toEqual([0, []])
  })
})
