import { describe, expect, it } from 'vitest'
import { fromHex, toHex } from '../model/bytes.js'
import { Headers } from '../model/Headers.js'
import { EpochState } from './epoch/EpochState.js'
import { MemoryByteStore } from './MemoryByteStore.js'
import { MemoryStateBackend } from './MemoryStateBackend.js'
import { type BufferedRow, SuppressBuffer } from './SuppressBuffer.js'

const origin = { topic: 'in', partition: 3, offset: 2 ** 40 }

function row(time: number, key: string, changes: Partial<BufferedRow> = {}): BufferedRow {
  const values = { newValue: fromHex('aabb'), priorValue: fromHex('01'), oldValue: 'same' as const }
  return { time, keyBytes: fromHex(key), ...values, timestamp: 7, headers: Headers.empty, ...changes }
}

const open = () => new SuppressBuffer(new MemoryByteStore(), new MemoryByteStore())
const drained = (buffer: SuppressBuffer) => {
  const taken: string[] = []
  for (let next = buffer.takeOldest(); next !== undefined; next = buffer.takeOldest()) {
    taken.push(`${next.time} ${toHex(next.keyBytes)}`)
  }
  return taken
}

describe('rows that are held back', () => {
  it('[B.6] go by time, then key bytes, unsigned', () => {
    const buffer = open()
    for (const [time, key] of [
      [20, '61'],
      [10, 'ff'],
      [10, '61'],
      [2 ** 40, '00'],
      [10, '6100'],
    ] as const)
      buffer.put(row(time, key), origin)
    expect([buffer.records, buffer.oldest]).toEqual([5, 10])
    expect(buffer.peekOldest()).toEqual(row(10, '61'))
    expect(buffer.records).toBe(5)
    expect(drained(buffer)).toEqual(['10 61', '10 6100', '10 ff', '20 61', '1099511627776 00'])
    expect([buffer.records, buffer.bytes, buffer.oldest]).toEqual([0, 0, Number.POSITIVE_INFINITY])
    expect(buffer.peekOldest()).toBeUndefined()
  })

  it('come back as they were put: values, nulls, headers', () => {
    const headers = Headers.empty.with('h', fromHex('0102')).with('n', null)
    const rows = [
      row(1, '61', { headers }),
      row(2, '62', { newValue: null }),
      row(3, '63', { priorValue: null, oldValue: fromHex('0304') }),
      row(4, '64', { newValue: null, priorValue: null, oldValue: null }),
      row(5, '65', { newValue: fromHex(''), oldValue: fromHex('') }),
    ]
    const buffer = open()
    for (const one of rows) buffer.put(one, origin)
    for (const one of rows) expect(buffer.get(one.keyBytes)).toEqual(one)
    expect([...buffer.all()]).toEqual(rows)
    expect(buffer.get(fromHex('66'))).toBeUndefined()
  })

  it('[B.6] weigh what Kafka Streams counts: keys, values, times, and where they come from', () => {
    const buffer = open()
    buffer.put(row(1, '61'), origin)
    // Time, key, both values, the record's time and offset, its partition, its topic.
    expect(buffer.bytes).toBe(8 + 1 + 2 + 1 + 8 + 8 + 4 + 2)
    buffer.put(row(1, '61', { newValue: null, oldValue: fromHex('0304') }), null)
    expect(buffer.bytes).toBe(8 + 1 + 1 + 2 + 8 + 8 + 4)
    expect(buffer.records).toBe(1)
  })

  it('are found though an older one comes when others have gone', () => {
    const buffer = open()
    for (const [time, key] of [
      [10, '61'],
      [20, '62'],
    ] as const)
      buffer.put(row(time, key), origin)
    expect(buffer.takeOldest()?.time).toBe(10)
    buffer.put(row(5, '63'), origin)
    expect(buffer.oldest).toBe(5)
    expect(drained(buffer)).toEqual(['5 63', '20 62'])
  })

  it('[E2] are back after an abort, and pass over none that an epoch has taken', async () => {
    const backend = new MemoryStateBackend()
    const state = new EpochState(backend, 1)
    const buffer = new SuppressBuffer(state.store('b'), state.store('b:times'))
    for (const time of [1, 2, 3]) buffer.put(row(time, `6${time}`), origin)
    await state.commit(state.cut())
    expect([buffer.takeOldest()?.time, buffer.takeOldest()?.time, buffer.oldest]).toEqual([1, 2, 3])
    state.abort()
    const again = new EpochState(backend, 2)
    const restored = new SuppressBuffer(again.store('b'), again.store('b:times'))
    expect(restored.oldest).toBe(1)
    expect(drained(restored)).toEqual(['1 61', '2 62', '3 63'])
  })
})
