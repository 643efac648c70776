import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PartitionProgress } from './PartitionProgress.js'

const from = (offset: number, done: number[] = []) =>
  new PartitionProgress('t', 0, { topic: 't', partition: 0, offset, done })

describe('PartitionProgress', () => {
  it('[E8] commits the lowest offset not done, plus the done ones above it', () => {
    const progress = from(10)
    for (const offset of [10, 11, 12, 13]) progress.begin(offset)
    progress.finish(12)
    progress.finish(11)
    expect(progress.position()).toMatchObject({ offset: 10, done: [11, 12] })
    progress.finish(10)
    expect(progress.position()).toMatchObject({ offset: 13, done: [] })
  })

  it('[E8] knows after a restart what was done before it', () => {
    const progress = from(10, [12])
    expect([9, 10, 11, 12, 13].map((offset) => progress.isDone(offset))).toEqual([true, false, false, true, false])
    progress.begin(10)
    progress.begin(11)
    progress.skip(12)
    progress.begin(13)
    progress.finish(10)
    expect(progress.position()).toMatchObject({ offset: 11, done: [12] })
    progress.finish(11)
    expect(progress.position()).toMatchObject({ offset: 13, done: [] })
  })

  it('[E13] passes markers and compacted gaps, also at the end of what was read', () => {
    const progress = from(0)
    progress.begin(0)
    progress.begin(5)
    progress.finish(0)
    expect(progress.offset).toBe(5)
    progress.finish(5)
    progress.passed(9)
    expect(progress.position()).toMatchObject({ offset: 9, done: [] })
  })

  it('[E8] moves past what was done before the restart as soon as it follows, also where the log has lost it since', () => {
    const progress = new PartitionProgress('t', 0, { topic: 't', partition: 0, offset: 5, done: [9, 7, 6] })
    progress.begin(5)
    progress.finish(5)
    expect(progress.position()).toMatchObject({ offset: 8, done: [9] })
    progress.passed(9)
    expect(progress.position()).toMatchObject({ offset: 10, done: [] })
  })

  it('does not pass a gap behind a record that is still open', () => {
    const progress = from(0)
    progress.begin(0)
    progress.passed(9)
    expect(progress.offset).toBe(0)
    progress.finish(0)
    expect(progress.offset).toBe(9)
  })

  it('under any order of finishing, everything below the offset is done and nothing done is forgotten', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 0, max: 30 }), { maxLength: 31 }), (order) => {
        const progress = from(0)
        for (let offset = 0; offset <= 30; offset++) progress.begin(offset)
        const finished = new Set<number>()
        for (const offset of order) {
          progress.finish(offset)
          finished.add(offset)
          const position = progress.position()
          let lowest = 0
          while (finished.has(lowest)) lowest++
          expect(position.offset).toBe(lowest)
          expect(position.done).toEqual([...finished].filter((done) => done > lowest).sort((a, b) => a - b))
        }
      }),
    )
  })
})
