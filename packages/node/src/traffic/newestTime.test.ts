import { EmbeddedLog, ManualClock, MemoryLogStorage } from '@lanescope/core'
import { describe, expect, it } from 'vitest'
import { newestOf, newestTime } from './newestTime.js'

async function logWith(partitions: readonly (readonly number[])[]) {
  const log = await EmbeddedLog.open({ storage: new MemoryLogStorage(), clock: new ManualClock(0) })
  await log.createTopic('events', partitions.length)
  for (const [partition, times] of partitions.entries()) {
    const records = times.map((timestamp) => ({ topic: 'events', partition, key: null, value: null, timestamp }))
    await log.append(records.map((record) => ({ ...record, headers: [] })))
  }
  return log
}

describe('newestTime', () => {
  it('is the newest of all partitions', async () => {
    const log = await logWith([[1, 5], [2, 9, 3], []])
    expect(await newestTime(log, 'events', Number.POSITIVE_INFINITY)).toBe(9)
  })

  it('passes over what is after the bound, and takes what is on it', async () => {
    const log = await logWith([[1, 5, 6, 7]])
    expect(await newestTime(log, 'events', 6)).toBe(6)
    expect(await newestTime(log, 'events', 5)).toBe(5)
    expect(await newestTime(log, 'events', 0)).toBeUndefined()
  })

  it('looks as far back as it has to', async () => {
    const log = await logWith([[4, ...Array.from({ length: 1200 }, () => 100)]])
    expect(await newestTime(log, 'events', 50)).toBe(4)
  })

  it('is nothing for a topic that is empty, or not there', async () => {
    const log = await logWith([[]])
    expect(await newestTime(log, 'events', 10)).toBeUndefined()
    expect(await newestTime(log, 'others', 10)).toBeUndefined()
  })
})

describe('newestOf', () => {
  it('has no use for what is unknown', () => {
    expect(newestOf([undefined, 3, undefined, 4, 2], 10)).toBe(4)
    expect(newestOf([undefined], 10)).toBeUndefined()
    expect(newestOf([-5], 10)).toBe(-5)
  })
})
