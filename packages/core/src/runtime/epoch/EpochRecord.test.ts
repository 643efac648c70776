import { describe, expect, it } from 'vitest'
import { decodeEpochRecord, type EpochRecord, encodeEpochRecord, epochTopicOf } from './EpochRecord.js'

const record: EpochRecord = {
  epoch: 7,
  wall: 1_700_000_000_000,
  positions: [{ topic: 'in', partition: 0, offset: 5, done: [7, 9] }],
  clocks: {
    partitions: [{ topic: 'in', partition: 0, maxTimestamp: 99 }],
    nodes: { in: 90 },
    observed: { count: 95 },
    stores: { 'per-day': 80 },
  },
  ticks: { every: 60_000 },
  changelogs: { 'app-per-day-changelog': { from: [0, 3], ends: [4, 9], id: 'c/t', format: 'window string long' } },
  topicIds: { in: 'c/in' },
}

describe('EpochRecord', () => {
  it('[E9] comes back as it went', () => {
    expect(decodeEpochRecord(encodeEpochRecord(record), 't')).toEqual(record)
  })

  it('[E9] reads one of a version that kept no changelogs', () => {
    const { changelogs, topicIds, ...before } = record
    const bytes = new TextEncoder().encode(JSON.stringify({ format: 1, ...before }))
    expect(decodeEpochRecord(bytes, 't')).toEqual({ ...record, changelogs: {}, topicIds: {} })
    expect([changelogs, topicIds]).not.toContainEqual({})
  })

  it('[E9] has a topic of the application', () => {
    expect(epochTopicOf('app')).toBe('app-lanescope-epoch-changelog')
  })

  it.each([
    ['no text at all', Uint8Array.of(0xff), /cannot be read/],
    ['no record', new TextEncoder().encode('[]'), /no epoch record/],
    ['a newer format', new TextEncoder().encode('{"format":2,"epoch":1}'), /format 2.*reads 1/],
  ])('[E9] refuses %s, naming the topic', (_, bytes, message) => {
    expect(() => decodeEpochRecord(bytes, 'app-epochs')).toThrow(message)
    expect(() => decodeEpochRecord(bytes, 'app-epochs')).toThrow('app-epochs')
  })
})
