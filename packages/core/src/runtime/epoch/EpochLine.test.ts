import { describe, expect, it } from 'vitest'
import { EventHub } from '../../events/EventHub.js'
import { ManualClock } from '../../time/ManualClock.js'
import { parseConfig } from '../../topology/parseConfig.js'
import { EpochBuffer } from './EpochBuffer.js'
import { EpochLine } from './EpochLine.js'
import { PackedOutputs } from './PackedOutputs.js'

function line(config: { [key: string]: unknown } = {}, transactionTimeoutMs?: number) {
  const clock = new ManualClock()
  const made = new EpochLine(parseConfig(config), clock, new EventHub(), transactionTimeoutMs)
  const commit = (commitMs: number, bytes = 0) => {
    const taken = {
      outputs: new PackedOutputs(),
      records: 0,
      timersFired: 0,
      bytes,
      isEmpty: false,
      failedTimerFired: false,
      counts: new Map(),
    }
    made.onCommitted(1, taken, { runMs: 0, cutMs: 0, commitMs })
    return made.intervalMs
  }
  return { made, clock, commit }
}

const filled = (records = 1) => {
  const epoch = new EpochBuffer()
  epoch.records = records
  return epoch
}

describe('how long an epoch lasts', () => {
  it('[E3] 100 ms before a commit has been measured, then 1.5 times what one takes', () => {
    const { made, commit } = line()
    expect(made.intervalMs).toBe(100)
    expect(commit(40)).toBe(60)
  })

  it('[E3] goes by the mean of the last commit and of those before', () => {
    const { commit } = line()
    expect([commit(40), commit(80), commit(20)]).toEqual([60, 90, 60])
  })

  it.each([
    [6, 10],
    [7, 10.5],
    [3333, 4999.5],
    [3334, 5000],
    [0, 10],
  ])('[E3] never below 10 ms or above 5,000: a commit of %d ms makes it %d', (commitMs, expected) => {
    expect(line().commit(commitMs)).toBe(expected)
  })

  it('[E3] commit.interval.ms fixes it, whatever commits take', () => {
    const { made, commit } = line({ 'commit.interval.ms': 7 })
    expect([made.intervalMs, commit(1000)]).toEqual([7, 7])
  })

  it('[E3] is due when it has lasted so long, and not a moment before', () => {
    const { made, clock } = line({ 'commit.interval.ms': 50 })
    clock.advance(1000)
    made.open()
    clock.advance(49)
    expect([made.leftMs(), made.isDue(filled(), 0)]).toEqual([1, false])
    clock.advance(1)
    expect([made.leftMs(), made.isDue(filled(), 0), made.isDue(new EpochBuffer(), 0)]).toEqual([0, true, false])
  })
})

describe('the transaction time-out', () => {
  it.each([
    [0, 500],
    [100, 400],
    [489, 11],
    [491, 10],
    [5000, 10],
  ])(
    '[E3] an epoch is cut so early that a commit of %d ms ends within half of 1,000: after %d',
    (commitMs, expected) => {
      const { made, commit } = line({ 'commit.interval.ms': 60_000 }, 1000)
      expect(made.intervalMs).toBe(500)
      expect(commit(commitMs)).toBe(expected)
    },
  )

  it('[E3] shortens an interval that is measured, and leaves a shorter one alone', () => {
    expect(line({}, 60_000).commit(400)).toBe(600)
    expect(line({}, 1600).commit(400)).toBe(400)
    expect(line({ 'commit.interval.ms': 7 }, 1000).commit(400)).toBe(7)
  })

  it('[E3] an epoch is full once sending it would take half the time-out, at the pace of the last commit', () => {
    const { made, commit } = line({ 'epoch.max-bytes': 1e9 }, 10_000)
    made.open()
    expect(made.isFull(filled(), 1e8)).toBe(false)
    commit(2000, 20_000_000)
    expect([made.isFull(filled(), 49_999_999), made.isFull(filled(), 50_000_000)]).toEqual([false, true])
    // Quicker: half of it is news. Slower: all of it is.
    commit(200, 20_000_000)
    expect([made.isFull(filled(), 90_000_000), made.isFull(filled(), 91_000_000)]).toEqual([false, true])
    commit(4000, 20_000_000)
    expect([made.isFull(filled(), 24_999_999), made.isFull(filled(), 25_000_000)]).toEqual([false, true])
  })

  it('[E3] takes no pace from a commit of a few bytes: what it took was not for them', () => {
    const { made, commit } = line({ 'epoch.max-bytes': 1e9 }, 10_000)
    commit(100, 10)
    expect([made.isFull(filled(), 50 * 1_048_576 - 1), made.isFull(filled(), 50 * 1_048_576)]).toEqual([false, true])
  })
})

describe('when an epoch is full', () => {
  it('[E3] by its records', () => {
    const { made } = line({ 'epoch.max-records': 3, 'commit.interval.ms': 1000 })
    made.open()
    expect([made.isFull(filled(2), 0), made.isFull(filled(3), 0)]).toEqual([false, true])
    expect([made.isDue(filled(2), 0), made.isDue(filled(3), 0)]).toEqual([false, true])
  })

  it('[E3] by what live epochs hold in memory; one that is empty is full then, and has nothing to commit', () => {
    const { made } = line({ 'epoch.max-bytes': 100, 'commit.interval.ms': 1000 })
    made.open()
    expect([made.isFull(filled(), 99), made.isFull(filled(), 100)]).toEqual([false, true])
    expect([made.isDue(filled(), 99), made.isDue(filled(), 100)]).toEqual([false, true])
    expect([made.isFull(new EpochBuffer(), 100), made.isDue(new EpochBuffer(), 100)]).toEqual([true, false])
  })
})

describe('the numbers of epochs', () => {
  it('[E9] go on after the one that is committed', () => {
    const { made } = line()
    made.goOnAfter(7)
    expect([made.number, made.committed]).toEqual([7, 7])
    made.open()
    expect([made.number, made.committed]).toEqual([8, 7])
  })

  it('[E9] never come twice in a run, whatever a restart finds committed', () => {
    const { made } = line()
    made.open()
    made.open()
    made.goOnAfter(1)
    made.open()
    expect([made.number, made.committed]).toEqual([3, 1])
    made.goOnAfter(0)
    expect([made.number, made.committed]).toEqual([3, 1])
  })
})

describe('an epoch that is discarded', () => {
  it('[E4] is told of once, and never where none was open', () => {
    const events = new EventHub()
    const made = new EpochLine(parseConfig({}), new ManualClock(), events)
    const told: unknown[] = []
    events.on(['epoch-aborted'], (event) => told.push('epoch' in event && event.epoch))
    const abort = () => made.tellAborted('gone', undefined, { inDoubt: false, restart: undefined } as never)
    abort()
    expect(told).toEqual([])
    made.open()
    abort()
    abort()
    expect(told).toEqual([1])
  })
})
