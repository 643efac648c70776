import { describe, expect, it } from 'vitest'
import { string } from '../../serde/string.js'
import { Stores } from '../../state/builders/Stores.js'
import { Consumed } from '../../topology/Consumed.js'
import { parseConfig } from '../../topology/parseConfig.js'
import { Topology } from '../../topology/Topology.js'
import type { EpochRecord } from '../epoch/EpochRecord.js'
import type { Position } from '../RecordLog.js'
import { checkState, isResumed, keptIn } from './checkState.js'

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
})
const check = (
  stateEpoch: number | undefined,
  last: EpochRecord | undefined,
  assignment: readonly Position[],
  topology = compiled({ store: true, timers: true }),
) => checkState({ topology, stateEpoch, last, assignment })

describe('checkState', () => {
  it('[E13] lets a run go on whose state and log end with the same epoch, at its positions', () => {
    expect(() => check(7, record(7, [at(5)]), [at(5)])).not.toThrow()
    expect(() => check(undefined, undefined, [at(0)])).not.toThrow()
  })

  it('[E13] refuses state that lags behind the log by one epoch, naming both, what is wrong, and the way out', () => {
    expect(() => check(6, record(7, [at(5)]), [at(5)])).toThrow(
      expect.objectContaining({
        code: 'STATE_MISMATCH',
        kind: 'operational',
        retriable: false,
        message:
          'The state ends with epoch 6, but the log ends with epoch 7: the process ended between the commit of the log and that of the state, or the state is an older one. To go on would make store "seen", timers of "work" wrong. Delete the state and reset the application, so that both begin anew, or bring back the state of that epoch.',
      }),
    )
  })

  it('[E13] refuses state that is ahead of the log, or that a log knows nothing of', () => {
    expect(() => check(8, record(7, [at(5)]), [at(5)])).toThrow(
      /state ends with epoch 8, but the log ends with epoch 7: it is the state of another log/,
    )
    expect(() => check(1, undefined, [at(0)])).toThrow(/the log has no committed epoch: it is the state of another log/)
  })

  it('[E13] refuses empty state behind a log that has come further, but not where the application is reset', () => {
    expect(() => check(undefined, record(7, [at(5)]), [at(5)])).toThrow(/The state has no committed epoch/)
    expect(() => check(undefined, record(7, [at(0, 0, [3])]), [at(0, 0, [3])])).toThrow(/no committed epoch/)
    expect(() => check(undefined, record(7, [at(5)]), [at(0)])).not.toThrow()
    expect(() => check(7, record(7, [at(5)]), [at(0)])).toThrow(/committed positions are not/)
  })

  it('[E13] tells by how many records a partition goes on elsewhere, in both directions', () => {
    const last = record(7, [at(5), at(9, 1), at(4, 2)])
    expect(() => check(7, last, [at(3), at(10, 1), at(4, 2)])).toThrow(
      /positions are not: in-0 goes on at 3, 2 records before 5, in-1 goes on at 10, 1 records after 9\./,
    )
  })

  it('[E13] takes partitions that appear later, and those that are read no more, for no gap', () => {
    expect(() => check(7, record(7, [at(5)]), [at(5), at(0, 1)])).not.toThrow()
    expect(() => check(7, record(7, [at(5), at(9, 1)]), [at(5)])).not.toThrow()
  })

  it('[E13] asks nothing of a topology that keeps neither stores nor timers', () => {
    expect(() => check(6, record(7, [at(5)]), [at(1)], compiled({}))).not.toThrow()
    expect(() => check(6, record(7, [at(5)]), [at(5)], compiled({ store: true }))).toThrow(/store "seen" wrong/)
    expect(() => check(6, record(7, [at(5)]), [at(5)], compiled({ timers: true }))).toThrow(/timers of "work" wrong/)
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
