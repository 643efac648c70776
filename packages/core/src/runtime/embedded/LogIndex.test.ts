import { describe, expect, it } from 'vitest'
import type { ChunkHead, CommittedProgress } from './journalEntry.js'
import { LogIndex } from './LogIndex.js'
import { Moves } from './Moves.js'

const index = () => new LogIndex(async () => new Uint8Array(0), new Moves())
const at = (segment: number, place: number) => ({ segment, at: place })
const progress = (...offsets: readonly number[]): CommittedProgress => ({
  application: 'app',
  epoch: 1,
  positions: offsets.map((offset, partition) => ({ topic: 'in', partition, offset, done: [] })),
})
const chunk = (topic: string, base: number, count = 1): ChunkHead => ({
  ...{ topic, partition: 0, base, count, next: base + count },
  ...{ isSparse: false, at: 0, length: 1 },
})

describe('[E12] positions in a journal', () => {
  it('are an entry’s last ones until a later entry has them, also one of the same file', () => {
    const log = index()
    log.apply({ kind: 'write', chunks: [], progress: progress(1, 1) }, at(1, 10))
    log.apply({ kind: 'write', chunks: [], progress: progress(2) }, at(1, 50))
    expect(log.lastPositions(progress(1, 1), at(1, 10)).map(({ partition }) => partition)).toEqual([1])
    expect(log.lastPositions(progress(2), at(1, 50))).toHaveLength(1)
    // The same place in another file is another one.
    expect(log.lastPositions(progress(2), at(2, 50))).toEqual([])
    expect(log.lastPositions({ ...progress(2), application: 'other' }, at(1, 50))).toEqual([])
  })

  it('are found where they have been moved to, unless they went on meanwhile', () => {
    const log = index()
    log.apply({ kind: 'write', chunks: [], progress: progress(1, 1) }, at(1, 10))
    log.apply({ kind: 'write', chunks: [], progress: progress(2) }, at(2, 10))
    log.relocate(1, [[{ kind: 'write', chunks: [], progress: progress(1, 1) }, at(1, 5)]])
    expect(log.lastPositions(progress(1, 1), at(1, 5)).map(({ partition }) => partition)).toEqual([1])
    expect(log.lastPositions(progress(2), at(2, 10))).toHaveLength(1)
    expect([0, 1].map((partition) => log.committed('app', { topic: 'in', partition })?.offset)).toEqual([2, 1])
  })
})

describe('records missing from a journal', () => {
  const withGap = () => {
    const log = index()
    log.apply({ kind: 'topic', topic: 't', partitions: 1 }, at(1, 10))
    log.apply({ kind: 'write', chunks: [chunk('t', 0)], progress: undefined }, at(1, 20))
    log.apply({ kind: 'write', chunks: [chunk('t', 2)], progress: undefined }, at(3, 30))
    return log
  }

  it('are damage, which is named', () => {
    expect(() => withGap().check()).toThrow(/journal-00000003.log" at byte 30/)
  })

  it('[E12] are none where a topic is thinned out, said before or after', () => {
    const log = withGap()
    log.apply({ kind: 'rule', topic: 't', compact: false }, at(4, 10))
    expect(() => log.check()).not.toThrow()
  })

  it('never come back: what lies below the end is refused at once', () => {
    const write = { kind: 'write', chunks: [chunk('t', 1)], progress: undefined } as const
    expect(() => withGap().apply(write, at(4, 10))).toThrow(/damaged/)
  })
})
