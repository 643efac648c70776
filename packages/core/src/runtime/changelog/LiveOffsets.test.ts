import { describe, expect, it } from 'vitest'
import { LiveOffsets } from './LiveOffsets.js'

const key = new Uint8Array([1])
const other = new Uint8Array([2])
const ends = [100, 200]

describe('[E12] what of a changelog is needed', () => {
  it('is nothing below the ends while there is nothing', () => {
    expect(new LiveOffsets(2).needed(ends)).toEqual(ends)
  })

  it('begins with the first record of the oldest segment, partition by partition', () => {
    const live = new LiveOffsets(2)
    live.wrote('/0', key, false, 0, 10)
    live.wrote('/0', other, false, 0, 11)
    live.wrote('/60', key, false, 0, 20)
    live.wrote('/60', key, false, 1, 30)
    expect(live.needed(ends)).toEqual([10, 30])
  })

  it('counts the deletion of a row as of its segment', () => {
    const live = new LiveOffsets(2)
    live.wrote('/0', key, true, 0, 10)
    expect(live.needed(ends)).toEqual([10, 200])
  })

  it('takes the lowest offset, in whatever order they come', () => {
    const live = new LiveOffsets(2)
    live.wrote('/0', key, false, 0, 10)
    live.wrote('/0', other, false, 0, 9)
    expect(live.needed(ends)).toEqual([9, 200])
  })

  it('moves on when a segment goes, though a later one began before it in another partition', () => {
    const live = new LiveOffsets(2)
    live.wrote('/0', key, false, 0, 10)
    live.wrote('/60', key, false, 0, 20)
    live.wrote('/60', key, false, 1, 5)
    live.dropped('/0')
    expect(live.needed(ends)).toEqual([20, 5])
    live.dropped('/60')
    expect(live.needed(ends)).toEqual(ends)
  })

  it('needs of a row outside segments its last write alone, and nothing once it is deleted', () => {
    const live = new LiveOffsets(2)
    live.wrote(':marks', key, false, 0, 10)
    live.wrote(':marks', other, false, 0, 30)
    live.wrote(':marks', key, false, 0, 40)
    expect(live.needed(ends)).toEqual([30, 200])
    live.wrote(':marks', other, true, 0, 50)
    expect(live.needed(ends)).toEqual([40, 200])
  })

  it('goes on after a start from what was saved, which later writes leave alone', () => {
    const live = new LiveOffsets(2)
    live.wrote('/0', key, false, 0, 10)
    live.wrote(':marks', key, false, 1, 7)
    const { saved } = live
    live.wrote('/0', key, false, 0, 3)
    const next = new LiveOffsets(2)
    next.wrote('/9', key, false, 0, 1)
    next.restore(saved)
    expect(next.needed(ends)).toEqual([10, 7])
  })

  it('forgets segments that are empty at a start, and no other rows', () => {
    const live = new LiveOffsets(2)
    live.wrote('/0', key, false, 0, 10)
    live.wrote('/60', key, false, 0, 20)
    live.wrote(':marks', key, false, 1, 7)
    live.keep(new Set(['/60']))
    expect(live.needed(ends)).toEqual([20, 7])
  })

  it('takes all from an offset on for needed by a segment that it knows nothing of', () => {
    const live = new LiveOffsets(2)
    live.wrote('/60', key, false, 0, 20)
    live.assume('/0', [4, 5])
    live.assume('/60', [0, 0])
    expect(live.needed(ends)).toEqual([4, 5])
  })
})
