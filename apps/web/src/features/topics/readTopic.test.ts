import type { WireRecord } from '@lanescope/shared'
import { describe, expect, it } from 'vitest'
import { type Ask, readFrom, readNewest } from './readTopic.js'
import { extentWords } from './TopicBar.js'

/** A log of partitions, each with the times of its records. */
function logOf(partitions: readonly (readonly number[])[]): { readonly ask: Ask; readonly asked: string[] } {
  const asked: string[] = []
  const ask: Ask = async (partition, fromOffset, max) => {
    asked.push(`${partition} ${fromOffset} ${max}`)
    const times = partitions[partition] ?? []
    const records = times.slice(fromOffset, fromOffset + max).map(
      (timestamp, index): WireRecord => ({
        topic: 't',
        partition,
        offset: fromOffset + index,
        timestamp,
        key: null,
        value: null,
        headers: [],
      }),
    )
    return { records, nextOffset: fromOffset + records.length, end: times.length }
  }
  return { ask, asked }
}

const placesOf = (records: readonly WireRecord[]) => records.map(({ partition, offset }) => `${partition}@${offset}`)
const counting = (length: number) => Array.from({ length }, (_, at) => at)

describe('all partitions of a topic', () => {
  it('come by time, the newest first, whichever partition they are in', async () => {
    const { ask } = logOf([[10, 30], [], [20, 40, 40], [30]])
    const page = await readNewest(ask, 4)
    expect(placesOf(page.records)).toEqual(['2@2', '2@1', '0@1', '3@0', '2@0', '0@0'])
    expect(page).toMatchObject({ total: 6 })
    expect(page.next).toBeUndefined()
    expect(extentWords(page, 4)).toBe('6 records · 4 partitions')
  })

  it('give their last records where there are more than a page shows', async () => {
    const { ask, asked } = logOf([counting(51), counting(50), [7], []])
    const page = await readNewest(ask, 4)
    expect(page.records).toHaveLength(101)
    expect(placesOf(page.records)[0]).toBe('0@50')
    expect(placesOf(page.records)).not.toContain('0@0')
    expect(placesOf(page.records)).toContain('0@1')
    expect(page.total).toBe(102)
    expect(asked).toEqual(['0 0 50', '1 0 50', '2 0 50', '3 0 50', '0 1 50'])
    expect(extentWords(page, 4)).toBe('the newest 101 of about 102 records · 4 partitions')
  })

  it('give two records each where there are very many, and a page of one alone', async () => {
    const many = logOf([[1, 2, 3]])
    await readNewest(many.ask, 300)
    expect(many.asked).toContain('299 0 2')
    const one = logOf([counting(101)])
    expect((await readNewest(one.ask, 1)).records).toHaveLength(100)
  })
})

describe('one partition of a topic', () => {
  it('is read from an offset on, and says where it goes on', async () => {
    const { ask } = logOf([counting(250)])
    const page = await readFrom(ask, 0, 120)
    expect(page.records[0]?.offset).toBe(120)
    expect(page).toMatchObject({ total: 250, next: { offset: 220, end: 250 } })
  })
})

it('says one record in four partitions as such', async () => {
  const { ask } = logOf([[], [5], [], []])
  expect(extentWords(await readNewest(ask, 4), 4)).toBe('1 record · 4 partitions')
})
