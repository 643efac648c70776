import { describe, expect, it } from 'vitest'
import { string } from '../../serde/string.js'
import { Stores } from '../../state/builders/Stores.js'
import { Consumed } from '../../topology/Consumed.js'
import { parseConfig } from '../../topology/parseConfig.js'
import { Topology } from '../../topology/Topology.js'
import type { EpochRecord } from '../epoch/EpochRecord.js'
import type { Position } from '../RecordLog.js'
import { checkInLog, checkPositions, isResumed, keptIn } from './checkPositions.js'

function compiled(keeps: { readonly store?: boolean; readonly timers?: boolean }) {
  const seen = Stores.keyValue('seen', string, string)
  const supplier = {
    get: () => ({ process: () => undefined, onTimer: () => undefined }),
    ...(keeps.store ? { stores: [seen] } : {}),
    ...(keeps.timers ? { timers: ['event-time'] as const } : {}),
  }
  return new Topology()
    .addSource('in', Consumed.with(string, string), 'in')
    .addProcessor('work', supplier, 'in')
    .compile(parseConfig({ 'application.id': 'app' }))
}

const at = (offset: number, partition = 0, done: readonly number[] = []): Position => ({
  topic: 'in',
  partition,
  offset,
  done,
})
const record = (epoch: number, positions: readonly Position[]): EpochRecord => ({
  epoch,
  wall: 0,
  positions,
  clocks: { partitions: [], nodes: {}, observed: {}, stores: {} },
  ticks: {},
  changelogs: {},
  topicIds: {},
})
const check = (
  last: EpochRecord,
  assignment: readonly Position[],
  topology = compiled({ store: true, timers: true }),
  onGap: 'refuse' | 'accept' = 'refuse',
) => checkPositions(topology, last, assignment, onGap)

describe('checkPositions', () => {
  it('[E13] lets a run go on where the last epoch ended', () => {
    expect(() => check(record(7, [at(5)]), [at(5)])).not.toThrow()
  })

  it('[E13] tells by how many records a partition goes on elsewhere, in both directions, and the ways out', () => {
    const last = record(7, [at(5), at(9, 1), at(4, 2)])
    expect(() => check(last, [at(3), at(10, 1), at(4, 2)])).toThrow(
      expect.objectContaining({
        code: 'STATE_MISMATCH',
        kind: 'operational',
        retriable: false,
        message:
          'The state is that of epoch 7, but the committed positions are not: in-0 goes on at 3, 2 records before 5, in-1 goes on at 10, 1 records after 9. To go on would make store "seen", timers of "work" wrong. Set the positions back to those, reset the application so that its state begins anew as well, or accept the gap with source.offset-gap: accept.',
      }),
    )
  })

  it('[E13] takes a gap that the configuration accepts', () => {
    expect(() => check(record(7, [at(5)]), [at(3)], undefined, 'accept')).not.toThrow()
  })

  it('[E13] takes partitions that appear later, and those that are read no more, for no gap', () => {
    expect(() => check(record(7, [at(5)]), [at(5), at(0, 1)])).not.toThrow()
    expect(() => check(record(7, [at(5), at(9, 1)]), [at(5)])).not.toThrow()
  })

  it('[E13] asks nothing of a topology that keeps neither stores nor timers', () => {
    expect(() => check(record(7, [at(5)]), [at(1)], compiled({}))).not.toThrow()
    expect(() => check(record(7, [at(5)]), [at(1)], compiled({ store: true }))).toThrow(/store "seen" wrong/)
    expect(() => check(record(7, [at(5)]), [at(1)], compiled({ timers: true }))).toThrow(/timers of "work" wrong/)
  })
})

describe('checkInLog', () => {
  const outside = (committed: number) => ({ ...at(10), outside: { committed, start: 10, end: 20 } })

  it('[E13] refuses a position before the first record or behind the last, naming how many records are gone', () => {
    expect(() => checkInLog([at(3, 1), outside(7), outside(25)], 'refuse')).toThrow(
      expect.objectContaining({
        code: 'STATE_MISMATCH',
        retriable: false,
        message:
          'The log does not hold the committed positions any more: in-0 was read to 7 and begins at 10: 3 records in between are deleted; in-0 was read to 25 and ends at 20: it was made anew, or has lost 5 records. Bring the records back, reset the application to begin anew, or go on without them with source.offset-gap: accept.',
      }),
    )
  })

  it('[E13] says of a topic that was made anew how far the other one was read, whatever its offsets', () => {
    const madeAnew = { ...at(0, 1), outside: { committed: 7, start: 2, end: 20, madeAnew: true as const } }
    expect(() => checkInLog([madeAnew], 'refuse')).toThrow(
      /in-1 was read to 7 and was made anew: it is another topic of this name, with 18 records from 2 on/,
    )
    expect(checkInLog([madeAnew], 'accept')).toHaveLength(1)
  })

  it('[E13] tells of a gap that is accepted, and of none where there is none', () => {
    expect(checkInLog([outside(7)], 'accept')).toEqual([
      'in-0 was read to 7 and begins at 10: 3 records in between are deleted. Reading goes on at its beginning.',
    ])
    expect(checkInLog([at(3)], 'refuse')).toEqual([])
  })
})

describe('isResumed', () => {
  it('[E8] sees that a partition was worked on by its offset, or by what is done above it', () => {
    expect(isResumed(at(0))).toBe(false)
    expect(isResumed(at(1))).toBe(true)
    expect(isResumed(at(0, 0, [2]))).toBe(true)
  })
})

describe('keptIn', () => {
  it('[T8] names stores and nodes with timers', () => {
    expect(keptIn(compiled({ store: true, timers: true }))).toEqual(['store "seen"', 'timers of "work"'])
    expect(keptIn(compiled({}))).toEqual([])
  })
})
