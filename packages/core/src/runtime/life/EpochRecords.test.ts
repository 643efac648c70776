import { describe, expect, it } from 'vitest'
import { bytesOfText } from '../../model/bytes.js'
import { EpochState } from '../../state/epoch/EpochState.js'
import { MemoryStateBackend } from '../../state/MemoryStateBackend.js'
import { parseConfig } from '../../topology/parseConfig.js'
import { type EpochRecord, encodeEpochRecord } from '../epoch/EpochRecord.js'
import type { Position, RecordLog, StartingPosition } from '../RecordLog.js'
import type { InDoubt } from './EpochCommits.js'
import { EpochRecords, withDoneSets } from './EpochRecords.js'

const at = (offset: number, partition = 0, done: readonly number[] = [], topic = 'in'): StartingPosition => ({
  topic,
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

describe('withDoneSets', () => {
  const last = record(7, [at(5, 0, [7, 9]), at(5, 1, [6]), at(5, 0, [8], 'other')])

  it('[E8] takes what is done above a position from the epoch record of that same topic and partition', () => {
    const assignment = [at(5, 1), at(5, 0), at(5, 0, [], 'other')]
    expect(withDoneSets(assignment, last).map(({ done }) => done)).toEqual([[6], [7, 9], [8]])
  })

  it.each([4, 6])('[E8] leaves a position at %i be, that the record tells of at 5', (offset) => {
    const assignment = [at(offset)]
    expect(withDoneSets(assignment, last)).toEqual(assignment)
  })

  it('[E8] leaves be what the log says itself, and a topic that is gone', () => {
    const outside = { committed: 5, start: 0, end: 2, madeAnew: true } as const
    const assignment = [at(5, 0, [6]), { ...at(5, 1), outside }, at(5, 2)]
    expect(withDoneSets(assignment, last)).toEqual(assignment)
  })

  it('[E8] has nothing to take where there is no record', () => {
    const assignment = [at(5)]
    expect(withDoneSets(assignment, undefined)).toBe(assignment)
  })
})

const config = parseConfig({ 'application.id': 'app' })
const logs = { keeps: { internal: {} } as RecordLog, keepsNone: {} as RecordLog }

describe('the last record', () => {
  it.each([
    ['of no epoch', undefined, false],
    ['of a rewind', null, true],
    ['of an epoch', encodeEpochRecord(record(7, [at(5)])), false],
  ])('[E9] %s tells whether a new history begins', async (_, value, isRewound) => {
    const last = async () => (value === undefined ? undefined : { value })
    const log = { internal: { ensure: async () => 1, last } } as unknown as RecordLog
    const records = new EpochRecords(log, config)
    expect(await records.isRewound()).toBe(isRewound)
    expect((await records.last())?.epoch).toBe(value ? 7 : undefined)
  })
})

describe('the clocks to go on from', () => {
  const { clocksFor } = new EpochRecords(logs.keeps, config)
  const last = record(7, [at(5), at(9, 1)])

  it('[W6] are the record’s where its positions are where reading begins, a new partition besides', () => {
    expect(clocksFor(last, [at(9, 1), at(5)])).toBe(last.clocks)
    expect(clocksFor(last, [at(9, 1), at(5), at(0, 2)])).toBe(last.clocks)
  })

  it.each([
    ['a position is before the record’s', [at(5), at(8, 1)]],
    ['a position is behind the record’s', [at(6), at(9, 1)]],
    ['a partition of the record is not read', [at(5)]],
    ['another topic has its position', [at(5, 0, [], 'other'), at(9, 1)]],
  ])('[W6] begin anew where %s', (_, assignment) => {
    expect(clocksFor(last, assignment)).toBeUndefined()
  })

  it('[W6] begin anew without a record', () => {
    expect(clocksFor(undefined, [])).toBeUndefined()
  })
})

describe('an epoch whose commit was not answered', () => {
  /** Epoch 4, which has written one row over state of epoch 3 and left its partition at 5. */
  async function inDoubt(positions: readonly Position[] = [at(5)]) {
    const backend = new MemoryStateBackend()
    await backend.commit(3, [])
    const state = new EpochState(backend, 4)
    state.store('rows').put(bytesOfText('k'), bytesOfText('v'))
    state.cut()
    const doubt: InDoubt = {
      epoch: 4,
      positions,
      state,
      ticks: {},
      marks: undefined,
      counts: new Map(),
      builtOn: 3,
      isSettled: false,
    }
    const rows = () => [backend.committedEpoch, backend.open('rows').size, state.liveBytes]
    return { doubt, backend, rows }
  }

  it.each([
    ['its own', 4],
    ['a later one', 5],
  ])('[E9] counts where the last record is %s: its writes go to the state', async (_, epoch) => {
    const { doubt, backend, rows } = await inDoubt()
    const records = new EpochRecords(logs.keeps, config)
    expect(await records.settle(doubt, record(epoch, []), [at(5)], backend)).toBe(true)
    expect(rows()).toEqual([4, 1, 0])
  })

  it.each([
    ['the last record is of the one before it', record(3, [at(5)])],
    ['there is no record', undefined],
  ])('[E9] does not count where %s, whatever the positions: its writes are gone', async (_, last) => {
    const { doubt, backend, rows } = await inDoubt()
    expect(await new EpochRecords(logs.keeps, config).settle(doubt, last, [at(5)], backend)).toBe(false)
    expect(rows()).toEqual([3, 0, 0])
  })

  it('[E9] [E11] counts, and leaves state be that is no longer what it was built on', async () => {
    const { doubt, backend, rows } = await inDoubt()
    await backend.restore([])
    expect(await new EpochRecords(logs.keeps, config).settle(doubt, record(4, []), [at(5)], backend)).toBe(true)
    expect(rows()).toEqual([undefined, 0, 0])
  })

  it.each([
    ['counts where the log is at its positions', [at(5)], [at(5)], true],
    ['does not where the log is before them', [at(5)], [at(4)], false],
    ['does not where one of two partitions is before', [at(5), at(2, 1)], [at(5), at(1, 1)], false],
    ['does not where nothing was read', [at(0)], [at(0)], false],
  ] as const)('[E9] on a log without records %s', async (_, positions, assignment, counts) => {
    const { doubt, backend, rows } = await inDoubt(positions)
    expect(await new EpochRecords(logs.keepsNone, config).settle(doubt, undefined, assignment, backend)).toBe(counts)
    expect(rows()).toEqual(counts ? [4, 1, 0] : [3, 0, 0])
  })
})
